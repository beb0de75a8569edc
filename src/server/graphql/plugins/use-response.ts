import type { ExecutionResult, FormattedExecutionResult, GraphQLError } from 'graphql';
import type { AsyncIterableIteratorOrValue, Plugin } from 'graphql-yoga';
import {
  clientErrorExtensions,
  formatError,
  overloadError,
  type ClientErrorExtensions,
  type HttpExtensions,
} from '../../errors/client-error.ts';
import { acceptableFor, partsNotAccepted, type MediaType } from '../negotiation.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Settings } from '../../../config/read-config.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { closeSource, openStream } from '../result-stream.ts';
import { serializeResult, serializePart, type SerializedPart } from '../serialize-result.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

export function useResponse(
  log: Log,
  { maxResponseBytes }: Pick<Settings, 'maxResponseBytes'>,
): Plugin<OperationContext, OperationContext> {
  return {
    onResultProcess({
      result,
      setResult,
      resultProcessor,
      setResultProcessor,
      serverContext: context,
    }) {
      const { operation } = context;
      const { whole, parts } = acceptableFor(operation.http.req.headers.accept);
      const isSubscription = operation.operationType === 'subscription';
      if (parts.length > 0 && isAsyncIterable(result)) {
        let sentBytes = 0;
        const toClient = (part: ExecutionResult): SerializedPart => {
          const shown = partForClient(part, operation, log);
          const serialized = serializePart(shown, operation, log, maxResponseBytes, sentBytes);
          if (!isSubscription) {
            sentBytes += Buffer.byteLength(serialized.text);
            operation.http.observed?.partSent();
          }
          if (!serialized.isLast) context.incremental?.partSent(part.data);
          return serialized;
        };
        setResult(openStream(operation, result as AsyncIterable<ExecutionResult>, toClient));
        return;
      }
      // If the client accepts no type of this response, it receives an error as JSON.
      const inParts = parts.length > 0 && resultProcessor !== undefined;
      const mediaType = whole ?? (inParts ? null : 'application/json');
      const all = wholeResult(result as ExecutionResult);
      const shown = resultForClient(all, operation, log, mediaType);
      const { result: rest, ...init } = jsonAnswer(shown, mediaType);
      const text = serializeResult(rest, operation, log, maxResponseBytes);
      setResult({ ...shown, stringify: () => text } as ExecutionResult);
      // Without a media type the response is a stream with a single part.
      if (mediaType === null) return;
      setResultProcessor((_, { Response }) => new Response(text, init), mediaType);
    },
  };
}

export function wholeResult(
  result: AsyncIterableIteratorOrValue<ExecutionResult> | undefined,
): ExecutionResult {
  if (result !== undefined && !isAsyncIterable(result)) return result;
  if (result !== undefined) closeSource(result[Symbol.asyncIterator]());
  return { errors: [partsNotAccepted() as never] };
}

interface WithHttpExtension {
  readonly http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

export function jsonAnswer(given: ExecutionResult, mediaType: MediaType | null) {
  const { http, ...extensions }: WithHttpExtension = given.extensions ?? {};
  let result = given as FormattedExecutionResult;
  if (http !== undefined) {
    const { extensions: _, ...rest } = result;
    result = Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  }
  const headers = { 'content-type': `${mediaType}; charset=utf-8`, ...http?.headers };
  return { status: http?.status ?? 200, headers, result };
}

export function resultForClient(
  given: ExecutionResult,
  operation: Operation,
  log: Log,
  mediaType: MediaType | null,
): ExecutionResult {
  const result = withUpstreamTrace(given, operation);
  const { extensions } = result;
  const isEmpty = result.errors?.length === 0 && result.data === undefined;
  const errors = isEmpty ? [new Error(dropped) as never] : result.errors;
  if (errors === undefined) return result;
  // Without data, HTTP can report the error: 200 would count as success.
  const isRefused = result.data === null && !operation.isExecuted; // by a plugin, in place of the execution
  const data = isRefused || isRejected(result, operation) ? undefined : result.data;
  const hasData = data !== undefined && !(data === null && isOverloaded(errors, operation));
  const shown = errorsForClient(errors, hasData, operation, log);
  const http = httpExtensionOf(shown.httpExtensions, mediaType);
  return {
    errors: shown.errors,
    ...(data !== undefined && { data }),
    extensions: { ...extensions, http },
  };
}

const dropped = 'A plugin was aborted or reached a time limit';

interface Part extends ExecutionResult {
  readonly incremental?: readonly ExecutionResult[];
  readonly hasNext?: boolean;
}

function partForClient(given: Part, operation: Operation, log: Log): FormattedExecutionResult {
  const isQuery = operation.operationType !== 'subscription';
  const part: Part =
    isQuery && given.hasNext !== false ? given : withUpstreamTrace(given, operation);
  const masked = (one: ExecutionResult): ExecutionResult =>
    one.errors === undefined
      ? one
      : { ...one, errors: errorsForClient(one.errors, true, operation, log).errors };
  const shown = masked(part) as FormattedExecutionResult;
  if (part.incremental === undefined) return shown;
  return { ...shown, incremental: part.incremental.map(masked) } as FormattedExecutionResult;
}

function httpExtensionOf(httpExtensions: readonly HttpExtensions[], mediaType: MediaType | null) {
  let status = 200;
  let headers = {};
  for (const extension of httpExtensions) {
    if (extension.spec && mediaType !== 'application/graphql-response+json') continue;
    status = Math.max(status, extension.status);
    headers = { ...headers, ...extension.headers };
  }
  return { status, headers };
}

function withUpstreamTrace(result: ExecutionResult, operation: Operation): ExecutionResult {
  const upstream = operation.budget.callRecords;
  if (upstream === undefined) return result;
  return { ...result, extensions: { ...result.extensions, upstream } };
}

const maxLoggedCauses = 10;
const maxErrors = 100;

function errorsForClient(
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
function isOverloaded(errors: readonly GraphQLError[], operation: Operation): boolean {
  return errors.every((error) => {
    const overload = overloadError(error);
    if (overload === null || operation.operationType !== 'mutation') return overload !== null;
    if (overload.code === 'RATE_LIMITED') return true;
    return !overload.request?.startsWith('GET ') && operation.budget.calls === 1;
  });
}

/**
 * Whether every root field of the operation is null for lack of a connection or because of RATE_LIMIT. Only RATE_LIMIT
 * rejects all items of a bulk mutation before one of them is sent.
 */
function isRejected({ data, errors }: ExecutionResult, operation: Operation): boolean {
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
