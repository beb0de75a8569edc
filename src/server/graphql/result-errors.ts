import type { ExecutionResult, GraphQLError } from 'graphql';
import {
  clientErrorExtensions,
  formatError,
  overloadError,
  type ClientErrorExtensions,
  type HttpExtensions,
} from '../errors/client-error.ts';
import type { Operation } from './operation.ts';
import type { Log } from '../telemetry/log.ts';

const maxLoggedCauses = 10;
const maxErrors = 100;

export function errorsForClient(
  errors: readonly GraphQLError[],
  hasData: boolean,
  operation: Operation,
  log: Log,
) {
  const causes = new Set<unknown>();
  const httpExtensions: HttpExtensions[] = [];
  const reported = errors.filter((error, i) => i < maxErrors || isOfWrite(error, operation));
  const shown = reported.map((one) => {
    const { error, http, cause } = formatError(
      one,
      operation.http.id,
      hasData,
      operation.isExecuted,
    );
    if (cause !== null) causes.add(cause);
    if (http !== null) httpExtensions.push(http);
    return { ...error, extensions: withRetryable(error.extensions, one, operation) };
  });
  const code = shown[0]?.extensions.code;
  if (code !== undefined && operation.http.outcome === 'OK') operation.http.outcome = code;
  if (!operation.http.isAbandoned) logCauses(causes, operation, log);
  if (errors.length > reported.length) shown.push(omittedErrors(errors, reported, operation));
  // Yoga would create graphql-js errors anew. These objects have the final form.
  return { errors: shown as unknown as readonly GraphQLError[], httpExtensions };
}

function isOfWrite({ path }: GraphQLError, operation: Operation): boolean {
  return operation.operationType === 'mutation' && (path?.length ?? 0) <= 3;
}

function omittedErrors(
  errors: readonly GraphQLError[],
  reported: readonly GraphQLError[],
  operation: Operation,
) {
  const omitted = errors.find((error) => !reported.includes(error));
  const { error } = formatError(omitted, operation.http.id, true, operation.isExecuted);
  const message = `${errors.length - reported.length} more errors are not shown.`;
  return { message, extensions: clientErrorExtensions(error.extensions.code, operation.http.id) };
}

/** Below the field of a mutation, only reading the result failed. A retry would execute the mutation again. */
function withRetryable(
  extensions: ClientErrorExtensions,
  { path }: GraphQLError,
  operation: Operation,
): ClientErrorExtensions {
  if (operation.operationType !== 'mutation' || (path?.length ?? 0) < 2) return extensions;
  return extensions.retryable === true ? { ...extensions, retryable: false } : extensions;
}

function logCauses(causes: ReadonlySet<unknown>, operation: Operation, log: Log): void {
  for (const cause of [...causes].slice(0, maxLoggedCauses)) log.failure(operation.http, cause);
  if (causes.size > maxLoggedCauses) {
    log.failuresOmitted(operation.http, causes.size - maxLoggedCauses);
  }
}

/**
 * Whether the request failed completely because no connection was available or RATE_LIMIT was reached. HTTP then
 * reports it too (503 or 429, Retry-After), for clients that retry without reading the body. A mutation counts only if
 * its only call was the write itself. RATE_LIMIT rejects a mutation only before its first call.
 */
export function isOverloaded(errors: readonly GraphQLError[], operation: Operation): boolean {
  return errors.every((error) => {
    const overload = overloadError(error);
    if (overload === null || operation.operationType !== 'mutation') return overload !== null;
    if (overload.code === 'RATE_LIMITED') return true;
    return !overload.request?.startsWith('GET ') && operation.prepared?.budget.calls === 1;
  });
}

/**
 * Whether every root field of the operation is null for lack of a connection or because of RATE_LIMIT. Only RATE_LIMIT
 * rejects all items of a bulk mutation before one of them is sent.
 */
export function isRejected({ data, errors }: ExecutionResult, operation: Operation): boolean {
  if (errors === undefined || data == null) return false;
  const isMutation = operation.operationType === 'mutation';
  const rejected = new Set<unknown>();
  for (const error of errors) {
    const overload = overloadError(error);
    if (overload === null || (isMutation && overload.code !== 'RATE_LIMITED')) return false;
    rejected.add(error.path?.[0]);
  }
  return Object.entries(data).every(
    ([name, value]) =>
      rejected.has(name) && (value === null || (isMutation && hasOnlyNullItems(value))),
  );
}

function hasOnlyNullItems(payload: unknown): boolean {
  return Object.values(payload as object).every(
    (value: unknown) =>
      typeof value === 'string' || // `__typename`
      (Array.isArray(value) && value.every((item) => item === null)),
  );
}
