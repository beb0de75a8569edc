import { RestError } from '../rest/client/rest-error.ts';

/** Maximum delay between two polls of a DMS that fails, unless the interval itself is longer. */
const maxBackOffMs = 60_000;

/**
 * Returns the milliseconds until the next poll: the interval, doubled with each consecutive failure, at least the
 * Retry-After of the DMS, at most a minute or the interval. A jitter of ±10 % keeps watches that started together
 * from polling together.
 *
 * @param error error of the last poll; null if it succeeded
 * @param random 0 to 1
 */
export function pollDelayMs(
  intervalMs: number,
  failures: number,
  error: unknown,
  random: number,
): number {
  const retryAfterMs = error instanceof RestError ? (error.retryAfterMs ?? 0) : 0;
  const backOffMs = Math.max(intervalMs * 2 ** Math.min(failures, 20), retryAfterMs);
  return Math.min(backOffMs, Math.max(maxBackOffMs, intervalMs)) * (0.9 + 0.2 * random);
}
