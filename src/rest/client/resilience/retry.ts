import { RestError } from '../rest-error.ts';
import { Fault } from '../send-request.ts';
import { isAway } from '../response-status.ts';

const firstBackOffMs = 100;
const longestBackOffMs = 2000;

/**
 * How long to wait before a read is repeated; null where it must not be.
 *
 * Repeated are reads whose connection broke and those that were answered 429, 502, 503 or 504; not those that ran
 * out of time, and not those that the breaker or the full queue kept back. The wait is what the DMS asks for
 * in Retry-After, and on top of it exponential with full jitter: those who were told the same do not come back at the
 * same moment. It never reaches past the deadline.
 *
 * @param attempt how many were made, from 1
 */
export function waitBeforeRepeat(
  error: unknown,
  attempt: number,
  { retries, deadlineAt }: { readonly retries: number; readonly deadlineAt: number },
): number | null {
  if (attempt > retries || !(error instanceof RestError)) return null;
  if (error.code !== 'UPSTREAM_UNAVAILABLE') return null;
  const isAnsweredAway = error.status !== null && isAway(error.status);
  if (!isAnsweredAway && !(error.cause instanceof Fault)) return null;
  const ceiling = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (attempt - 1));
  const waitMs = (error.retryAfterMs ?? 0) + Math.random() * ceiling;
  return performance.now() + waitMs < deadlineAt ? waitMs : null;
}
