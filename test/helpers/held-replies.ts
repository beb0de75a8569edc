import { expect } from 'vitest';

/** Replies of a DMS that wait for the test, to count how many requests are in flight. */
export function holdReplies() {
  const held: (() => void)[] = [];
  let most = 0;
  return {
    /** Awaited by each reply. */
    hold: (): Promise<void> =>
      new Promise((resolve) => {
        held.push(resolve);
        most = Math.max(most, held.length);
      }),
    /** The largest number of replies that waited at a time. */
    most: () => most,
    /** Releases replies when `limit` of them wait, or all that are left of `total`, until there are none. */
    async release(total: number, limit: number): Promise<void> {
      for (let left = total; left > 0; left -= limit) {
        await expect.poll(() => held.length).toBe(Math.min(limit, left));
        for (const go of held.splice(0)) go();
      }
    },
  };
}
