import type { IncomingHttpHeaders } from 'node:http';
import { errors } from 'undici';
import type { Dispatcher } from 'undici';
import { ByteBuffer } from './byte-buffer.ts';
import type { Cancel } from './resilience/cancel-token.ts';
import type { RestError } from './rest-error.ts';
import { atEndOfTurn } from './immediate-batch.ts';

/** One request as it goes out. `path` is the whole path with the query; `headers` are name, value, name, value… */
export interface Outgoing {
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `malformed`: what came is not HTTP, or undici refused to send the request. */
export type FaultKind = 'connection' | 'malformed' | 'timeout' | 'cancelled' | 'tooLarge';

/**
 * Why an exchange ended without a whole answer.
 *
 * `sent` says whether the DMS may have seen any of the request: it is set the moment undici writes, so that
 * false is certain. `status` is there when the answer broke off after its head.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: FaultKind;
  readonly sent: boolean;
  readonly status: number | null;

  constructor(kind: FaultKind, sent: boolean, status: number | null, cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
    this.sent = sent;
    this.status = status;
  }
}

export interface ExchangeOptions {
  /** Milliseconds for everything, the connection included; null where the caller keeps the time. */
  readonly timeoutMs: number | null;
  /** Bytes of the longest answer that is taken. */
  readonly maxBytes: number;
  /**
   * False: the status is the answer, and a body that breaks off after it does not matter. So it always is for a
   * status of 300 and above. Default true.
   */
  readonly bodyWanted?: boolean;
  /** Told of every piece of the body that was handed to the connection. */
  readonly onBodySent?: (bytes: number) => void;
  readonly cancel: Cancel;
}

/**
 * Sends one request once and takes the whole answer into memory.
 *
 * undici's `dispatch` rather than its `request`: only a handler learns when the request is written (which
 * decides between "did not happen" and "outcome unknown"), it ends at once when cancelled while still
 * queued for a connection, and it costs a fifth less. undici 8 itself writes a request once: with pipelining 1
 * and without HTTP/2 a request that was on a connection is failed with it, whatever its method.
 *
 * @throws {Fault} where no whole answer came
 */
export function exchange(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  options: ExchangeOptions,
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerHandler(options, resolve, reject);
    options.cancel.listen(handler.stop);
    dispatchTo(dispatcher, outgoing, handler);
  });
}

/** Hands a request to undici; what undici throws at once becomes an answer's error like any other. */
export function dispatchTo(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
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

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (incoming: Incoming) => void;
  readonly #reject: (fault: Fault) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #body: ByteBuffer | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #settled = false;

  constructor(
    options: ExchangeOptions,
    resolve: (incoming: Incoming) => void,
    reject: (fault: Fault) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.timeoutMs !== null) {
      this.#timer = setTimeout(() => this.#give('timeout', null), options.timeoutMs);
    }
  }

  readonly stop = (reason: RestError): void => this.#give('cancelled', reason);

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Error('no longer wanted'));
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
    if (length > this.#options.maxBytes) this.#give('tooLarge', null);
    else this.#body = new ByteBuffer(length);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#body === null) return;
    if (this.#body.length + chunk.length > this.#options.maxBytes) this.#give('tooLarge', null);
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    if (this.#status !== null) this.#answer(this.#status);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.#give(isMalformed(cause) ? 'malformed' : 'connection', cause);
  }

  #answer(status: number): void {
    if (!this.#end()) return;
    const body = this.#body?.take() ?? noBytes;
    const headers = this.#headers;
    atEndOfTurn(() => this.#resolve({ status, headers, body }));
  }

  #give(kind: FaultKind, cause: unknown): void {
    if (kind !== 'cancelled' && this.#status !== null && this.#statusSuffices(this.#status)) {
      const controller = this.#controller;
      this.#answer(this.#status);
      controller?.abort(new Error('the status was enough'));
      return;
    }
    if (!this.#end()) return;
    this.#reject(new Fault(kind, this.#controller !== null, this.#status, cause));
    this.#controller?.abort(new Error(`given up: ${kind}`));
  }

  #statusSuffices(status: number): boolean {
    return status >= 300 || this.#options.bodyWanted === false;
  }

  /** True the first time. */
  #end(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.cancel.listen(null);
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
