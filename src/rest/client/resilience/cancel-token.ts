import type { RestError } from '../rest-error.ts';

/**
 * Cancels what a call waits for at the moment: a slot, a back-off, a response. A call waits for one of them at a time,
 * so one listener is enough; that makes it far cheaper than an AbortSignal of its own for every call.
 */
export class CancelToken {
  #reason: RestError | null = null;
  #listener: ((reason: RestError) => void) | null = null;

  get reason(): RestError | null {
    return this.#reason;
  }

  /** Ends the current wait and every later one with `reason`. The first reason stays. */
  cancel(reason: RestError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listener = this.#listener;
    this.#listener = null;
    listener?.(reason);
  }

  /** Sets the listener for the current wait; null when the wait is over. */
  setListener(listener: ((reason: RestError) => void) | null): void {
    this.#listener = listener;
  }

  throwIfCancelled(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /** Waits, unless cancelled earlier. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.setListener(null);
        resolve();
      }, ms);
      this.setListener((reason) => {
        clearTimeout(timer);
        reject(reason);
      });
    });
  }
}
