import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ByteBuffer } from './byte-buffer.ts';
import type { CancelToken } from './resilience/cancel-token.ts';
import type { RestError } from './rest-error.ts';
import { runInImmediateBatch } from './immediate-batch.ts';
import { errors } from './undici.ts';

/** One request as it goes out. `path` is the whole path with the query; `headers` are name, value, name, value… */
export interface OutgoingRequest {
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
}

export interface BufferedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `malformed`: what came is not HTTP, or undici refused to send the request. */
export type TransportErrorKind = 'connection' | 'malformed' | 'timeout' | 'cancelled' | 'tooLarge';

/**
 * Why a request ended without a whole response.
 *
 * `sent` says whether the DMS may have seen any of the request: it is set the moment undici writes, so that
 * false is certain. `status` is there when the answer broke off after its head.
 */
export class TransportError extends Error {
  override readonly name = 'Fault';
  readonly kind: TransportErrorKind;
  readonly sent: boolean;
  readonly status: number | null;

  constructor(kind: TransportErrorKind, sent: boolean, status: number | null, cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
    this.sent = sent;
    this.status = status;
  }
}

export interface SendRequestOptions {
  /** Milliseconds for everything, the connection included; null where the caller keeps the time. */
  readonly timeoutMs: number | null;
  /** Bytes of the longest answer that is taken. */
  readonly maxBytes: number;
  /**
   * False: the status is the answer, and a body that breaks off after it does not matter. So it always is for a
   * status of 300 and above. Default true.
   */
  readonly expectsBody?: boolean;
  /** Called for every chunk of the body that is handed to the connection. */
  readonly onBodySent?: (bytes: number) => void;
  readonly cancelToken: CancelToken;
}

/**
 * Sends one request once and takes the whole answer into memory.
 *
 * undici's `dispatch` rather than its `request`: only a handler learns when the request is written (which
 * decides between "did not happen" and "outcome unknown"), it ends at once when cancelled while still
 * queued for a connection, and it costs a fifth less. undici 8 itself writes a request once: with pipelining 1
 * and without HTTP/2 a request that was on a connection is failed with it, whatever its method.
 *
 * @throws {TransportError} where no whole answer came
 */
export function sendRequest(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ResponseHandler(options, resolve, reject);
    options.cancelToken.setListener(handler.stop);
    dispatchTo(dispatcher, outgoing, handler);
  });
}

/** Hands a request to undici; what undici throws at once becomes an answer's error like any other. */
export function dispatchTo(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  handler: Dispatcher.DispatchHandler & { fail(cause: unknown): void },
): void {
  try {
    // undici takes any async iterable as a body; its types name only streams.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    dispatcher.dispatch(outgoing as Dispatcher.DispatchOptions, handler);
  } catch (cause) {
    handler.fail(cause);
  }
}

const noBytes = Buffer.alloc(0);

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #options: SendRequestOptions;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #body: ByteBuffer | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #settled = false;

  constructor(
    options: SendRequestOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (error: TransportError) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.timeoutMs !== null) {
      this.#timer = setTimeout(() => this.#abort('timeout', null), options.timeoutMs);
    }
  }

  readonly stop = (reason: RestError): void => this.#abort('cancelled', reason);

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Error('request aborted'));
    else this.#controller = controller;
  }

  onBodySent(chunk: Uint8Array | string): void {
    this.#options.onBodySent?.(chunk.length);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#controller = controller;
    const length = Number(headers['content-length']);
    if (length > this.#options.maxBytes) this.#abort('tooLarge', null);
    else this.#body = new ByteBuffer(length);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#body === null) return;
    if (this.#body.length + chunk.length > this.#options.maxBytes) this.#abort('tooLarge', null);
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    if (this.#status !== null) this.#respond(this.#status);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.#abort(isMalformed(cause) ? 'malformed' : 'connection', cause);
  }

  #respond(status: number): void {
    if (!this.#markSettled()) return;
    const body = this.#body?.take() ?? noBytes;
    const headers = this.#headers;
    runInImmediateBatch(() => this.#resolve({ status, headers, body }));
  }

  #abort(kind: TransportErrorKind, cause: unknown): void {
    if (kind !== 'cancelled' && this.#status !== null && this.#isStatusEnough(this.#status)) {
      const controller = this.#controller;
      this.#respond(this.#status);
      controller?.abort(new Error('response body not needed'));
      return;
    }
    if (!this.#markSettled()) return;
    this.#reject(new TransportError(kind, this.#controller !== null, this.#status, cause));
    this.#controller?.abort(new Error(`request aborted: ${kind}`));
  }

  #isStatusEnough(status: number): boolean {
    return status >= 300 || this.#options.expectsBody === false;
  }

  /** True the first time. */
  #markSettled(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.cancelToken.setListener(null);
    return true;
  }
}

/** Whether a connection failed by what was said on it, rather than by being cut. */
export function isMalformed(cause: unknown): boolean {
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.HeadersOverflowError ||
    cause instanceof errors.InvalidArgumentError
  );
}
