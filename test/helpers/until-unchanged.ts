import { setImmediate as turn } from 'node:timers/promises';

const STILL_TURNS = 200;

/**
 * Resolves with the count when it has not changed for 200 iterations of the event loop. This shows back-pressure
 * without guessing a time.
 */
export async function untilUnchanged(count: () => number): Promise<number> {
  let last = count();
  for (let still = 0; still < STILL_TURNS; still += 1) {
    await turn();
    const now = count();
    if (now !== last) still = 0;
    last = now;
  }
  return last;
}
