/**
 * Calls what was added in one iteration of the event loop in a row. Node would run everything that follows from a
 * network chunk before the next chunk: more code than fits into a processor's caches (bench/NOTES.md).
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
