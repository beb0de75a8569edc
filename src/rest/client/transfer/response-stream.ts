import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ByteBuffer } from '../byte-buffer.ts';
import type { Cancel } from '../resilience/cancel-token.ts';
import type { RestError } from '../rest-error.ts';
import { Fault, dispatchTo, isMalformed } from '../send-request.ts';
import type { FaultKind, Outgoing } from '../send-request.ts';
import { ClientRate } from './transfer-rate.ts';
import type { TransferRate } from './transfer-rate.ts';

/** An answer whose body is still on its way. */
export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Ends, or fails with what `explain` makes of the fault. Destroying it ends the request. */
  readonly body: Readable;
}

export interface StreamOptions {
  /** Milliseconds until the head of the answer must be there. */
  readonly headMs: number;
  /** Milliseconds that the sender of the body may be silent. */
  readonly idleMs: number;
  /**
   * What the reader of the body has to take; who takes less ends it as `cancelled`, without a reason of `cancel`. A
   * sender that sends less, over `idleMs` at least, ends it as `timeout`.
   */
  readonly minRate: TransferRate;
  /** Ends head and body. */
  readonly cancel: Cancel;
  readonly explain: (fault: Fault) => Error;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Sends one request once and hands on the answer as a stream, with back-pressure in both directions.
 * @throws {Fault} where no head came
 */
export function openStream(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  options: StreamOptions,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const handler = new StreamHandler(options, resolve, reject);
    options.cancel.listen(handler.stop);
    dispatchTo(dispatcher, outgoing, handler);
  });
}

/** Chunks that are shorter go on together with what else comes in the same turn of the event loop. */
const minChunk = 4 * 1024;

class StreamHandler implements Dispatcher.DispatchHandler {
  readonly #options: StreamOptions;
  readonly #resolve: (opened: Opened) => void;
  readonly #reject: (fault: Fault) => void;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #body: Readable | null = null;
  #small: ByteBuffer | null = null;
  #isOver = false;
  readonly #readerRate: ClientRate;
  readonly #senderRate: ClientRate;
  #receivedSince = 0;
  #receivedBytes = 0;
  #pushedBytes = 0;
  #waitedForReaderMs = 0;
  /** Since when it is the reader that is waited for; null while it is the sender. */
  #readerWaitedSince: number | null = null;

  constructor(
    options: StreamOptions,
    resolve: (opened: Opened) => void,
    reject: (fault: Fault) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    const { minRate, idleMs } = options;
    this.#readerRate = new ClientRate(minRate);
    const windowMs = Math.max(minRate.windowMs, idleMs);
    const bytes = (minRate.bytes * windowMs) / minRate.windowMs;
    this.#senderRate = new ClientRate({ bytes, windowMs });
    this.#timer = setTimeout(() => this.#give('timeout', null), options.headMs);
  }

  readonly stop = (reason: RestError): void => this.#give('cancelled', reason);

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new Error('no longer wanted'));
    else this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#receivedSince = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#idle(), this.#options.idleMs);
    const body = new Readable({
      highWaterMark: 128 * 1024,
      read: () => {
        if (this.#isReaderTooSlow()) {
          this.#give('cancelled', null);
          return;
        }
        this.#readerWaitedSince = null;
        this.#timer.refresh();
        controller.resume();
      },
      destroy: (error, done) => {
        this.#end();
        controller.abort(error ?? new Error('no longer wanted'));
        done(error);
      },
    });
    // Whoever reads it hears of a failure; until someone does, it must not bring the process down.
    body.on('error', () => {});
    this.#body = body;
    this.#resolve({ status, headers, body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body === null || this.#isOver) return;
    this.#receivedBytes += chunk.length;
    if (this.#isSenderTooSlow()) {
      this.#give('timeout', null);
      return;
    }
    this.#timer.refresh();
    this.#options.onBytes(chunk.length);
    if (chunk.length >= minChunk) {
      this.#pushSmall();
      this.#push(chunk);
    } else if (this.#small !== null) {
      this.#small.add(chunk);
    } else {
      // A queue of one-byte chunks would take a hundred times as much memory as they hold.
      this.#small = new ByteBuffer();
      this.#small.add(chunk);
      queueMicrotask(this.#pushSmall);
    }
  }

  onResponseEnd(): void {
    this.#pushSmall();
    // The timer goes on: what is left in the stream has to be read as well.
    this.#readerWaitedSince ??= performance.now();
    this.#body?.push(null);
  }

  /** Nothing has moved for `idleMs`. */
  #idle(): void {
    if (this.#readerWaitedSince === null) this.#give('timeout', null);
    else if (this.#isReaderTooSlow()) this.#give('cancelled', null);
    else this.#timer.refresh();
  }

  #isReaderTooSlow(): boolean {
    if (this.#readerWaitedSince === null || this.#body === null) return false;
    const now = performance.now();
    this.#waitedForReaderMs += now - this.#readerWaitedSince;
    this.#readerWaitedSince = now;
    const takenBytes = this.#pushedBytes - this.#body.readableLength;
    return this.#readerRate.isTooSlow(this.#waitedForReaderMs, takenBytes);
  }

  /** A byte now and then is not silence, and would keep its connection from others for ever. */
  #isSenderTooSlow(): boolean {
    const now = performance.now();
    const since = this.#readerWaitedSince;
    const waitedForReaderMs = this.#waitedForReaderMs + (since === null ? 0 : now - since);
    const waitedMs = now - this.#receivedSince - waitedForReaderMs;
    return this.#senderRate.isTooSlow(waitedMs, this.#receivedBytes);
  }

  readonly #pushSmall = (): void => {
    const chunks = this.#small;
    this.#small = null;
    if (chunks !== null && !this.#isOver) this.#push(chunks.take());
  };

  #push(chunk: Buffer): void {
    this.#pushedBytes += chunk.length;
    if (this.#body?.push(chunk) !== false) return;
    this.#controller?.pause();
    this.#readerWaitedSince ??= performance.now();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.#give(isMalformed(cause) ? 'malformed' : 'connection', cause);
  }

  #give(kind: FaultKind, cause: unknown): void {
    if (this.#isOver) return;
    const fault = new Fault(kind, this.#controller !== null, this.#status, cause);
    if (this.#body !== null) {
      this.#body.destroy(this.#options.explain(fault));
      return;
    }
    this.#end();
    this.#reject(fault);
    this.#controller?.abort(fault);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.cancel.listen(null);
  }
}
