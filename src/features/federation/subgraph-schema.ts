import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type GraphQLFieldConfig,
  type GraphQLResolveInfo,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import {
  canonicalId,
  isFullId,
  isNodeType,
  nodeTypes,
  resources,
  type NodeType,
} from '../../model/resource.ts';
import { rememberNodeType } from '../../schema/builder.ts';
import { badInput, checkCount } from '../../schema/graphql-error.ts';
import { fromGlobalId } from '../../schema/ids.ts';
import { makeDirectiveNode } from '../../schema/libraries.ts';
import { printSortedSchema } from '../../schema/print.ts';
import { keyAlone, objectName, readItems, readObject } from '../../schema/related-objects.ts';
import { parsedArgs } from '../../schema/plan/parsed-arguments.ts';
import { isKeyOnly } from '../../schema/plan/requirements.ts';
import { extensionsWith } from '../../schema/plan/operation-plan.ts';
import { countedList } from '../../schema/plan/list-fields.ts';

const maxRepresentations = 1000;

interface EntitiesArgs {
  readonly representations: readonly unknown[];
}

type RootField<Args = unknown> = GraphQLFieldConfig<unknown, GatewayContext, Args>;

/** @see https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec */
export function createSubgraphSchema(
  schema: GraphQLSchema,
  { introspection }: { readonly introspection: boolean },
): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (query == null) throw new Error('A subgraph needs a query type.');
  const { fields, ...queryConfig } = query.toConfig();
  const subgraphQuery = new GraphQLObjectType({
    ...queryConfig,
    fields: {
      ...fields,
      _entities: entitiesField(schema),
      ...(introspection && { _service: serviceField(schema) }),
    },
  });
  const others = types.filter((type) => type !== query);
  return new GraphQLSchema({ ...config, query: subgraphQuery, types: others });
}

function entitiesField(schema: GraphQLSchema): RootField<EntitiesArgs> {
  // Every type that the DMS can look up by a global ID is an entity.
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('A subgraph needs the interface Node.');
  const { resolveType } = node;
  const entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'An entity of this subgraph.',
    types: schema.getPossibleTypes(node).filter(({ name }) => isNodeType(name)),
    resolveType: resolveType ?? null,
  });
  const representation = new GraphQLScalarType({
    name: '_Any',
    description: 'A representation of an entity: `__typename` and the fields of a key.',
  });
  return {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    description:
      'Returns the entities that other subgraphs represent, in the given order. An item is null if the entity does not exist, its representation is not valid or reading it failed. Costs up to one DMS request per entity, unless only keys are selected.',
    args: {
      representations: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(representation))),
        description: `Representations of the entities, at most ${maxRepresentations} per operation.`,
      },
    },
    extensions: extensionsWith({ parse: parseKeys, limitCost: costOfEntities }),
    resolve: countedList((_root, args, context, info) => {
      const keys = parsedArgs(parseKeys, args, context, info);
      checkTotal(keys.length, context);
      return readItems(
        keys.map((key, index) => ({ key, index })),
        ({ key, index }) =>
          typeof key === 'string'
            ? badInput(`representations[${index}]${key}`)
            : resolveEntity(key, context, info),
        context,
        info,
      );
    }),
  };
}

const totals = new WeakMap<GatewayContext, number>();

/**
 * Checks the number of representations in all `_entities` fields of an operation. Each invalid one causes an error,
 * and 20 fields with 1000 of them would block the event loop for seconds.
 */
function checkTotal(count: number, context: GatewayContext): void {
  const total = (totals.get(context) ?? 0) + count;
  totals.set(context, total);
  if (total <= maxRepresentations) return;
  throw badInput(
    `An operation can have at most ${maxRepresentations} representations in all its \`_entities\` fields.`,
  );
}

function parseKeys({ representations }: EntitiesArgs): readonly (EntityKey | string)[] {
  checkCount('representations', representations, maxRepresentations);
  return representations.map(readRepresentation);
}

function costOfEntities(keys: readonly (EntityKey | string)[]) {
  const seen = new Set<string>();
  const itemsByType = new Map<string, number>();
  for (const key of keys) {
    if (typeof key === 'string') continue;
    const { type, id } = key;
    const name = objectName(type, id);
    if (seen.has(name)) continue;
    seen.add(name);
    itemsByType.set(type, (itemsByType.get(type) ?? 0) + 1);
  }
  return { itemsByType };
}

interface EntityKey {
  readonly type: NodeType;
  readonly id: string;
}

/**
 * Reads a representation: `__typename` and `id` or the own key of the type. If both keys are present, `id` is used.
 * Other properties are ignored. An ID that this gateway does not return, such as a short ID, is not a key.
 */
function readRepresentation(representation: unknown): EntityKey | string {
  const typeName = ownProperty(representation, '__typename');
  if (typeof typeName !== 'string' || !isNodeType(typeName)) {
    return `.__typename must be an entity type: ${nodeTypes.join(', ')}.`;
  }
  const type = typeName;
  const globalId = ownProperty(representation, 'id');
  const ownKey = resources[type].key;
  const id = globalId == null ? ownProperty(representation, ownKey) : idFrom(globalId, type);
  if (typeof id === 'string' && isKey(type, id)) return { type, id: canonicalId(id) };
  return globalId == null
    ? `.${ownKey} must be a valid ${ownKey} of type ${type}.`
    : `.id must be a global ID of type ${type}.`;
}

/**
 * Returns the entity, which the loader of its type reads with the projection of the selection. Null if the DMS does not
 * find it, or finds another object: it also accepts IDs that are not keys, such as external IDs. Costs no upstream
 * request if only keys are selected.
 */
function resolveEntity(
  { type, id }: EntityKey,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<object | null> | object | null {
  const remember = (entity: object | null): object | null => {
    if (ownProperty(entity, resources[type].key) !== id) return null;
    rememberNodeType(entity!, type);
    return entity;
  };
  return isKeyOnly(info, type)
    ? remember(keyAlone(type, id))
    : readObject(type, id, context, info).then(remember);
}

function idFrom(globalId: unknown, type: NodeType): string | null {
  const global = typeof globalId === 'string' ? fromGlobalId(globalId) : null;
  return global?.type === type ? global.id : null;
}

function isKey(type: NodeType, id: string): boolean {
  const { key, accepts } = resources[type];
  return key === 'fullId' ? isFullId(id) : accepts.matches(id);
}

/** Properties of the prototype are ignored, because representations are JSON from a client. */
function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function serviceField(schema: GraphQLSchema): RootField {
  let sdl: string | undefined;
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'This subgraph.',
    fields: {
      sdl: {
        type: GraphQLString,
        description: 'The schema of this subgraph with its federation directives.',
        resolve: () => (sdl ??= printSubgraph(schema)),
      },
    },
  });
  return {
    type: new GraphQLNonNull(service),
    description: 'Describes this subgraph to routers.',
    resolve: () => ({}),
  };
}

const header = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])`;

/**
 * Prints the schema as a Federation 2 subgraph: the value of `_service { sdl }`. It has no `_entities` and `_service`,
 * which composition does not need, and no `@oneOf`, which Apollo's composition does not know: the subgraph checks such
 * inputs when it receives them.
 */
export function printSubgraph(schema: GraphQLSchema): string {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const roots = new Set(types.map((type) => type?.name ?? ''));
  const { definitions } = parse(printSortedSchema(schema), { noLocation: true });
  const printed = definitions
    // The directives of query documents. The router evaluates its own, such as `@defer`.
    .filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION)
    .map((type) => {
      switch (type.kind) {
        case Kind.OBJECT_TYPE_DEFINITION:
          return print({ ...type, directives: directivesOf(type.name.value, roots) });
        case Kind.INPUT_OBJECT_TYPE_DEFINITION:
          return print({ ...type, directives: [] });
        default:
          return print(type);
      }
    });
  return `${[header, ...printed].join('\n\n')}\n`;
}

function directivesOf(typeName: string, roots: ReadonlySet<string>): ConstDirectiveNode[] {
  // Their arguments are constants, which the type of the library does not say.
  const directive = (name: string, args: Record<string, string> = {}) =>
    makeDirectiveNode(name, args) as ConstDirectiveNode;
  if (roots.has(typeName)) return [];
  if (!isNodeType(typeName)) return [directive('shareable')];
  return ['id', resources[typeName].key].map((fields) => directive('key', { fields }));
}
