import { setImmediate as nextIteration } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in an iteration of the event loop in which it resolves for no other caller. Steps that take long call it, so
 * that the event loop turns between them, whatever number of requests has such steps at the same time.
 */
export function ownIteration(): Promise<void> {
  last = last.then(() => nextIteration());
  return last;
}
