const minMs = 100;
const maxMs = 30_000;
const stableMs = 10_000;

/**
 * Delay before a worker that ended is replaced, in milliseconds: 100 ms after a stable run (10 s or more), otherwise
 * doubled with each restart up to 30 s, so that a worker that cannot run does not keep the machine busy.
 *
 * @param lastMs the previous delay; 0 for the first worker of a slot
 * @param livedMs how long the worker ran
 */
export function restartDelayMs(lastMs: number, livedMs: number): number {
  if (livedMs >= stableMs) return minMs;
  return Math.min(maxMs, Math.max(minMs, lastMs * 2));
}
