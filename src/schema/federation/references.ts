import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { isFullId } from '../../model/id.ts';
import { rememberNodeType } from '../builder.ts';
import { fromGlobalId, isIdOf, type NodeType } from '../ids.ts';
import { readNode } from '../node.ts';
import { isKeyOnly } from '../plan/requirements.ts';

/** The key field of each entity type beside `id`: the ID in the DMS, by which a loader reads the object. */
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
 * Reads a representation: `__typename` and `id` or the own key of the type. If both keys are present, `id` is used.
 * Other properties are ignored. An ID that this gateway does not return, such as a short ID, is not a key.
 *
 * @returns the reference, or the end of an error message, which follows the name of the representation
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
 * Returns the entity, which the loader of its type reads with the projection of the selection. Null if the DMS does not
 * find it, or finds another object: it also accepts IDs that are not keys, such as external IDs. Costs no upstream
 * request if only keys are selected.
 */
export function resolveReference(
  { type, id }: Reference,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<object | null> | object {
  const key = ownKeys[type];
  if (!isKeyOnly(info, type)) {
    return readNode({ type, id }, context, info).then((found) =>
      ownProperty(found, key) === id ? found : null,
    );
  }
  const entity = { [key]: id };
  rememberNodeType(entity, type);
  return entity;
}

/** Returns the ID in the DMS from a global ID of the type. Null if it is not one. */
function idFrom(globalId: unknown, type: NodeType): string | null {
  const global = typeof globalId === 'string' ? fromGlobalId(globalId) : null;
  return global?.type === type ? global.id : null;
}

function isKey(type: NodeType, id: string): boolean {
  return ownKeys[type] === 'fullId' ? isFullId(id) : isIdOf(type, id);
}

/** Properties of the prototype are ignored, because representations are JSON from a client. */
function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
