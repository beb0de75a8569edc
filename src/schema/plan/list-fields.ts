import {
  defaultFieldResolver,
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { badInput } from '../graphql-error.ts';
import { hintsOf, itemCostOf } from './operation-plan.ts';
import { fieldsOf, planFor, type FieldInfo } from './planner.ts';

/*
 * Limits the time and memory of a result. Executors complete a list synchronously, and the DMS or a service of a team
 * can return one of any length. Each list is therefore counted before its items are made: its length times what is
 * selected of an item. The number of errors is limited, too, because creating one takes as long as thirty plain fields.
 */

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

/** The cost of an item that is a promise, in addition to what is selected of it. */
export const promiseCost = 3;

/** The cost of a read for which no upstream call is left, which fails unless the object is cached. */
const excessReadCost = 50;

/** Fields that fail after so many others of their operation are null without an error. A response shows fewer errors. */
export const maxFailures = 1000;

/**
 * Counts the items of all lists of a schema before they are made, and limits the failures of its nullable fields.
 */
export function limitFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const isNullable = !isNonNullType(field.type);
      if (isListType(getNullableType(field.type))) {
        field.resolve = countedList(field.resolve, isNullable);
      } else if (isNullable && field.resolve && canFailOften(field)) {
        field.resolve = withFailureLimit(field.resolve);
      }
    }
  }
  return schema;
}

/** Whether a field that is no list can fail in each item of a list. */
function canFailOften(field: GraphQLField<unknown, GatewayContext>): boolean {
  const { isTeamField, listCost } = hintsOf(field);
  return isCompositeType(field.type) || isTeamField === true || listCost !== undefined;
}

function withFailureLimit(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    try {
      return resolve(source, args, context, info);
    } catch (error) {
      if (isReported(context)) throw error;
      return null;
    }
  };
}

/** Counts the failure of a nullable field or item. Returns false if it is null without an error. */
export function isReported(context: GatewayContext): boolean {
  context.failures += 1;
  return context.failures <= maxFailures;
}

/** A list whose items are made after they have been counted. */
class LazyList {
  readonly length: number;
  readonly makeItems: () => readonly unknown[];
  readonly fields: number | undefined;

  constructor(length: number, makeItems: () => readonly unknown[], fields: number | undefined) {
    this.length = length;
    this.makeItems = makeItems;
    this.fields = fields;
  }
}

/**
 * The value of a list field whose items are made after they have been counted. Executors receive the array that
 * `makeItems` returns.
 *
 * @param fields number of all fields of the items. Default: that of the selection
 */
export function lazyList<T>(
  length: number,
  makeItems: () => readonly T[],
  fields?: number,
): readonly T[] {
  // Resolvers of list fields pass it on, and only `countedItems` reads it.
  return new LazyList(length, makeItems, fields) as unknown as readonly T[];
}

/**
 * Returns the resolver of a list field whose items are counted before they are made. If that fails, the error is the
 * value of the field, for which a compiled execution creates one error. For one that is thrown, it would create two.
 *
 * @param isNullable whether the failure can be omitted (`isReported`)
 */
export function countedList<Args>(
  resolve: GraphQLFieldResolver<unknown, GatewayContext, Args> = defaultFieldResolver,
  isNullable = false,
): GraphQLFieldResolver<unknown, GatewayContext, Args> {
  return (source, args, context, info) => {
    try {
      const list: unknown = resolve(source, args, context, info);
      return list instanceof Promise
        ? list.then((items) => countedParts(items, context, info))
        : countedParts(list, context, info);
    } catch (error) {
      if (isNullable && !isReported(context)) return null;
      if (!isNullable && isBelowNull(context, info)) return [];
      if (error instanceof Error) return error;
      throw error;
    }
  };
}

/** As `countedItems`, also counting the parts of a streamed list. */
function countedParts(list: unknown, context: GatewayContext, info: GraphQLResolveInfo): unknown {
  if (isList(list)) context.incremental?.countParts(list.length, info);
  return countedItems(list, context, info);
}

/**
 * Whether an ancestor is null because another field that cannot be null has failed. graphql-js does not resolve the
 * others then. Compiled code does, and would create an error for each: up to 50,000 lists in a list. With `@defer`, the
 * fields of one object can belong to different parts of the result, of which each can be null.
 */
function isBelowNull(
  { incremental, nullPaths }: GatewayContext,
  info: GraphQLResolveInfo,
): boolean {
  if (incremental !== null) return false;
  const path = nullablePath(info);
  if (nullPaths.has(path)) return true;
  nullPaths.add(path);
  return false;
}

/** The path of what is null if the current field fails. Empty for the whole result. */
function nullablePath(info: GraphQLResolveInfo): string {
  const { fields } = planFor(info);
  let path: GraphQLResolveInfo['path'] | undefined = info.path;
  let field = fieldsOf(info)[0];
  while (field?.definition != null && isNonNullType(field.definition.type)) {
    path = path?.prev;
    field = field.parent === null ? undefined : fields.get(field.parent)?.[0];
    for (const item of field?.definition ? itemTypes(field.definition.type) : []) {
      if (!isNonNullType(item)) return keysOf(path);
      path = path?.prev;
    }
  }
  return keysOf(path);
}

/** The types of the items of a list, and of the items of lists in it, innermost first. */
function itemTypes(type: GraphQLOutputType): GraphQLOutputType[] {
  const nullable = getNullableType(type);
  return isListType(nullable) ? [...itemTypes(nullable.ofType), nullable.ofType] : [];
}

function keysOf(path: GraphQLResolveInfo['path'] | undefined): string {
  return path === undefined ? '' : `${keysOf(path.prev)} ${path.key}`;
}

const isList = (value: unknown): value is LazyList | readonly unknown[] =>
  value instanceof LazyList || Array.isArray(value);

/**
 * Counts the items of a list and returns them. Other values are returned without counting.
 *
 * @throws BAD_USER_INPUT if the lists of the operation would have more than `maxListFields` fields. Such a list costs
 * nothing, so that others can be returned
 */
export function countedItems(
  list: unknown,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): unknown {
  if (!isList(list)) return list;
  const isLazy = list instanceof LazyList;
  const { listFields } = context;
  countFields(context, (isLazy ? list.fields : undefined) ?? list.length * costPerItem(info));
  if (!isLazy) return list;
  try {
    return list.makeItems();
  } catch (error) {
    context.listFields = listFields;
    throw error;
  }
}

/** The cost of an item of the current list field: what is selected of it, without the items of lists below. */
export function costPerItem(info: FieldInfo): number {
  return fieldsOf(info).reduce((sum, field) => sum + itemCostOf(field), 0);
}

/** Adds to the number of list fields of the operation. @throws BAD_USER_INPUT as `checkFields` */
export function countFields(context: GatewayContext, count: number): void {
  checkFields(context, count);
  context.listFields += count;
}

/**
 * Checks whether fields can be returned before they are counted.
 *
 * @throws BAD_USER_INPUT if the lists of the operation would have more than `maxListFields` fields
 */
export function checkFields(context: GatewayContext, count: number): void {
  if (!fits(count, context)) throw tooManyFields(context);
}

const fits = (count: number, { listFields, maxListFields }: GatewayContext): boolean =>
  listFields + count <= maxListFields;

/** By `maxListFields`: thousands of lists can fail in one operation. */
const errors = new Map<number, GraphQLError>();

function tooManyFields({ maxListFields }: GatewayContext): GraphQLError {
  let error = errors.get(maxListFields);
  if (error === undefined) {
    error = badInput(
      `The lists of the response have too many fields; MAX_LIST_FIELDS allows ${maxListFields}. Request smaller pages or fewer fields.`,
    );
    errors.set(maxListFields, error);
  }
  return error;
}

/**
 * Checks whether the list `name` below the current field can be returned with `count` items. A mutation checks this
 * before it writes, because it cannot be rejected afterwards.
 * @throws BAD_USER_INPUT as `checkFields`
 */
export function checkFieldsBelow(
  name: string,
  count: number,
  context: GatewayContext,
  info: FieldInfo,
): void {
  const lists = fieldsOf(info)
    .flatMap(({ below }) => below.flatMap(({ fields }) => fields))
    .filter(({ node }) => node.name.value === name);
  checkFields(context, count * lists.reduce((sum, list) => sum + itemCostOf(list), 0));
}

/**
 * Counts a read of an object, by a text that identifies the object. Repeated reads cost nothing, and neither do as many
 * as the operation can have upstream calls.
 *
 * @throws {RestError} UPSTREAM_BUDGET_EXCEEDED if further reads, which fail unless the object is cached, are too many
 */
export function countRead(object: string, context: GatewayContext): void {
  const { readObjects, dms } = context;
  if (readObjects.has(object)) return;
  if (readObjects.size >= dms.budget.maxCalls) {
    if (!fits(excessReadCost, context)) throw dms.budget.exceeded;
    context.listFields += excessReadCost;
  }
  readObjects.add(object);
}

/**
 * Checks whether the objects of a list can be read, before any of them is. Objects that the operation has read are not
 * read again.
 *
 * @param objects as in `countRead`
 * @throws {RestError} UPSTREAM_BUDGET_EXCEEDED if too few upstream calls are left for them, even if they are cached
 */
export function checkReads(objects: readonly string[], context: GatewayContext): void {
  const { readObjects, dms } = context;
  const added = new Set(objects).difference(readObjects).size;
  dms.budget.checkCallsLeft(added);
  const excess = Math.min(added, readObjects.size + added - dms.budget.maxCalls);
  if (excess > 0 && !fits(excess * excessReadCost, context)) throw dms.budget.exceeded;
}
