import type { ServerResponse } from 'node:http';
import type { RestError } from '../rest-error.ts';

/**
 * Signals that the client has disconnected. An AbortSignal satisfies this interface, but creating one for each request
 * is expensive. bench/NOTES.md
 */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The connection of a client as a signal that is aborted if it closes before the complete response is sent. It
 * registers with the response only while there are listeners. An AbortController per request, and the exception of each
 * `abort`, would take a tenth of the time of a small query (bench/NOTES.md).
 */
export class ClientConnection implements Disconnect {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
    // A streamed response has more than the ten listeners at which Node warns: its parts, their pipeline, Yoga.
    res.setMaxListeners(0);
  }

  get aborted(): boolean {
    return this.#res.closed && !this.#res.writableFinished;
  }

  /**
   * @param listener called when the response closes, also after a complete response; listeners are then removed already
   */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#res.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#res.off('close', listener);
  }

  /** Creates a standard AbortSignal, for code that requires one. */
  toAbortSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.aborted) controller.abort();
    this.#res.once('close', () => {
      if (this.aborted) controller.abort();
    });
    return controller.signal;
  }
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
