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
import { isNodeType, resources } from '../../model/resource.ts';

/** Version 2.0 supports keys, and all later routers accept it. */
const header = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])`;

/** Types that every subgraph with Relay connections has. Each subgraph resolves all of their fields. */
const shareable: ReadonlySet<string> = new Set(['PageInfo']);

/**
 * Prints the schema as a Federation 2 subgraph, sorted, with a line feed at the end: the value of `_service { sdl }`
 * and the content of `schema.federation.graphql`. It has no `_entities` and `_service`, which composition does not
 * need.
 */
export function printSubgraph(schema: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)), { noLocation: true });
  const subgraph = visit(document, {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => ({
      ...type,
      directives: [...(type.directives ?? []), ...directivesOf(type)],
    }),
    // The directives of query documents. The router evaluates its own, such as `@defer`.
    [Kind.DIRECTIVE_DEFINITION]: () => null,
  });
  return `${header}\n\n${print(subgraph)}\n`;
}

function directivesOf({ name: { value: name } }: ObjectTypeDefinitionNode): ConstDirectiveNode[] {
  if (shareable.has(name)) return [{ kind: Kind.DIRECTIVE, name: nameNode('shareable') }];
  if (!isNodeType(name)) return [];
  return ['id', resources[name].key].map((field) => ({
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
