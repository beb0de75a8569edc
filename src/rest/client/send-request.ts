import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { runInImmediateBatch } from './immediate-batch.ts';
import { ByteBuffer } from './receive-body.ts';
import type { CancelToken } from './cancellation.ts';
import type { RestError } from './rest-error.ts';
import { maxSmallBytes } from './parse-in-parts.ts';

/*
 * The parts of undici that send requests. Its index loads five times as many files, fetch and mocks among them, which
 * takes 40 ms of a start and 7 MiB. bench/NOTES.md
 */
const require = createRequire(import.meta.url);

/** A pool of HTTP connections to one origin. */
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

/** The error classes of undici, which distinguish a malformed response from a lost connection. */
const errors = require('undici/lib/core/errors.js') as typeof Undici.errors;

/**
 * A request as it is sent. `path` is the whole path with the query; `headers` is a list of alternating names and
 * values.
 */
export interface OutgoingRequest {
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
}

/** A response whose body was read completely. */
export interface BufferedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * How a request failed in transport. `malformed`: the response is not valid HTTP, or undici rejected the request.
 * `tooLarge`: the response exceeds the limit.
 */
export type TransportErrorKind = 'connection' | 'malformed' | 'timeout' | 'cancelled' | 'tooLarge';

/**
 * Why a request has no complete response.
 *
 * `sent` is true if the DMS may have received any part of the request. It is set when undici starts writing, so false
 * is certain. `status` is set if the response broke off after its head.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
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

/** Limits of one request. */
export interface SendRequestOptions {
  /** Time limit in milliseconds, including the connection. Null if the caller enforces a limit. */
  readonly timeoutMs: number | null;
  /** Maximum size of the response body, in bytes. */
  readonly maxBytes: number;
  /** Called when the body turns out to be large. It is read on when the promise has resolved. */
  waitForLargeBody?(): Promise<void> | undefined;
  /**
   * False: only the status matters, and a body that breaks off is ignored. Bodies of status 300 and above are always
   * treated in this way. Default true.
   */
  readonly expectsBody?: boolean;
  /** Called for every chunk of the body that is written to the connection. */
  onBodySent?(bytes: number): void;
  readonly cancelToken: CancelToken;
  /** Returns the error with which the promise rejects. Default: the TransportError. */
  toRestError?(error: TransportError): RestError;
}

/**
 * Sends one request once and reads the complete response into memory.
 *
 * It uses undici's `dispatch` instead of `request` for three reasons. Only a handler learns when the request is
 * written, which distinguishes "not executed" from "outcome unknown". A request that is still queued for a connection
 * ends at once when cancelled. And it costs a fifth less. undici 8 never writes a request twice: with pipelining 1 and
 * without HTTP/2, a request fails together with its connection, with any method.
 *
 * @throws {TransportError} or the result of `toRestError` if there is no complete response
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

/** Passes a request to undici. Errors that undici throws synchronously are passed to the handler. */
export function dispatchTo(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  handler: RequestHandler,
): void {
  try {
    // undici accepts any async iterable as a body, but its types only declare streams.
    dispatcher.dispatch(outgoing as Dispatcher.DispatchOptions, handler);
  } catch (cause) {
    handler.fail(cause);
  }
}

/** What the handlers of all requests have in common: a request can be stopped until it has ended. */
export abstract class RequestHandler implements Dispatcher.DispatchHandler {
  protected isEnded = false;
  protected controller: Dispatcher.DispatchController | null = null;
  /** The status of the response. Null before its head. */
  protected status: number | null = null;

  readonly stop = (reason: RestError): void => this.abort('cancelled', reason);

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isEnded) controller.abort(new Error('request aborted'));
    else this.controller = controller;
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.abort(isMalformed(cause) ? 'malformed' : 'connection', cause);
  }

  protected abstract abort(kind: TransportErrorKind, cause: unknown): void;
}

const noBytes = Buffer.alloc(0);

class ResponseHandler extends RequestHandler {
  readonly #options: SendRequestOptions;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #body: ByteBuffer | null = null;
  #headers: IncomingHttpHeaders = {};

  constructor(
    options: SendRequestOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (error: Error) => void,
  ) {
    super();
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.timeoutMs !== null) {
      this.#timer = setTimeout(() => this.abort('timeout', null), options.timeoutMs);
    }
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
    this.status = status;
    this.#headers = headers;
    this.controller = controller;
    const length = Number(headers['content-length']);
    if (length > this.#options.maxBytes) this.abort('tooLarge', null);
    else this.#body = new ByteBuffer(length);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isEnded || this.#body === null) return;
    const { length } = this.#body;
    if (length + chunk.length > this.#options.maxBytes) {
      this.abort('tooLarge', null);
      return;
    }
    this.#body.add(chunk);
    if (length > maxSmallBytes || length + chunk.length <= maxSmallBytes) return;
    const place = this.#options.waitForLargeBody?.();
    if (place === undefined) return;
    controller.pause();
    place.then(
      () => controller.resume(),
      () => {}, // the call has failed
    );
  }

  onResponseEnd(): void {
    if (this.status !== null) this.#respond(this.status);
  }

  #respond(status: number): void {
    if (!this.#markSettled()) return;
    const body = this.#body?.take() ?? noBytes;
    const headers = this.#headers;
    runInImmediateBatch(() => this.#resolve({ status, headers, body }), body.length);
  }

  protected override abort(kind: TransportErrorKind, cause: unknown): void {
    if (kind !== 'cancelled' && this.status !== null && this.#isStatusEnough(this.status)) {
      const controller = this.controller;
      this.#respond(this.status);
      controller?.abort(new Error('response body not needed'));
      return;
    }
    if (!this.#markSettled()) return;
    const error = new TransportError(kind, this.controller !== null, this.status, cause);
    this.#reject(this.#options.toRestError?.(error) ?? error);
    this.controller?.abort(new Error(`request aborted: ${kind}`));
  }

  #isStatusEnough(status: number): boolean {
    return status >= 300 || this.#options.expectsBody === false;
  }

  /** True on the first call. */
  #markSettled(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    clearTimeout(this.#timer);
    this.#options.cancelToken.setListener(null);
    return true;
  }
}

/** Whether a request failed because of invalid HTTP, and not because the connection broke. */
function isMalformed(cause: unknown): boolean {
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.HeadersOverflowError ||
    cause instanceof errors.InvalidArgumentError
  );
}
