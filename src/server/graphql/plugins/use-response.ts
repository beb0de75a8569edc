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
import { partsNotAccepted } from '../../errors/http-error.ts';
import { closeSource, type ResultStreams } from '../result-streams.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

const maxLoggedCauses = 10;
/** Further errors help no client, and each costs time and a part of the response. */
const maxErrors = 100;

/**
 * Turns results into answers: every error becomes what a client may see, its cause goes to the log once, and the
 * upstream calls are shown if they were asked for. The parts of a streamed result are treated like a whole one.
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
        const toClient = (part: ExecutionResult): SerializedPart =>
          serializePart(partForClient(part, exchange, log), exchange, log, maxResponseBytes);
        setResult(streams.open(exchange, result as AsyncIterable<ExecutionResult>, toClient));
        return;
      }
      // A client to which nothing that it accepts can be sent gets an error in JSON.
      const inParts = parts && resultProcessor !== undefined;
      const mediaType = whole ?? (inParts ? null : 'application/json');
      const write = (answer: FormattedExecutionResult): string =>
        serializeResult(answer, exchange, log, maxResponseBytes);
      const all = wholeResult(result as ExecutionResult);
      const shown = resultForClient(all, exchange, log, mediaType);
      if (mediaType === null) {
        setResult({ ...shown, stringify: write } as ExecutionResult); // the only part of a stream
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

/** The result for a client that accepts no parts: one that comes in parts is ended and replaced by an error (406). */
export function wholeResult(
  result: AsyncIterableIteratorOrValue<ExecutionResult> | undefined,
): ExecutionResult {
  if (result !== undefined && !isAsyncIterable(result)) return result;
  if (result !== undefined) closeSource(result[Symbol.asyncIterator]());
  return { errors: [partsNotAccepted() as never] };
}

/** Status and headers of the answer, at the place where Yoga's processors look for them. */
interface WithHttpExtension {
  readonly http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** A whole result as it is sent. */
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

/** A result with the errors that a client may see; Yoga's processors find its status in `extensions.http`. */
export function resultForClient(
  result: ExecutionResult,
  exchange: HttpExchange,
  log: Log,
  mediaType: MediaType | null,
): ExecutionResult {
  const { errors, extensions } = result;
  // Data in which every field was refused is no data: HTTP would have to call it a success.
  const data = isRateLimited(result) ? undefined : result.data;
  const upstream = exchange.budget?.trace;
  if (errors === undefined && upstream === undefined) return result;
  const hasData = data !== undefined && !(data === null && isOverloaded(errors, exchange));
  const shown = errors && errorsForClient(errors, hasData, exchange, log);
  const http = shown && httpOf(shown.httpExtensions, mediaType);
  return {
    ...(shown && { errors: shown.errors }),
    ...(data !== undefined && { data }),
    ...((extensions || upstream || http) && {
      extensions: { ...extensions, ...(upstream && { upstream }), ...(http && { http }) },
    }),
  };
}

/**
 * Whether nothing came of the request because no connection was free or the rate limit refused it: then HTTP says so too
 * (503 or 429, Retry-After), for whoever sends it again without reading the answer. So a mutation counts only if its one
 * call was the write itself; the rate limit refuses none after its first call.
 */
function isOverloaded(errors: readonly GraphQLError[] = [], exchange: HttpExchange): boolean {
  return errors.every((error) => {
    const overload = overloadError(error);
    if (overload === null || exchange.operationType !== 'mutation') return overload !== null;
    if (overload.code === 'RATE_LIMITED') return true;
    return !overload.request.startsWith('GET ') && exchange.budget?.calls === 1;
  });
}

/** Whether the rate limit refused every field of the operation. */
function isRateLimited({ data, errors }: ExecutionResult): boolean {
  if (errors === undefined || data == null) return false;
  const refused = new Set<unknown>();
  for (const error of errors) {
    if (overloadError(error)?.code !== 'RATE_LIMITED') return false;
    refused.add(error.path?.[0]);
  }
  return Object.entries(data).every(([name, value]) => value === null && refused.has(name));
}

type Part = ExecutionResult & { readonly incremental?: readonly ExecutionResult[] };

/** A part of a stream: its status is out already. */
function partForClient(part: Part, exchange: HttpExchange, log: Log): FormattedExecutionResult {
  const masked = (one: ExecutionResult): ExecutionResult =>
    one.errors === undefined
      ? one
      : { ...one, errors: errorsForClient(one.errors, true, exchange, log).errors };
  const shown = masked(part) as FormattedExecutionResult;
  if (part.incremental === undefined) return shown;
  return { ...shown, incremental: part.incremental.map(masked) } as FormattedExecutionResult;
}

/** The highest status that the errors ask for. */
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
  // Yoga would make errors of graphql-js anew; these are in the form in which they go out.
  return { errors: shown as unknown as readonly GraphQLError[], httpExtensions };
}

/** Whether the error is the only report on the outcome of a write, such as an item of a bulk mutation. */
function isOfWrite({ path }: GraphQLError, exchange: HttpExchange): boolean {
  return exchange.operationType === 'mutation' && (path?.length ?? 0) <= 3;
}

/** Counts the errors that a response leaves out; its code is that of the first of them. */
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

/** Below a field of a mutation, only the reading of the answer failed: to send it again would do it again. */
function withRetryable(
  extensions: ClientErrorExtensions,
  { path }: GraphQLError,
  exchange: HttpExchange,
): ClientErrorExtensions {
  if (exchange.operationType !== 'mutation' || (path?.length ?? 0) < 2) return extensions;
  return extensions.retryable === true ? { ...extensions, retryable: false } : extensions;
}

/** One failed call can cause many null fields with errors, and one operation can fail in many places. */
function logCauses(causes: ReadonlySet<unknown>, exchange: HttpExchange, log: Log): void {
  for (const cause of [...causes].slice(0, maxLoggedCauses)) log.failure(exchange, cause);
  if (causes.size > maxLoggedCauses) {
    log.failuresOmitted(exchange, causes.size - maxLoggedCauses);
  }
}
