import type { ServerResponse } from 'node:http';
import type { Disconnect } from '../../rest/client/cancellation.ts';

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
