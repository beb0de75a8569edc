import type { Cancel } from './cancel-token.ts';

/** So many at a time; the others wait in the order they came. */
export class Gate {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(capacity: number) {
    this.#free = capacity;
  }

  /**
   * Takes a place: at once (undefined) or after a wait (a promise, which rejects when cancelled). Each place taken is
   * given back with one `leave`.
   */
  enter(cancel: Cancel): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        cancel.listen(null);
        resolve();
      };
      this.#waiting.add(admit);
      cancel.listen((reason) => {
        this.#waiting.delete(admit);
        reject(reason);
      });
    });
  }

  leave(): void {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit);
      admit();
      return;
    }
    this.#free += 1;
  }
}
