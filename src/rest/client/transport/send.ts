import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ImmediateBatch } from './immediate-batch.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { isHtml } from './header-values.ts';
import {
  dispatchTo,
  DispatchHandler,
  TransportError,
  type OutgoingRequest,
  type TransportErrorKind,
} from './dispatch-handler.ts';

export interface BufferedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SendRequestOptions {
  readonly timeoutMs: number | null;
  readonly maxBytes: number;
  readonly batch: ImmediateBatch;
  /**
   * False: of a 2xx response only the head matters, unless the body is HTML, and the promise resolves when the head has
   * arrived. The rest is discarded until the time limit. Default true. A body of status 300 and above is read, but it
   * can break off.
   */
  readonly expectsBody?: boolean;
  onBodySent?(bytes: number): void;
  readonly signal?: AbortSignal;
}

/**
 * Uses undici's `dispatch` instead of `request`: only a handler learns when the request is written, which
 * distinguishes "not executed" from "outcome unknown", and a request that is still queued ends at once when cancelled.
 * undici 8 never writes a request twice: with pipelining 1 and without HTTP/2, a request fails together with its
 * connection.
 */
export function sendRequest(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ResponseHandler(options, resolve, reject);
    dispatchTo(dispatcher, outgoing, handler);
  });
}

const noBytes = Buffer.alloc(0);

class ResponseHandler extends DispatchHandler {
  readonly #options: SendRequestOptions;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #body: ByteBuffer | null = null;
  #receivedBytes = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(
    options: SendRequestOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (error: Error) => void,
  ) {
    super(options.signal);
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.timeoutMs !== null) {
      this.#timer = setTimeout(this.#expire, options.timeoutMs);
    }
  }

  readonly #expire = (): void => {
    if (this.isEnded) this.controller?.abort(new Error('response body not needed'));
    else this.abort('timeout', null);
  };

  onBodySent(chunk: Uint8Array | string): void {
    this.#options.onBodySent?.(chunk.length);
  }

  protected override isDecoded(): boolean {
    return true;
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    // A coded body can have any length and be decoded to nothing.
    if (this.#receivedBytes <= this.#options.maxBytes) super.onResponseData(controller, chunk);
    else if (!this.isEnded) this.abort('tooLarge', null);
  }

  override onResponseEnd(): void {
    if (this.isEnded) clearTimeout(this.#timer);
    super.onResponseEnd();
  }

  override fail(cause: unknown): void {
    clearTimeout(this.#timer);
    super.fail(cause);
  }

  protected override onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#headers = headers;
    const length = Number(headers['content-length']);
    if (length > this.#options.maxBytes) this.abort('tooLarge', null);
    else if (this.#options.expectsBody === false && status < 300 && !isHtml(headers)) {
      this.#respond(status);
    } else this.#body = new ByteBuffer(length);
  }

  protected override onData(chunk: Buffer): void {
    if (this.#body === null) return;
    if (this.#body.length + chunk.length > this.#options.maxBytes) this.abort('tooLarge', null);
    else this.#body.add(chunk);
  }

  protected override onEnd(): void {
    if (this.status !== null) this.#respond(this.status);
  }

  #respond(status: number): void {
    if (!this.markEnded()) return;
    if (this.#body !== null) clearTimeout(this.#timer);
    const body = this.#body?.take() ?? noBytes;
    const headers = this.#headers;
    this.#options.batch.add(() => this.#resolve({ status, headers, body }));
  }

  protected override abort(kind: TransportErrorKind, cause: unknown): void {
    if (kind !== 'cancelled' && this.status !== null && this.#isStatusEnough(this.status)) {
      this.#respond(this.status);
      this.#expire();
      return;
    }
    if (!this.markEnded()) return;
    clearTimeout(this.#timer);
    this.#reject(new TransportError(kind, this.isSent(cause), this.status, cause));
    this.controller?.abort(new Error(`request aborted: ${kind}`));
  }

  #isStatusEnough(status: number): boolean {
    return status >= 300 || this.#options.expectsBody === false;
  }
}
