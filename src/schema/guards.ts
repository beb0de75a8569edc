import { setImmediate as nextIteration } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  defaultFieldResolver,
  getNullableType,
  GraphQLError,
  isAbstractType,
  isListType,
  isObjectType,
  isScalarType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { createGraphQLError } from './graphql-error.ts';
import { isAsyncIterable, isIterableObject } from './libraries.ts';
import {
  checkFields,
  costPerItem,
  countedItems,
  countFields,
  isReported,
  lazyList,
  promiseCost,
} from './plan/list-fields.ts';

/*
 * Guards of functions and objects that are not the gateway's own. Whatever they return or throw, each executor has the
 * same result, and nothing waits longer than the operation.
 */

type Field = GraphQLField<unknown, GatewayContext>;
type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

/**
 * Guards the resolvers of a field of an extension.
 *
 * @param checkArgs throws if the arguments are invalid
 */
export function guardField(field: Field, checkArgs: (args: never) => void): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe !== undefined) {
    field.subscribe = guarded((source, args, context, info) =>
      ended(subscribe(source, args, context, info), context),
    );
  }
  field.resolve = guarded((source, args, context, info) => {
    checkArgs(args as never);
    const value: unknown = resolve(source, args, context, info);
    if (isPromise(value)) orDrop([value], () => countFields(context, promiseCost));
    return settled(value, info.returnType, context, info);
  });
}

/** Reads a property of an object that an extension can have made. */
export const readProperty: Resolve = guarded((source, args, context, info) =>
  settled(defaultFieldResolver(source, args, context, info), info.returnType, context, info),
);

/** Guards a field of the gateway that shows a property of its object, which an extension can have made. */
export function guardProperty(field: Field): void {
  field.resolve = readProperty;
}

/** Guards the functions of a type of an extension. */
export function guardType(type: GraphQLNamedType): void {
  if (isAbstractType(type) && type.resolveType) {
    const { resolveType } = type;
    type.resolveType = guarded((value, context: GatewayContext, info, abstractType) =>
      ended(resolveType(value, context, info, abstractType), context),
    );
  }
  if (isObjectType(type) && type.isTypeOf) {
    const { isTypeOf } = type;
    type.isTypeOf = guarded((value, context: GatewayContext, info) =>
      ended(isTypeOf(value, context, info), context),
    );
  }
  if (isScalarType(type)) {
    const { serialize, parseValue, parseLiteral } = type;
    type.parseValue = parsed(type.name, parseValue);
    type.parseLiteral = parsed(type.name, parseLiteral);
    const checked = guarded((value: unknown) => serializable(serialize(value)));
    type.serialize = (value) => {
      try {
        return checked(value);
      } catch (cause) {
        // Not even with a code: an error of `serialize` can quote values, and not every executor keeps it.
        throw new Error(`\`serialize\` of ${type.name} failed`, { cause });
      }
    };
  }
}

/** Returns a function that reads an input, and throws only errors that are the client's. Others can be about values. */
function parsed<Args extends unknown[], T>(
  name: string,
  parse: (...args: Args) => T,
): (...args: Args) => T {
  return (...args) => {
    try {
      return guarded(parse)(...args);
    } catch (error) {
      if (error instanceof GraphQLError) throw error;
      throw createGraphQLError(`The value is not a valid ${name}.`);
    }
  };
}

/** Returns a function that throws readable errors only. */
function guarded<Args extends unknown[], T>(use: (...args: Args) => T): (...args: Args) => T {
  return (...args) => {
    try {
      return use(...args);
    } catch (error) {
      throw errorOf(error);
    }
  };
}

/** The properties of an error that executors read, where nothing catches an exception. */
const errorProperties = [
  'message',
  'stack',
  'extensions',
  'originalError',
  'path',
  'nodes',
  'locations',
];

/** Returns what was thrown as one error that can be read. Some executors would report each part of an AggregateError. */
function errorOf(thrown: unknown): Error {
  try {
    if (!(thrown instanceof Error)) return new TypeError(`${inspect(thrown)} was thrown`);
    for (const name of errorProperties) void (thrown as unknown as Record<string, unknown>)[name];
    return thrown instanceof AggregateError ? new Error(thrown.message, { cause: thrown }) : thrown;
  } catch {
    return new TypeError('An error was thrown that cannot be read');
  }
}

/** @throws {TypeError} for a value that JSON does not have, and for a promise */
function serializable(value: unknown): unknown {
  const isValid =
    typeof value === 'number'
      ? Number.isFinite(value)
      : typeof value === 'string' ||
        typeof value === 'boolean' ||
        (typeof value === 'object' && value !== null && !isPromise(value));
  if (isValid) return value;
  if (isPromise(value)) Promise.resolve(value).catch(() => {}); // what follows is the error
  throw new TypeError(`${inspect(value)} is no value of JSON`);
}

function ended<T>(value: T | PromiseLike<T>, context: GatewayContext): T | Promise<T> {
  return isPromise(value) ? inTime(Promise.resolve(value), context) : value;
}

/**
 * A promise that ends with the operation, and rejects with readable errors only.
 *
 * @param isNullable whether its failure can be omitted (`isReported`)
 */
function inTime<T>(value: Promise<T>, context: GatewayContext, isNullable = false): Promise<T> {
  const result = untilEnd(value, context.dms.budget, lateField).catch((error: unknown) => {
    if (isNullable && !isReported(context)) return null as T;
    throw errorOf(error);
  });
  // Executors drop the other items of a list that fails, whose rejections would be unhandled.
  result.catch(() => {});
  return result;
}

/** The number of lists around each item of a type. */
export function listDepth(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listDepth(nullable.ofType) : 0;
}

/**
 * Returns the value of a field without what executors treat differently: thenables that are not promises, iterables
 * that are not arrays, and rejected items of lists. A promise ends with the operation, also as an item of a list. The
 * items of a list are counted before anything is made of them.
 */
function settled(
  value: unknown,
  type: GraphQLOutputType,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): unknown {
  const listType = getNullableType(type);
  const isNullable = listType === type;
  if (isPromise(value)) {
    return inTime(
      Promise.resolve(value).then((inner) => settled(inner, type, context, info)),
      context,
      isNullable,
    );
  }
  if (value instanceof Error) return errorOf(value);
  if (!isListType(listType)) return value;
  if (isAsyncIterable(value)) {
    return inTime(
      listOf(value, context).then((list) => settled(list, type, context, info)),
      context,
      isNullable,
    );
  }
  if (!isIterableObject(value)) return value;
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : Iterator.from(value)
        .take(context.maxListFields + 1)
        .toArray();
  return settledList(items, listType.ofType, context, info);
}

function settledList(
  items: readonly unknown[],
  itemType: GraphQLOutputType,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): unknown {
  const isNested = isListType(getNullableType(itemType));
  if (!isNested && items.every(isPlain)) return items;
  const promises = items.filter(isPromise);
  const fields = items.length * (isNested ? 1 : costPerItem(info)) + promises.length * promiseCost;
  const settledItem = (item: unknown): unknown => {
    const one = settled(item, itemType, context, info);
    const made = isNested ? countedRow(one, context, info) : one;
    return made instanceof Promise ? made.catch((error: unknown) => error) : made;
  };
  orDrop(promises, () => checkFields(context, fields));
  return lazyList(items.length, () => orDrop(promises, () => items.map(settledItem)), fields);
}

/** A list in a list. */
function countedRow(row: unknown, context: GatewayContext, info: GraphQLResolveInfo): unknown {
  return row instanceof Promise
    ? row.then((inner) => countedItems(inner, context, info))
    : countedItems(row, context, info);
}

/** Returns what `make` returns. If it throws, rejections of the given promises, which are dropped, are not unhandled. */
function orDrop<T>(promises: readonly PromiseLike<unknown>[], make: () => T): T {
  try {
    return make();
  } catch (error) {
    for (const promise of promises) promise.then(undefined, () => {});
    throw error;
  }
}

/** Whether executors treat a value alike: most of what a document contains. */
function isPlain(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/** Whether a value is a promise, also one of another library. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}

const lateField = 'The field was not resolved in time; REQUEST_TIMEOUT_MS limits the operation.';

/** Reads a list, but no more than can be returned: it may have no end. */
async function listOf(
  values: AsyncIterable<unknown>,
  { dms: { budget }, maxListFields }: GatewayContext,
): Promise<readonly unknown[]> {
  const iterator = values[Symbol.asyncIterator]();
  const list: unknown[] = [];
  try {
    while (list.length <= maxListFields) {
      // A generator that never waits must not hold the event loop.
      if (list.length % 1000 === 999) await nextIteration();
      const next = await untilEnd(iterator.next(), budget, lateField);
      if (next.done === true) break;
      list.push(next.value);
    }
    return list;
  } finally {
    // Not awaited: a generator returns when its pending `next` has ended, which can be never.
    Promise.resolve()
      .then(() => iterator.return?.())
      .catch(() => {});
  }
}

/**
 * Returns what a promise of a team resolves to. A service of a team that never answers must not keep the request open.
 *
 * @throws `UPSTREAM_TIMEOUT` with the message when the budget ends
 * @internal
 */
export function untilEnd<T>(
  value: PromiseLike<T>,
  budget: GatewayContext['dms']['budget'],
  message: string,
): Promise<T> {
  // A list can have thousands of promises. `Promise.race` takes nearly twice as long.
  return new Promise((resolve, reject) => {
    const onEnd = (): void =>
      reject(createGraphQLError(message, { extensions: { code: 'UPSTREAM_TIMEOUT' } }));
    if (budget.endReason(null) === null) budget.addEndListener(onEnd);
    else onEnd();
    const release = (): void => budget.removeEndListener(onEnd);
    const given = Promise.resolve(value);
    given.then(resolve, reject);
    given.then(release, release);
  });
}
