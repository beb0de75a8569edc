import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

/**
 * Adds the upstream calls of an operation to its result if the request asks for them. `useResponse` adds them to the
 * parts of a stream.
 */
export function useUpstreamTrace(): Plugin<HttpExchange, HttpExchange> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (isAsyncIterable(result)) return;
      setResult(withUpstreamTrace(result as ExecutionResult, serverContext));
    },
  };
}

/** The result with `extensions.upstream` if the request asks for it and UPSTREAM_TRACE allows it. */
export function withUpstreamTrace(
  result: ExecutionResult,
  exchange: HttpExchange,
): ExecutionResult {
  const upstream = exchange.budget?.trace;
  if (upstream === undefined) return result;
  return { ...result, extensions: { ...result.extensions, upstream } };
}
