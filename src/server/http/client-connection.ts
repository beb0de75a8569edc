import type { ServerResponse } from 'node:http';
import type { Disconnect } from '../../rest/client/disconnect.ts';

/**
 * The connection of a client as a signal: aborted once it ends before the whole answer is out. It listens to the
 * response while somebody listens to it. An AbortController for each request, and the exception that each `abort` makes,
 * would take a tenth of a small query (bench/NOTES.md).
 */
export class ClientConnection implements Disconnect {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
    res.setMaxListeners(0); // each upstream call of the operation adds one
  }

  get aborted(): boolean {
    return this.#res.closed && !this.#res.writableFinished;
  }

  /** @param listener is called when the response closes: after a whole answer nothing listens any more */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#res.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#res.off('close', listener);
  }

  /** For what needs a real one. */
  toAbortSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.aborted) controller.abort();
    this.#res.once('close', () => {
      if (this.aborted) controller.abort();
    });
    return controller.signal;
  }
}
