import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  getNamedType,
  isNonNullType,
  isObjectType,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import { RestError } from '../../rest/index.ts';
import type { OperationPlan, PlannedField, Selection } from '../../schema/plan/operation-plan.ts';
import { checkJsonBytes, checkJsonSize, maxBytesPerCharacter } from '../../schema/json-size.ts';
import { clientErrorExtensions, toClientError, type ClientError } from '../errors/client-error.ts';
import type { Operation } from './operation.ts';
import type { Log } from '../telemetry/log.ts';

/** A value, or a promise of it if it takes long. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `use` with a value, at once if it is not a promise. */
export function after<T, R>(value: MaybePromise<T>, use: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/**
 * Serializes a response. If it exceeds MAX_RESPONSE_BYTES or is nested too deeply, an error replaces it before it is
 * serialized: measuring it takes a fraction of the time of serializing and no memory. The response to a mutation
 * keeps the outcome of each field and item, if that fits.
 */
export function serializeResult(
  result: FormattedExecutionResult,
  operation: Operation,
  log: Log,
  maxBytes: number,
): MaybePromise<string> {
  return after(serialize(result, operation, log, maxBytes), (serialized) => {
    if (typeof serialized === 'string') return serialized;
    return (
      serializeOutcomes(result, serialized.errors, operation, maxBytes) ??
      JSON.stringify({ ...serialized, data: null })
    );
  });
}

/** The response to a mutation without the objects that were read after the writes. Null if it does not fit either. */
function serializeOutcomes(
  { data, errors = [] }: FormattedExecutionResult,
  added: readonly GraphQLFormattedError[],
  { plan }: Operation,
  maxBytes: number,
): string | null {
  if (plan?.operation.operation !== 'mutation' || data == null) return null;
  const outcomes = { errors: [...errors, ...added], data: withoutReads(data, plan) };
  return checkJsonBytes(outcomes, maxBytes) === 'fits' ? JSON.stringify(outcomes) : null;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * Reduces the data of a mutation to the outcomes of its writes: payloads, expected errors, and the null of failed
 * items. Objects with a global ID, which were read after the writes, become null. If their field is not nullable, they
 * keep their scalar fields, and everything below them becomes null or an empty list.
 */
function withoutReads(data: Data, { root }: OperationPlan): Data {
  return reduce(data, [root], false) as Data;
}

/**
 * @param selected what can be selected of the value: the type of an object is not known
 * @param isRead whether the value belongs to an object that was read after a write
 */
function reduce(value: unknown, selected: readonly Selection[], isRead: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => reduce(item, selected, isRead));
  const all = selected.flatMap(({ fields }) => fields);
  const byKey = Map.groupBy(all, ({ node }) => node.alias?.value ?? node.name.value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, reduceField(inner, byKey.get(key), isRead)]),
  );
}

/** @param fields those with the same key in the response. They have types of the same shape. */
function reduceField(
  value: unknown,
  fields: readonly PlannedField[] = [],
  isRead: boolean,
): unknown {
  const [field] = fields;
  if (typeof value !== 'object' || value === null || field?.definition == null) return value;
  const below = fields.flatMap((one) => one.below);
  if (!isRead && !fields.some(hasGlobalId)) return reduce(value, below, false);
  if (!isNonNullType(field.definition.type)) return null;
  if (Array.isArray(value)) return [];
  return reduce(value, below, true);
}

function hasGlobalId({ definition }: PlannedField): boolean {
  const type = definition && getNamedType(definition.type);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}

/** One serialized part of a streamed result. */
export interface SerializedPart {
  readonly text: string;
  /**
   * Whether the stream ends with this part. Parts that follow a replaced one would refer to data that the client does
   * not have.
   */
  readonly isLast: boolean;
}

/**
 * Serializes a part. The limit applies to all parts of a query together, as to a complete response. In a subscription
 * it applies to each event, because they are independent.
 */
export function serializePart(
  part: FormattedExecutionResult,
  operation: Operation,
  log: Log,
  { maxBytes, sentBytes }: { readonly maxBytes: number; readonly sentBytes: number },
): MaybePromise<SerializedPart> {
  return after(serialize(part, operation, log, maxBytes, sentBytes), (serialized) => {
    if (typeof serialized === 'string') return { text: serialized, isLast: false };
    return operation.operationType === 'subscription'
      ? { text: JSON.stringify({ ...serialized, data: null }), isLast: false }
      : { text: JSON.stringify({ ...serialized, hasNext: false }), isLast: true };
  });
}

interface ErrorResult {
  readonly errors: readonly GraphQLFormattedError[];
}

type Serialized = string | ErrorResult;

/** Longer values take more than about 5 ms. */
const maxShortLength = 1_000_000;

/** Serializes a value. Returns the error that replaces it if it exceeds a limit. */
function serialize(
  value: object,
  operation: Operation,
  log: Log,
  maxBytes: number,
  sentBytes = 0,
): MaybePromise<Serialized> {
  const surelyAllowed = (maxBytes - sentBytes) / maxBytesPerCharacter;
  if (checkJsonSize(value, Math.min(surelyAllowed, maxShortLength)) === 'fits') {
    return JSON.stringify(value);
  }
  const check = (): ErrorResult | null => excess(value, operation, log, maxBytes, sentBytes);
  return checkJsonSize(value, maxShortLength) === 'tooLong'
    ? serializeLong(value, operation, check)
    : (check() ?? JSON.stringify(value));
}

/** As `serialize`, in steps of which each has an iteration of the event loop of its own: check, serialize, send. */
async function serializeLong(
  value: object,
  { http: { signal } }: Operation,
  check: () => ErrorResult | null,
): Promise<Serialized> {
  await yieldToEventLoop();
  if (signal.aborted) return '';
  const error = check();
  if (error !== null) return error;
  await yieldToEventLoop();
  const text = JSON.stringify(value);
  await yieldToEventLoop();
  return text;
}

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in an iteration of the event loop in which it resolves for no other caller. Steps that take long call it, so
 * that the event loop turns between them, whatever number of requests has such steps at the same time.
 */
function yieldToEventLoop(): Promise<void> {
  last = last.then(() => nextIteration());
  return last;
}

/** The error that replaces a value that exceeds a limit. Null if it exceeds none. */
function excess(
  value: object,
  operation: Operation,
  log: Log,
  maxBytes: number,
  sentBytes: number,
): ErrorResult | null {
  const fit = checkJsonBytes(value, maxBytes - sentBytes);
  if (fit === 'fits') return null;
  if (fit === 'tooDeep') return errorResult(tooDeep(operation, log), operation);
  const message =
    operation.maxResultBytes === maxBytes
      ? `The result is too large: it can have ${maxBytes} bytes. Ask for fewer items.`
      : `The response is too large; MAX_RESPONSE_BYTES allows ${maxBytes} bytes. Request smaller pages or fewer fields.`;
  return errorResult({ code: 'BAD_USER_INPUT', message }, operation);
}

/** The error that replaces a response. A mutation remains executed even if its payload cannot be sent. */
function errorResult(
  { code, message }: Pick<ClientError, 'code' | 'message'>,
  operation: Operation,
): ErrorResult {
  const done =
    operation.operationType === 'mutation'
      ? ' The mutation was executed: do not send it again. `data` contains only its outcome, if that fits.'
      : '';
  operation.http.outcome = code;
  const extensions = clientErrorExtensions(code, operation.http.id, { retryable: false });
  return { errors: [{ message: message + done, extensions }] };
}

function tooDeep(operation: Operation, log: Log): ClientError {
  const cause = new RestError('UPSTREAM_ERROR', null, {
    expected: 'JSON of the DMS with fewer levels of nesting',
  });
  log.failure(operation.http, cause);
  return toClientError(cause, operation.http.id);
}
