let batch: (() => void)[] = [];

/**
 * Calls `go` when the event loop has taken in all that is there, together with whatever else came in the same turn. It
 * must not throw.
 *
 * Node hands out each piece from the network on its own, and all that follows from it would run at once: from an answer
 * of the DMS to the client's own, through more code than a processor keeps at hand. With many requests under way each
 * would drive out of its caches what the next one needs. Let go together they take every step side by side, because
 * promises settled together take turns. bench/NOTES.md says what that saves. A request on its own waits for nothing.
 */
export function runInImmediateBatch(callback: () => void): void {
  if (batch.push(callback) === 1) setImmediate(runBatch);
}

function runBatch(): void {
  const callbacks = batch;
  batch = [];
  for (const callback of callbacks) callback();
}
