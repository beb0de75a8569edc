import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const bytesPerCollection = 4 * 2 ** 20;

let transferredBytes = 0;
let runGc: NodeJS.GCFunction | null = null;

/**
 * Counts the bytes of all files that pass, and after each 4 MiB has V8 collect its young generation.
 *
 * Node makes a buffer outside of V8's heap for each piece from the network, and little within it: the young generation,
 * which owns these buffers, stays far from full while they pile up. V8 notices that at last and collects everything,
 * which has to look through all that lives: schema, compiled queries, caches. A young collection takes about half a
 * millisecond, and gives the buffers back while they are still in the processor's caches. After each 16 MiB is too late:
 * V8 keeps the heap of a process that has been idle small, and there has begun to collect everything before.
 * bench/NOTES.md says what that saves, alone and beside queries.
 */
export function minorGcAfter(bytes: number): void {
  transferredBytes += bytes;
  if (transferredBytes < bytesPerCollection) return;
  transferredBytes = 0;
  runGc ??= exposeGc();
  runGc({ type: 'minor' });
}

/** V8 gives its collector only to contexts that are made while the flag is set: nothing else of the process gets it. */
function exposeGc(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
