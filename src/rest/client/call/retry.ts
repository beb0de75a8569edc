import { RestError, isUnavailable } from '../rest-error.ts';
import { TransportError } from '../transport/dispatch-handler.ts';

const minBackOffMs = 100;
const maxBackOffMs = 2000;

/**
 * The delay before a read is retried, in milliseconds. Null if it must not be retried. The delay is the `Retry-After`
 * of the DMS plus an exponential back-off with full jitter, so that clients with the same `Retry-After` do not return
 * at the same moment.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  { retries, deadlineAt }: { readonly retries: number; deadlineAt(): number },
): number | null {
  if (attempt > retries || !(error instanceof RestError)) return null;
  if (error.code !== 'UPSTREAM_UNAVAILABLE') return null;
  const isUnavailableStatus = error.status !== null && isUnavailable(error.status);
  // Without it, the DMS does not say when it accepts another call.
  if (error.status === 429 && error.retryAfterMs === null) return null;
  if (!isUnavailableStatus && !(error.cause instanceof TransportError)) return null;
  const maxJitterMs = Math.min(maxBackOffMs, minBackOffMs * 2 ** (attempt - 1));
  const waitMs = (error.retryAfterMs ?? 0) + Math.random() * maxJitterMs;
  return performance.now() + waitMs < deadlineAt() ? waitMs : null;
}
