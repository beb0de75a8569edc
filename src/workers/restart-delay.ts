const minMs = 100;
const maxMs = 30_000;
const stableMs = 10_000;

/**
 * Milliseconds until a worker that ended is replaced: they double while one after the other ends soon, so that what
 * cannot run does not keep the machine busy.
 *
 * @param lastMs the pause before this worker; 0 for the first of its slot
 */
export function restartDelayMs(lastMs: number, livedMs: number): number {
  if (livedMs >= stableMs) return minMs;
  return Math.min(maxMs, Math.max(minMs, lastMs * 2));
}
