import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { AsyncIterableIteratorOrValue, Plugin } from 'graphql-yoga';
import type { HttpExtensions } from '../../errors/client-error.ts';
import { acceptableFor, partsNotAccepted, type MediaType } from '../negotiation.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { errorsForClient, isOverloaded, isRejected } from '../result-errors.ts';
import { closeSource, openStream } from '../result-stream.ts';
import { serializeResult, serializePart, type SerializedPart } from '../serialize-result.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

export function useResponse(log: Log): Plugin<OperationContext, OperationContext> {
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
          const serialized = serializePart(shown, operation, log, sentBytes);
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
      const text = serializeResult(rest, operation, log);
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
  const upstream = operation.prepared?.budget.callRecords;
  if (upstream === undefined) return result;
  return { ...result, extensions: { ...result.extensions, upstream } };
}
