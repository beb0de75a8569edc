import type { RestError } from '../rest-error.ts';

/**
 * Signals that the client has disconnected, as an AbortSignal does.
 */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Cancels the current wait of a call: for a slot, a back-off or a response. A call has one wait at a time, so one
 * listener is enough. This is much cheaper than an AbortSignal per call.
 */
export class CancelToken {
  #reason: RestError | null = null;
  #listener: ((reason: RestError) => void) | null = null;

  /** The reason of the cancellation. Null if the token is not cancelled. */
  get reason(): RestError | null {
    return this.#reason;
  }

  /** Rejects the current wait and every later one with `reason`. Later calls have no effect. */
  cancel(reason: RestError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listener = this.#listener;
    this.#listener = null;
    listener?.(reason);
  }

  /** Sets the listener of the current wait. Null when the wait is over. */
  setListener(listener: ((reason: RestError) => void) | null): void {
    this.#listener = listener;
  }

  throwIfCancelled(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /** Waits for `ms` milliseconds. Rejects with the reason when cancelled. */
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
