import {
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
  type ConstDirectiveNode,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import { ownKeys } from './references.ts';

/** 2.0 is enough for keys, and every router since then composes it. */
const header = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])`;

/** Types that Relay's specification gives to every subgraph with connections; all of them resolve all of their fields. */
const shareable: ReadonlySet<string> = new Set(['PageInfo']);

/**
 * The SDL of the schema as a Federation 2 subgraph, sorted, with a line feed at its end: what `_service { sdl }` returns
 * and what `schema.federation.graphql` holds. Without the subgraph's own root fields, as composition wants it.
 */
export function printSubgraph(schema: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)), { noLocation: true });
  const subgraph = visit(document, {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => ({
      ...type,
      directives: [...(type.directives ?? []), ...directivesOf(type)],
    }),
    // Those of executable documents: the router has its own and handles them itself.
    [Kind.DIRECTIVE_DEFINITION]: () => null,
  });
  return `${header}\n\n${print(subgraph)}\n`;
}

function directivesOf({ name: { value: name } }: ObjectTypeDefinitionNode): ConstDirectiveNode[] {
  if (shareable.has(name)) return [{ kind: Kind.DIRECTIVE, name: nameNode('shareable') }];
  if (!Object.hasOwn(ownKeys, name)) return [];
  return ['id', ownKeys[name as keyof typeof ownKeys]].map((field) => ({
    kind: Kind.DIRECTIVE,
    name: nameNode('key'),
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: nameNode('fields'),
        value: { kind: Kind.STRING, value: field },
      },
    ],
  }));
}

function nameNode(value: string) {
  return { kind: Kind.NAME, value } as const;
}
