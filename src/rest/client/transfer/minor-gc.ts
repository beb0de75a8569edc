import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const bytesPerCollection = 4 * 2 ** 20;

let transferredBytes = 0;
let runGc: NodeJS.GCFunction | null = null;

/**
 * Counts the bytes of all file transfers, and runs a minor garbage collection (of V8's young generation) every 4 MiB.
 *
 * Node allocates a buffer outside of the V8 heap for each chunk from the network. The small object that owns it is in the
 * young generation, which therefore stays far from full while the buffers add up to many MiB. V8 then reacts to the
 * external memory with a major collection, which traverses all live objects: schema, compiled queries, caches. A minor
 * collection takes about half a millisecond and frees the buffers early enough to avoid that. Every 16 MiB would be too
 * late, because V8 keeps the heap of a process that was idle small. bench/NOTES.md has the figures, with files alone and
 * with queries at the same time.
 */
export function minorGcAfter(bytes: number): void {
  transferredBytes += bytes;
  if (transferredBytes < bytesPerCollection) return;
  transferredBytes = 0;
  runGc ??= exposeGc();
  runGc({ type: 'minor' });
}

/** V8 exposes `gc` only to contexts that are created while the flag is set: no other code of the process gets it. */
function exposeGc(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
