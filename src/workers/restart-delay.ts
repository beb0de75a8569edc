const shortestMs = 100;
const longestMs = 30_000;
const steadyMs = 10_000;

/**
 * Milliseconds until a worker that ended is replaced: they double while one after the other ends soon, so that what
 * cannot run does not keep the machine busy.
 *
 * @param lastMs the pause before this worker; 0 for the first in its place
 */
export function nextPauseMs(lastMs: number, livedMs: number): number {
  if (livedMs >= steadyMs) return shortestMs;
  return Math.min(longestMs, Math.max(shortestMs, lastMs * 2));
}
