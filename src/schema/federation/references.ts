import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { isFullId } from '../../model/id.ts';
import { rememberNodeType } from '../builder.ts';
import { fromGlobalId, isIdOf, type NodeType } from '../ids.ts';
import { readNode } from '../node.ts';
import { isKeyOnly } from '../selection/projection.ts';

/** The key field of each entity type beside `id`: the DMS's own id, by which a loader reads the object. */
export const ownKeys = {
  Document: 'fullId',
  DocumentResponse: 'fullId',
  Form: 'fullId',
  ListValue: 'fullId',
  Organization: 'fullId',
  OrgUnit: 'systemId',
  Person: 'systemId',
} as const satisfies Record<NodeType, string>;

/** An entity that another subgraph refers to. */
export interface Reference {
  readonly type: NodeType;
  /** Value of the own key. */
  readonly id: string;
}

/**
 * Reads a representation: `__typename` and `id` or the own key of the type. If both keys are present, `id` counts.
 * Other properties are ignored. An id that a router cannot have got from this gateway, such as a short id, is not a key.
 *
 * @returns if it names no entity, what is wrong, as the end of a message that begins with the name of the representation
 */
export function readReference(representation: unknown): Reference | string {
  const typeName = ownProperty(representation, '__typename');
  if (typeof typeName !== 'string' || !Object.hasOwn(ownKeys, typeName)) {
    return `.__typename must be an entity type: ${Object.keys(ownKeys).join(', ')}.`;
  }
  const type = typeName as NodeType;
  const globalId = ownProperty(representation, 'id');
  const ownKey = ownKeys[type];
  const id = globalId == null ? ownProperty(representation, ownKey) : idFrom(globalId, type);
  if (typeof id === 'string' && isKey(type, id)) return { type, id };
  return globalId == null
    ? `.${ownKey} must be a valid ${ownKey} of type ${type}.`
    : `.id must be a global ID of type ${type}.`;
}

/**
 * The entity, read by the loader of its type with the projection of the selection; null if the DMS does not find it.
 * Costs no upstream request if only keys are selected.
 */
export function resolveReference(
  { type, id }: Reference,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<object | null> | object {
  if (!isKeyOnly(info, type)) return readNode({ type, id }, context, info);
  const entity = { [ownKeys[type]]: id };
  rememberNodeType(entity, type);
  return entity;
}

/** The DMS's own id in a global id of the type; null if it is none. */
function idFrom(globalId: unknown, type: NodeType): string | null {
  const global = typeof globalId === 'string' ? fromGlobalId(globalId) : null;
  return global?.type === type ? global.id : null;
}

function isKey(type: NodeType, id: string): boolean {
  return ownKeys[type] === 'fullId' ? isFullId(id) : isIdOf(type, id);
}

/** Representations are JSON of a client: a property of their prototype is none of theirs. */
function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
