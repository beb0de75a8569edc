import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { RequirementOf } from '../model/document-requirements.ts';
import {
  isFullId,
  resources,
  type KeyOf,
  type NodeType,
  type ResourceObjects,
} from '../model/resource.ts';
import type { ObjectFieldBuilder, OutputField, Types } from './builder.ts';
import { countReferences } from './plan/list-fields.ts';
import type { FieldHints } from './plan/operation-plan.ts';
import { documentRequirements, isKeyOnly } from './plan/requirements.ts';

/*
 * Objects that are read by key. If only the key is selected, they cost no upstream request. Otherwise they cost one per
 * key and operation.
 */

/** An object of a type, of which at least the key is known. */
export type ObjectOf<T extends NodeType> = Pick<
  ResourceObjects[T],
  KeyOf<T> & keyof ResourceObjects[T]
> &
  Partial<ResourceObjects[T]>;

/**
 * Reads an object by an ID that the DMS accepts. Null if it does not exist. Documents are read with the projection of
 * the selection. Costs one upstream request, or none if the operation has already read the object.
 */
export function readObject<T extends NodeType>(
  type: T,
  id: string,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ObjectOf<T> | null> {
  const reading =
    type === 'Document'
      ? loaders.document.load(id, documentRequirements(info, type))
      : loaders[resources[type as Exclude<T, 'Document'>].one].load(id);
  // The loader of a type returns its objects.
  return reading as Promise<ObjectOf<T> | null>;
}

/**
 * The object that another one references by key. Null without a key. Costs one upstream request per object, unless only
 * the key is selected.
 */
export function objectOf<T extends NodeType>(
  type: T,
  key: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ObjectOf<T> | null> | ObjectOf<T> | null {
  if (key == null) return null;
  return isKeyOnly(info, type) ? keyAlone(type, key) : readObject(type, key, context, info);
}

/** The document with a full or short ID. Costs one upstream request, unless the ID is full and only it is selected. */
export function documentOf(id: string, context: GatewayContext, info: GraphQLResolveInfo) {
  return isFullId(id)
    ? objectOf('Document', id, context, info)
    : readObject('Document', id, context, info);
}

/**
 * A nullable field with the object that another one references by key. Costs one upstream request per object, unless only
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
    return isActor && key != null && isServiceAccount(key)
      ? { systemId: key }
      : objectOf(type, key, context, info);
  };
  const cost = `${isActor ? 'A person costs' : 'Costs'} one DMS request, unless only IDs are selected.`;
  // Pothos cannot resolve the options of a field of a generic object.
  return t.field({
    ...hints,
    type: ref,
    nullable: true,
    description: `${description} ${cost}`,
    resolve,
  } as never);
}

/** An object of which only the key is known. */
export function keyAlone<T extends NodeType>(type: T, key: string): ObjectOf<T> {
  return { [resources[type].key]: key } as ObjectOf<T>;
}

/** Whether a system ID is that of a service account: it starts with `api-` (REST spec, General conventions). */
export function isServiceAccount(systemId: string): boolean {
  return systemId.startsWith('api-');
}

/**
 * Converts rejected items of a list to error values, which GraphQL turns into null and an error with the path of the
 * item. With a rejection, the compiled execution would lose the path.
 */
function withNullableItems<T>(items: readonly (Promise<T> | T)[]): (Promise<T> | T)[] {
  return items.map((item) =>
    item instanceof Promise ? item.catch((error: unknown) => error as T) : item,
  );
}

/**
 * The objects of a list of IDs, which can have any length, as `readItems` has them.
 *
 * @param isKey whether an object is not read if only its ID is selected
 * @throws BAD_USER_INPUT before anything is read, if the objects exceed `MAX_LIST_FIELDS`
 */
export function readReferences<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T> | T,
  context: GatewayContext,
  info: GraphQLResolveInfo,
  isKey: (id: string) => boolean = () => true,
): (Promise<T> | T)[] {
  const isRead = !isKeyOnly(info) || !ids.every(isKey);
  if (isRead) countReferences(context, ids.length);
  return readItems(ids, read, context, info);
}

/**
 * The items of a list field that are read one by one, as `withNullableItems` has them. If the field is streamed, those
 * that are not in the first part are read after it.
 *
 * @internal
 */
export function readItems<Key, T>(
  keys: readonly Key[],
  read: (key: Key) => Promise<T> | T,
  { incremental }: GatewayContext,
  info: GraphQLResolveInfo,
): (Promise<T> | T)[] {
  if (incremental === null) return withNullableItems(keys.map(read));
  const initialCount = incremental.initialCount(info);
  return withNullableItems(
    keys.map((key, index) =>
      index < initialCount ? read(key) : incremental.firstPart.then(() => read(key)),
    ),
  );
}
