import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { BodyDecoder, codingsOf, decodedHeaders, type Coding } from './content-coding.ts';
import { isClientCertificateAlert } from './tls.ts';
import { errors } from './undici.ts';

export interface OutgoingRequest {
  readonly origin: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
}

/**
 * How a request failed in transport. `malformed`: the response is not valid HTTP, or undici rejected the request.
 * `undecodable`: the body does not have its content coding. `tooLarge`: the response exceeds the limit.
 */
export type TransportErrorKind =
  | 'connection'
  | 'malformed'
  | 'undecodable'
  | 'timeout'
  | 'cancelled'
  | 'tooLarge';

/**
 * Why a request has no complete response.
 *
 * `sent` is true if the DMS may have read any part of the request. It is set when undici starts writing, so false is
 * certain. `status` is set if the response broke off after its head.
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

export function dispatchTo(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  handler: DispatchHandler,
): void {
  try {
    // undici accepts any async iterable as a body, but its types only declare streams.
    dispatcher.dispatch(outgoing as Dispatcher.DispatchOptions, handler);
  } catch (cause) {
    handler.fail(cause);
  }
}

/**
 * What the handlers of all requests have in common: a request can be stopped until it has ended, and the body of its
 * response is decoded. Subclasses never see the bytes of a coded body, so that their limits apply to the decoded ones.
 */
export abstract class DispatchHandler implements Dispatcher.DispatchHandler {
  protected isEnded = false;
  protected controller: Dispatcher.DispatchController | null = null;
  protected status: number | null = null;
  #decoder: BodyDecoder | null = null;

  readonly #signal: AbortSignal | undefined;
  readonly #stop = (): void => this.abort('cancelled', this.#signal?.reason);

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#stop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isEnded) controller.abort(new Error('request aborted'));
    else this.controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.controller = controller;
    const codings = codingsOf(headers);
    if (codings.length === 0 || !this.isDecoded(status, codings)) {
      this.onHead(status, headers);
      return;
    }
    this.#decoder = new BodyDecoder(codings, {
      source: controller,
      onData: (chunk) => this.onData(chunk),
      onEnd: () => this.onEnd(),
      onError: (cause) =>
        this.abort('undecodable', new Error(`not ${codings.join(', ')}`, { cause })),
    });
    this.onHead(status, decodedHeaders(headers));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isEnded) return;
    if (this.#decoder === null) this.onData(chunk);
    else this.#decoder.write(chunk);
  }

  onResponseEnd(): void {
    if (this.isEnded) return;
    if (this.#decoder === null) this.onEnd();
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.abort(isMalformed(cause) ? 'malformed' : 'connection', cause);
  }

  protected abstract isDecoded(status: number, codings: readonly Coding[]): boolean;
  protected abstract onHead(status: number, headers: IncomingHttpHeaders): void;
  protected abstract onData(chunk: Buffer): void;
  protected abstract onEnd(): void;
  protected abstract abort(kind: TransportErrorKind, cause: unknown): void;

  protected pause(): void {
    (this.#decoder ?? this.controller)?.pause();
  }

  protected resume(): void {
    (this.#decoder ?? this.controller)?.resume();
  }

  protected isSent(cause: unknown): boolean {
    return this.controller !== null && !isClientCertificateAlert(cause);
  }

  protected markEnded(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    this.#signal?.removeEventListener('abort', this.#stop);
    this.#decoder?.destroy();
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
