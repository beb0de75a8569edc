import type { ExecutionResult, FormattedExecutionResult, GraphQLError } from 'graphql';
import type { AsyncIterableIteratorOrValue, FetchAPI, Plugin } from 'graphql-yoga';
import { acceptableFor, type MediaType } from '../../http/accept-header.ts';
import { serializeResult, serializePart, type SerializedPart } from '../serialize-result.ts';
import {
  clientErrorExtensions,
  formatError,
  overloadError,
  type ClientErrorExtensions,
  type HttpExtensions,
} from '../../errors/client-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { Log } from '../../telemetry/log.ts';
import { IncrementalOperation } from '../../../schema/incremental/execution.ts';
import { partsNotAccepted } from '../../errors/http-error.ts';
import { closeSource, type ResultStreams } from '../result-streams.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

const maxLoggedCauses = 10;
/** Maximum number of errors in a response. */
const maxErrors = 100;

/**
 * Converts results into responses: errors are replaced by those for clients, causes are logged once, and the upstream
 * calls are added if requested. Parts of a streamed result are treated in the same way.
 *
 * It is the last plugin, so it sees the errors and results of all others.
 */
export function useResponse(
  log: Log,
  streams: ResultStreams,
  maxResponseBytes: number,
): Plugin<HttpExchange, HttpExchange> {
  return {
    onResultProcess({
      result,
      setResult,
      resultProcessor,
      setResultProcessor,
      serverContext: exchange,
    }) {
      const { whole, parts } = acceptableFor(exchange.req.headers.accept);
      if (parts && isAsyncIterable(result)) {
        const isSubscription = exchange.operationType === 'subscription';
        let sentBytes = 0;
        const toClient = (part: ExecutionResult): SerializedPart => {
          const shown = partForClient(part, exchange, log);
          const limits = { maxBytes: maxResponseBytes, sentBytes };
          const serialized = serializePart(shown, exchange, log, limits);
          if (!isSubscription) {
            sentBytes += Buffer.byteLength(serialized.text);
            exchange.trace?.partSent();
          }
          if (!serialized.isLast && exchange.incremental instanceof IncrementalOperation) {
            exchange.incremental.start(part.data);
          }
          return serialized;
        };
        setResult(streams.open(exchange, result as AsyncIterable<ExecutionResult>, toClient));
        return;
      }
      // If the client accepts no type of this response, it receives an error as JSON.
      const inParts = parts && resultProcessor !== undefined;
      const mediaType = whole ?? (inParts ? null : 'application/json');
      const write = (answer: FormattedExecutionResult): string =>
        serializeResult(answer, exchange, log, maxResponseBytes);
      const all = wholeResult(result as ExecutionResult);
      const shown = resultForClient(all, exchange, log, mediaType);
      if (mediaType === null) {
        setResult({ ...shown, stringify: write } as ExecutionResult); // a stream with a single part
        return;
      }
      setResult(shown);
      setResultProcessor(
        (whole, fetchAPI) => jsonResponse(whole as ExecutionResult, fetchAPI, mediaType, write),
        mediaType,
      );
    },
  };
}

/**
 * Returns the result for a client that accepts no incremental response. An incremental result is cancelled and replaced
 * by an error (406).
 */
export function wholeResult(
  result: AsyncIterableIteratorOrValue<ExecutionResult> | undefined,
): ExecutionResult {
  if (result !== undefined && !isAsyncIterable(result)) return result;
  if (result !== undefined) closeSource(result[Symbol.asyncIterator]());
  return { errors: [partsNotAccepted() as never] };
}

/**
 * Reports that the DMS accepts the caller, if that follows from a result without errors: an upstream call was answered. A
 * subscription has a result only after a poll, which has another budget.
 */
function reportAccepted(exchange: HttpExchange): void {
  const { onAccepted, budget, operationType } = exchange;
  if (onAccepted === null) return;
  if ((budget?.calls ?? 0) === 0 && operationType !== 'subscription') return;
  exchange.onAccepted = null;
  onAccepted();
}

/** Status and headers of the response, where Yoga's result processors expect them. */
interface WithHttpExtension {
  readonly http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** Builds the HTTP response of a complete result. */
export function jsonResponse(
  result: ExecutionResult,
  { Response }: Pick<FetchAPI, 'Response'>,
  mediaType: MediaType,
  write: (answer: FormattedExecutionResult) => string,
) {
  const { http, ...extensions }: WithHttpExtension = result.extensions ?? {};
  let answer = result as FormattedExecutionResult;
  if (http !== undefined) {
    const { extensions: _, ...rest } = answer;
    answer = Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  }
  return new Response(write(answer), {
    status: http?.status ?? 200,
    headers: { 'content-type': `${mediaType}; charset=utf-8`, ...http?.headers },
  });
}

/**
 * Returns the result with the errors for clients. The HTTP status is in `extensions.http`, where Yoga's result
 * processors expect it.
 */
export function resultForClient(
  result: ExecutionResult,
  exchange: HttpExchange,
  log: Log,
  mediaType: MediaType | null,
): ExecutionResult {
  const { errors, extensions } = result;
  if (errors === undefined) {
    reportAccepted(exchange);
    return result;
  }
  // Without data, HTTP can report the error: 200 would count as success.
  const data = isRateLimited(result, exchange) ? undefined : result.data;
  const hasData = data !== undefined && !(data === null && isOverloaded(errors, exchange));
  const shown = errorsForClient(errors, hasData, exchange, log);
  const http = httpOf(shown.httpExtensions, mediaType);
  return {
    errors: shown.errors,
    ...(data !== undefined && { data }),
    extensions: { ...extensions, http },
  };
}

/**
 * Whether the request failed completely because no connection was available or RATE_LIMIT was reached. HTTP then reports
 * it too (503 or 429, Retry-After), for clients that retry without reading the body. A mutation counts only if its only
 * call was the write itself. RATE_LIMIT rejects a mutation only before its first call.
 */
function isOverloaded(errors: readonly GraphQLError[], exchange: HttpExchange): boolean {
  return errors.every((error) => {
    const overload = overloadError(error);
    if (overload === null || exchange.operationType !== 'mutation') return overload !== null;
    if (overload.code === 'RATE_LIMITED') return true;
    return !overload.request.startsWith('GET ') && exchange.budget?.calls === 1;
  });
}

/** Whether RATE_LIMIT rejected every root field of the operation, or every item of its bulk mutations. */
function isRateLimited({ data, errors }: ExecutionResult, exchange: HttpExchange): boolean {
  if (errors === undefined || data == null) return false;
  const rejected = new Set<unknown>();
  for (const error of errors) {
    if (overloadError(error)?.code !== 'RATE_LIMITED') return false;
    rejected.add(error.path?.[0]);
  }
  const isMutation = exchange.operationType === 'mutation';
  return Object.entries(data).every(
    ([name, value]) =>
      rejected.has(name) && (value === null || (isMutation && hasOnlyNullItems(value))),
  );
}

/** Whether a value is the payload of a bulk mutation without any result. */
function hasOnlyNullItems(payload: unknown): boolean {
  return Object.values(payload as object).every(
    (value: unknown) =>
      typeof value === 'string' || // `__typename`
      (Array.isArray(value) && value.every((item) => item === null)),
  );
}

interface Part extends ExecutionResult {
  readonly incremental?: readonly ExecutionResult[];
  readonly hasNext?: boolean;
}

/**
 * A part of a stream: its status is out already. The last part of a query, and each event of a subscription, shows its
 * upstream calls if they were asked for.
 */
function partForClient(given: Part, exchange: HttpExchange, log: Log): FormattedExecutionResult {
  const upstream = exchange.budget?.trace;
  const isQuery = exchange.operationType !== 'subscription';
  const part =
    upstream === undefined || (isQuery && given.hasNext !== false)
      ? given
      : { ...given, extensions: { ...given.extensions, upstream } };
  const masked = (one: ExecutionResult): ExecutionResult =>
    one.errors === undefined
      ? one
      : { ...one, errors: errorsForClient(one.errors, true, exchange, log).errors };
  const shown = masked(part) as FormattedExecutionResult;
  if (part.errors === undefined && part.incremental?.every(({ errors }) => !errors) !== false) {
    reportAccepted(exchange);
  }
  if (part.incremental === undefined) return shown;
  return { ...shown, incremental: part.incremental.map(masked) } as FormattedExecutionResult;
}

/** The highest status of the errors, with their headers. */
function httpOf(httpExtensions: readonly HttpExtensions[], mediaType: MediaType | null) {
  let status = 200;
  let headers = {};
  for (const extension of httpExtensions) {
    if (extension.spec && mediaType !== 'application/graphql-response+json') continue;
    status = Math.max(status, extension.status);
    headers = { ...headers, ...extension.headers };
  }
  return { status, headers };
}

function errorsForClient(
  errors: readonly GraphQLError[],
  hasData: boolean,
  exchange: HttpExchange,
  log: Log,
): {
  readonly errors: readonly GraphQLError[];
  readonly httpExtensions: readonly HttpExtensions[];
} {
  const causes = new Set<unknown>();
  const httpExtensions: HttpExtensions[] = [];
  const kept = errors.filter((error, i) => i < maxErrors || isOfWrite(error, exchange));
  const shown = kept.map((one) => {
    const { error, http, cause } = formatError(one, exchange.id, hasData);
    if (cause !== null) causes.add(cause);
    if (http !== null) httpExtensions.push(http);
    return { ...error, extensions: withRetryable(error.extensions, one, exchange) };
  });
  const code = shown[0]?.extensions.code;
  if (code !== undefined && exchange.outcome === 'OK') exchange.outcome = code;
  if (!exchange.isAbandoned) logCauses(causes, exchange, log);
  if (errors.length > kept.length) shown.push(omittedErrors(errors, kept, exchange));
  // Yoga would create graphql-js errors anew. These objects have the final form.
  return { errors: shown as unknown as readonly GraphQLError[], httpExtensions };
}

/** Whether the error is the only report on the outcome of a write, such as an item of a bulk mutation. */
function isOfWrite({ path }: GraphQLError, exchange: HttpExchange): boolean {
  return exchange.operationType === 'mutation' && (path?.length ?? 0) <= 3;
}

/** An error with the number of omitted errors and the code of the first of them. */
function omittedErrors(
  errors: readonly GraphQLError[],
  kept: readonly GraphQLError[],
  exchange: HttpExchange,
) {
  const omitted = errors.find((error) => !kept.includes(error));
  const { error } = formatError(omitted, exchange.id, true);
  const message = `${errors.length - kept.length} more errors are not shown.`;
  return { message, extensions: clientErrorExtensions(error.extensions.code, exchange.id) };
}

/** Below the field of a mutation, only reading the result failed. A retry would execute the mutation again. */
function withRetryable(
  extensions: ClientErrorExtensions,
  { path }: GraphQLError,
  exchange: HttpExchange,
): ClientErrorExtensions {
  if (exchange.operationType !== 'mutation' || (path?.length ?? 0) < 2) return extensions;
  return extensions.retryable === true ? { ...extensions, retryable: false } : extensions;
}

/**
 * Logs each cause once, up to a maximum: one failed call can cause many errors, and one operation can fail at many
 * fields.
 */
function logCauses(causes: ReadonlySet<unknown>, exchange: HttpExchange, log: Log): void {
  for (const cause of [...causes].slice(0, maxLoggedCauses)) log.failure(exchange, cause);
  if (causes.size > maxLoggedCauses) {
    log.failuresOmitted(exchange, causes.size - maxLoggedCauses);
  }
}
