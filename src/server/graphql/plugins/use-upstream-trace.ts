import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

/** Shows the upstream calls of an operation, if they were asked for. The parts of a streamed result do not show them. */
export function useUpstreamTrace(): Plugin<HttpExchange, HttpExchange> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (isAsyncIterable(result)) return;
      setResult(withUpstreamTrace(result as ExecutionResult, serverContext));
    },
  };
}

/** The result with `extensions.upstream`, if the request asked for it and the settings allow it. */
export function withUpstreamTrace(
  result: ExecutionResult,
  exchange: HttpExchange,
): ExecutionResult {
  const upstream = exchange.budget?.trace;
  if (upstream === undefined) return result;
  return { ...result, extensions: { ...result.extensions, upstream } };
}
