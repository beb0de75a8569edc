let batch: (() => void)[] = [];

/**
 * Calls `callback` in the next `setImmediate` phase, together with all others that were passed in the same iteration of
 * the event loop. It must not throw.
 *
 * Node emits each chunk from the network separately, and everything that follows from it would run before the next
 * chunk: from the response of the DMS through resolvers to the response of the gateway, which is more code than fits the
 * caches of a processor. Under load each request would evict what the next one uses. If the chunks of one iteration
 * continue together, their promises settle side by side and each step runs for all of them in a row. bench/NOTES.md has
 * the figures. A single request waits for nothing, because `setImmediate` runs as soon as there is no more input.
 */
export function runInImmediateBatch(callback: () => void): void {
  if (batch.push(callback) === 1) setImmediate(runBatch);
}

function runBatch(): void {
  const callbacks = batch;
  batch = [];
  for (const callback of callbacks) callback();
}
