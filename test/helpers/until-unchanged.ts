import { setImmediate as turn } from 'node:timers/promises';

const STILL_TURNS = 200;

/**
 * The count, once it has stayed the same for 200 turns of the event loop: whatever could move within this process has
 * moved. Shows back-pressure without a guess at how long that takes.
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
