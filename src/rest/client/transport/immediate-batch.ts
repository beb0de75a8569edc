/**
 * Calls what was added in one iteration of the event loop in its `setImmediate` phase, in a row.
 *
 * Node emits each network chunk separately, and runs everything that follows from it before the next chunk: from the
 * response of the DMS through resolvers to the response of the gateway. That is more code than fits into a processor's
 * caches, so under load each request would evict the code of the next. With a batch, the promises of all chunks settle
 * together, and each step runs for all of them in a row. bench/NOTES.md has the figures. A single request is not
 * delayed, because `setImmediate` runs as soon as no input is left.
 */
export class ImmediateBatch {
  #callbacks: (() => void)[] = [];

  /** Callbacks must not throw. */
  add(callback: () => void): void {
    if (this.#callbacks.push(callback) === 1) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const callbacks = this.#callbacks;
    this.#callbacks = [];
    for (const callback of callbacks) callback();
  };
}
