import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const bytesPerCollection = 4 * 2 ** 20;

let transferredBytes = 0;
let runGc: NodeJS.GCFunction | null = null;

/**
 * Counts the bytes of all file transfers, and runs a minor garbage collection (of V8's young generation) every 4 MiB.
 *
 * Node allocates a buffer outside the V8 heap for each network chunk. Only the small object that owns the buffer is in
 * the young generation, which is therefore far from full when the buffers amount to many MiB. V8 then reacts to the
 * external memory with a major collection, which traverses all live objects: schema, compiled queries, caches. A minor
 * collection takes about half a millisecond and frees the buffers early enough to avoid that. An interval of 16 MiB is
 * too long, because V8 keeps the heap of an idle process small. bench/NOTES.md has the figures, for files alone and
 * together with queries.
 */
export function minorGcAfter(bytes: number): void {
  transferredBytes += bytes;
  if (transferredBytes < bytesPerCollection) return;
  transferredBytes = 0;
  runGc ??= exposeGc();
  runGc({ type: 'minor' });
}

/**
 * Returns the function that collects garbage. V8 exposes it only to contexts that are created while the flag is set, so
 * no other code of the process gets it. Other engines have none: the function does nothing.
 */
function exposeGc(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as NodeJS.GCFunction | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc ?? ((() => {}) as NodeJS.GCFunction);
}
