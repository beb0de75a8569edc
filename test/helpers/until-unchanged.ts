import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves with the count when it has not changed for 30 pauses of 10 ms. A count that still grows can only be missed if
 * its source does not run for that long; a test of back-pressure never fails for that reason.
 */
export async function untilUnchanged(count: () => number): Promise<number> {
  let last = count();
  for (let still = 0; still < 30; still += 1) {
    await sleep(10);
    const now = count();
    if (now !== last) still = 0;
    last = now;
  }
  return last;
}
