import type { CancelToken } from './cancel-token.ts';

/** A counting semaphore that admits waiting calls in order of arrival. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(capacity: number) {
    this.#free = capacity;
  }

  /**
   * Acquires a slot: immediately (undefined) or after a wait (a promise, which rejects when cancelled). Each acquired
   * slot is returned with one `release`.
   */
  acquire(cancelToken: CancelToken): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        cancelToken.setListener(null);
        resolve();
      };
      this.#waiting.add(grant);
      cancelToken.setListener((reason) => {
        this.#waiting.delete(grant);
        reject(reason);
      });
    });
  }

  /** Returns one slot, and admits the next waiting call. */
  release(): void {
    for (const grant of this.#waiting) {
      this.#waiting.delete(grant);
      grant();
      return;
    }
    this.#free += 1;
  }
}
