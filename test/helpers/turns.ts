import { waitForTurn } from '../../src/server/http/turns.ts';

const never = new AbortController().signal;

/** A request that waits for its turn among those of the caller `key`. */
export const requestOf = (key: string, connection: AbortSignal = never) => ({
  memory: { key },
  connection,
});

/** The number of turns that `takeLongTurns` takes. */
export const turnCount = 60;

/** Takes turns, of which each fills its iteration of the event loop. Returns the number of those that have ended. */
export function takeLongTurns(key: string): () => number {
  let ended = 0;
  const takeTurn = async (): Promise<void> => {
    await waitForTurn(requestOf(key));
    const endAt = performance.now() + 6;
    while (performance.now() < endAt);
    ended += 1;
  };
  for (let nth = 0; nth < turnCount; nth += 1) void takeTurn();
  return () => ended;
}
