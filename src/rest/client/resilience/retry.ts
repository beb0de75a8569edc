import { RestError } from '../rest-error.ts';
import { TransportError } from '../send-request.ts';
import { isUnavailable } from '../response-status.ts';

const minBackOffMs = 100;
const maxBackOffMs = 2000;

/**
 * How long to wait before a read is repeated; null where it must not be.
 *
 * Repeated are reads whose connection broke and those that were answered 429, 502, 503 or 504; not those that ran
 * out of time, and not those that the breaker or the full queue kept back. The wait is what the DMS asks for
 * in Retry-After, and on top of it exponential with full jitter: clients that got the same value do not return at the
 * same moment. It never reaches past the deadline.
 *
 * @param attempt how many were made, from 1
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  { retries, deadlineAt }: { readonly retries: number; readonly deadlineAt: number },
): number | null {
  if (attempt > retries || !(error instanceof RestError)) return null;
  if (error.code !== 'UPSTREAM_UNAVAILABLE') return null;
  const isUnavailableStatus = error.status !== null && isUnavailable(error.status);
  if (!isUnavailableStatus && !(error.cause instanceof TransportError)) return null;
  const maxJitterMs = Math.min(maxBackOffMs, minBackOffMs * 2 ** (attempt - 1));
  const waitMs = (error.retryAfterMs ?? 0) + Math.random() * maxJitterMs;
  return performance.now() + waitMs < deadlineAt ? waitMs : null;
}
