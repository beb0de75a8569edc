import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { RequirementOf } from '../model/document-requirements.ts';
import {
  canonicalId,
  isFullId,
  resources,
  type NodeType,
  type ObjectOf,
} from '../model/resource.ts';
import type { ObjectFieldBuilder, OutputField, Types } from './builder.ts';
import { checkReads, countFields, countRead, lazyList, promiseCost } from './plan/list-fields.ts';
import type { FieldHints } from './plan/operation-plan.ts';
import { documentRequirements, isKeyOnly } from './plan/requirements.ts';

/*
 * Objects that are read by key. If only the key is selected, they cost no upstream request. Otherwise they cost one per
 * key and operation.
 */

/**
 * Reads an object by an ID that the DMS accepts. Null if it does not exist. Documents are read with the projection of
 * the selection. Costs one upstream request, or none if the operation has already read the object.
 */
export function readObject<T extends NodeType>(
  type: T,
  given: string,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ObjectOf<T> | null> {
  const id = canonicalId(given); // the text of a value can be an ID
  countRead(objectName(type, id), context);
  const { loaders } = context;
  const reading =
    type === 'Document'
      ? loaders.document.load(id, documentRequirements(info, type))
      : loaders[resources[type as Exclude<T, 'Document'>].one].load(id);
  // The loader of a type returns its objects.
  return reading as Promise<ObjectOf<T> | null>;
}

export const objectName = (type: NodeType, id: string): string => `${type} ${id}`;

export function objectOf<T extends NodeType>(
  type: T,
  key: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ObjectOf<T> | null> | ObjectOf<T> | null {
  if (key == null) return null;
  return isKeyOnly(info, type) ? keyAlone(type, key) : readObject(type, key, context, info);
}

export function documentOf(id: string, context: GatewayContext, info: GraphQLResolveInfo) {
  return isFullId(id)
    ? objectOf('Document', id, context, info)
    : readObject('Document', id, context, info);
}

/**
 * A nullable field with the object whose key another one has. Costs one upstream request per object, unless only
 * the key is selected or it is that of a service account. The description ends with this cost.
 *
 * @param ref a type of the table of resources, or Actor
 */
export function objectField<Shape>(
  t: ObjectFieldBuilder<Shape>,
  ref: ObjectRef<Types, object> | InterfaceRef<Types, { systemId: string }>,
  keyOf: (object: Shape) => string | null | undefined,
  { description, ...hints }: { readonly description: string } & FieldHints<RequirementOf<Shape>>,
): OutputField<unknown> {
  const isActor = ref.name === 'Actor';
  const type = isActor ? 'Person' : (ref.name as NodeType);
  const resolve: GraphQLFieldResolver<Shape, GatewayContext> = (object, _args, context, info) => {
    const key = keyOf(object);
    if (!isActor || key == null) return objectOf(type, key, context, info);
    if (isServiceAccount(key)) return { systemId: key };
    const person = objectOf(type, key, context, info);
    // A deleted person is still the author.
    return person instanceof Promise ? person.then((one) => one ?? keyAlone(type, key)) : person;
  };
  const cost = `${isActor ? 'A person costs' : 'Costs'} one DMS request, unless only IDs are selected.`;
  // Pothos cannot resolve the options of a field of a generic object.
  return t.field({
    ...hints,
    type: ref,
    nullable: true,
    upstreamCalls: 'shared',
    description: `${description} ${cost}`,
    resolve,
  } as never);
}

export function keyAlone<T extends NodeType>(type: T, key: string): ObjectOf<T> {
  return { [resources[type].key]: canonicalId(key) } as ObjectOf<T>;
}

export function isServiceAccount(systemId: string): boolean {
  return systemId.startsWith('api-');
}

/**
 * The value of a list field whose items are read one by one. If the field is streamed, those that are not in the first
 * part are read after it.
 */
export function readItems<Key, T>(
  keys: readonly Key[],
  read: (key: Key) => Promise<T> | T,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): readonly (Promise<T> | T)[] {
  return lazyList(keys.length, () => itemsOf(keys, read, context, info));
}

export interface RelatedIds {
  readonly length: number;
  readonly ids: () => readonly string[];
  readonly type: NodeType;
  /** Whether an object is not read if only its ID is selected. Default: true. */
  readonly isKey?: ((id: string) => boolean) | undefined;
}

/**
 * As `readItems`, for objects whose IDs the DMS has stored in another one. Their number has no limit, so the reads of
 * the whole list are checked before the first one.
 *
 * @throws {RestError} UPSTREAM_BUDGET_EXCEEDED as `checkReads`
 */
export function readRelated<T>(
  { length, ids, type, isKey = () => true }: RelatedIds,
  read: (id: string) => Promise<T> | T,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): readonly (Promise<T> | T)[] {
  return lazyList(length, () => {
    const all = ids();
    const isRead = isKeyOnly(info, type) ? (id: string) => !isKey(id) : () => true;
    const objects = all.filter(isRead).map((id) => objectName(type, id));
    checkReads(objects, context);
    countFields(context, objects.length * promiseCost);
    return itemsOf(all, read, context, info);
  });
}

/**
 * The items of a list. One that fails becomes an error, which GraphQL turns into null and an error with the path of the
 * item. With a rejection, the compiled execution would lose the path.
 */
export function itemsOf<Key, T>(
  keys: readonly Key[],
  read: (key: Key) => Promise<T> | T,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): (Promise<T> | T)[] {
  const { incremental } = context;
  const failed = (error: unknown): T => error as T;
  const readItem = (key: Key): Promise<T> | T => {
    try {
      const item = read(key);
      return item instanceof Promise ? item.catch(failed) : item;
    } catch (error) {
      return failed(error);
    }
  };
  if (incremental === null) return keys.map(readItem);
  const initialCount = incremental.initialCount(info);
  return keys.map((key, index) =>
    index < initialCount ? readItem(key) : incremental.firstPart.then(() => readItem(key)),
  );
}
