import type { Cancel } from './cancel.ts';

/** So many at a time; the others wait in the order they came. */
export class Gate {
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(capacity: number, maxWaiting: number) {
    this.#free = capacity;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Takes a place: at once (undefined), after a wait (a promise, which rejects when cancelled), or not at all
   * (`'full'`) where too many wait already. Each place taken is given back with one `leave`.
   */
  enter(cancel: Cancel): Promise<void> | 'full' | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    if (this.#waiting.size >= this.#maxWaiting) return 'full';
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
