import { runInGroups } from '../../rest/client/immediate-batch.ts';

/** Turns start within this time in one iteration of the event loop, in milliseconds. */
const maxTurnMs = 5;

/** What waits for a turn by its key, the one whose turn was last at the end. */
const waiting = new Map<string, (() => void)[]>();

const added = runInGroups(
  {
    takeGroup() {
      const [key, resolvers = []] = waiting.entries().next().value ?? [];
      const next = resolvers.shift();
      if (key === undefined || next === undefined) return [];
      waiting.delete(key);
      if (resolvers.length > 0) waiting.set(key, resolvers);
      return [next];
    },
    get isEmpty() {
      return waiting.size === 0;
    },
  },
  maxTurnMs,
);

/**
 * Waits for the turn to do something that takes CPU time but no DMS call, which nothing else would limit. The turns go
 * around among the keys. Each iteration of the event loop has time for a few of them, so that other requests are
 * answered in between.
 *
 * A turn is not given back: it ends when the synchronous work has ended that follows from it.
 *
 * @param key of the caller, or the address of the client while the caller is unknown
 */
export function waitForTurn(key: string): Promise<void> {
  return new Promise((resolve) => {
    const resolvers = waiting.get(key);
    if (resolvers === undefined) waiting.set(key, [resolve]);
    else resolvers.push(resolve);
    added();
  });
}
