let batch: (() => void)[] = [];

/**
 * Calls `callback` in the next `setImmediate` phase, together with all other callbacks of the same iteration of the
 * event loop. It must not throw.
 *
 * Node emits each network chunk separately, and runs everything that follows from it before the next chunk: from the
 * response of the DMS through resolvers to the response of the gateway. That is more code than fits into a processor's
 * caches, so under load each request would evict the code of the next. With a batch, the promises of all chunks settle
 * together, and each step runs for all of them in a row. bench/NOTES.md has the figures. A single request is not
 * delayed, because `setImmediate` runs as soon as no input is left.
 */
export function runInImmediateBatch(callback: () => void): void {
  if (batch.push(callback) === 1) setImmediate(runBatch);
}

function runBatch(): void {
  const callbacks = batch;
  batch = [];
  for (const callback of callbacks) callback();
}
