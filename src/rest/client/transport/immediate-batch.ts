/**
 * Calls what was added in one iteration of the event loop in a row. Node emits each network chunk separately, and runs
 * everything that follows from it before the next chunk: more code than fits into a processor's caches. With a batch,
 * each step runs for all chunks in a row. A single request is not delayed, because `setImmediate` runs as soon as no
 * input is left. bench/NOTES.md
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
