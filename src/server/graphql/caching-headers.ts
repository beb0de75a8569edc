import { hash } from 'node:crypto';
import type { FormattedExecutionResult } from 'graphql';
import { traceHeader } from '../http/request-checks.ts';
import type { OperationContext } from './operation-context.ts';

/** Headers of a response that its client can cache. */
interface CachingHeaders {
  readonly etag: string;
  readonly 'cache-control': string;
  readonly vary: string;
}

/**
 * Creates the function that returns the headers of a response that its client can cache: to a GET of a trusted document
 * that reads reference data only, without errors. Null for any other response.
 *
 * With the age of what the gateway had cached, the client keeps no value for longer than `CACHE_TTL_MS`. Mutations do
 * not reach the caches of clients.
 *
 * @param ttlMs 0: nothing is cached
 * @param runAsHeader in lower case
 */
export function createCachingHeaders(
  ttlMs: number,
  runAsHeader: string,
): (
  context: OperationContext,
  result: FormattedExecutionResult,
  text: string,
) => CachingHeaders | null {
  const names = ['accept', 'accept-language', 'authorization', runAsHeader, traceHeader];
  const vary = names.join(', ');
  return ({ http, isTrusted, plan, budget }, { data, errors, extensions }, text) => {
    if (http.req.method !== 'GET' || !isTrusted || ttlMs === 0) return null;
    if (http.outcome !== 'OK') return null; // `text` can be an error although the result has none
    const isWhole = data != null && errors === undefined && extensions === undefined;
    if (!isWhole || plan?.isReferenceData !== true || budget === null) return null;
    const maxAgeS = Math.floor(Math.max(0, ttlMs - budget.oldestReadMs) / 1000);
    return {
      etag: `"${hash('sha256', text, 'base64url')}"`,
      'cache-control': `private, max-age=${maxAgeS}`,
      vary,
    };
  };
}
