import { type Disconnect, RestError } from '../../rest/index.ts';
import { runInGroups } from './immediate-batch.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Turns start within this time in one iteration of the event loop, in milliseconds. */
const maxTurnMs = 5;

/** What waits for a turn by its key, the one whose turn was last at the end. */
const waiting = new Map<string, Set<() => void>>();

const added = runInGroups(
  {
    takeGroup() {
      const [key, turns] = waiting.entries().next().value ?? [];
      const next = turns?.values().next().value;
      if (key === undefined || turns === undefined || next === undefined) return [];
      turns.delete(next);
      waiting.delete(key);
      if (turns.size > 0) waiting.set(key, turns);
      return [next];
    },
    get isEmpty() {
      return waiting.size === 0;
    },
  },
  maxTurnMs,
);

/** A request that waits: by the caller, or by the address of the client while the caller is unknown. */
interface WaitingRequest {
  readonly memory: Pick<HttpExchange['memory'], 'key'>;
  readonly connection: Disconnect;
}

/**
 * Waits for the turn to do something that takes CPU time but no DMS call, which nothing else would limit. The turns go
 * around among the callers. Each iteration of the event loop has time for a few of them, so that other requests are
 * answered in between. A client that disconnects gives up its turn, so that what waits is what connections can hold.
 *
 * A turn is not given back: it ends when the synchronous work has ended that follows from it.
 *
 * @throws {RestError} `CANCELLED` if the client disconnects
 */
export function waitForTurn({ memory: { key }, connection }: WaitingRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void =>
      reject(new RestError('CANCELLED', null, { expected: 'a connected client' }));
    if (connection.aborted) {
      cancel();
      return;
    }
    const turns = waiting.get(key) ?? new Set();
    waiting.set(key, turns);
    const onDisconnect = (): void => {
      turns.delete(start);
      if (turns.size === 0 && waiting.get(key) === turns) waiting.delete(key);
      cancel();
    };
    const start = (): void => {
      connection.removeEventListener('abort', onDisconnect);
      resolve();
    };
    turns.add(start);
    connection.addEventListener('abort', onDisconnect);
    added();
  });
}
