import {
  defaultFieldResolver,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { badInput } from '../graphql-error.ts';
import { itemCostOf } from './operation-plan.ts';
import { fieldsOf, type FieldInfo } from './planner.ts';

/*
 * Limits the time and memory of a result. Executors complete a list synchronously, and the DMS or a service of a team
 * can return one of any length. Each list is therefore counted before its items are made: its length times what is
 * selected of an item.
 */

export const promiseCost = 3;

/** The cost of a read for which no upstream call is left, which fails unless the object is cached. */
const excessReadCost = 50;

export function limitFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isListType(getNullableType(field.type))) field.resolve = countedList(field.resolve);
    }
  }
  return schema;
}

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
 */
export function countedList<Args>(
  resolve: GraphQLFieldResolver<unknown, GatewayContext, Args> = defaultFieldResolver,
): GraphQLFieldResolver<unknown, GatewayContext, Args> {
  return (source, args, context, info) => {
    try {
      const list: unknown = resolve(source, args, context, info);
      return list instanceof Promise
        ? list.then((items) => countedItems(items, context, info))
        : countedItems(list, context, info);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  };
}

/** @throws BAD_USER_INPUT as `checkFields`. A list that fails costs nothing, so that others can be returned */
function countedItems(list: unknown, context: GatewayContext, info: GraphQLResolveInfo): unknown {
  const isLazy = list instanceof LazyList;
  if (!isLazy && !Array.isArray(list)) return list;
  context.incremental?.countParts(list.length, info);
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

function costPerItem(info: FieldInfo): number {
  return fieldsOf(info).reduce((sum, field) => sum + itemCostOf(field), 0);
}

export function countFields(context: GatewayContext, count: number): void {
  checkFields(context, count);
  context.listFields += count;
}

export function checkFields({ listFields, maxListFields }: GatewayContext, count: number): void {
  if (listFields + count <= maxListFields) return;
  throw badInput(
    `The lists of the response have too many fields; MAX_LIST_FIELDS allows ${maxListFields}. Request smaller pages or fewer fields.`,
  );
}

/**
 * Checks whether the list `name` below the current field can be returned with `count` items. A mutation checks this
 * before it writes, because it cannot be rejected afterwards.
 *
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
  const { readObjects, dms, listFields, maxListFields } = context;
  if (readObjects.has(object)) return;
  if (readObjects.size >= dms.budget.maxCalls) {
    if (listFields + excessReadCost > maxListFields) throw dms.budget.exceeded;
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
export function checkReads(objects: readonly string[], { readObjects, dms }: GatewayContext): void {
  dms.budget.checkCallsLeft(new Set(objects).difference(readObjects).size);
}
