import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from '../operation-context.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

/**
 * Adds the upstream calls of an operation to its result if the request asks for them. `useResponse` adds them to the
 * parts of a stream.
 */
export function useUpstreamTrace(): Plugin<OperationContext, OperationContext> {
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
  context: OperationContext,
): ExecutionResult {
  const upstream = context.budget?.trace;
  if (upstream === undefined) return result;
  return { ...result, extensions: { ...result.extensions, upstream } };
}
