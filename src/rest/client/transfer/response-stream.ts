import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ByteBuffer } from '../transport/byte-buffer.ts';
import type { Coding } from '../transport/content-coding.ts';
import {
  TransportError,
  dispatchTo,
  DispatchHandler,
  type TransportErrorKind,
  type OutgoingRequest,
} from '../transport/dispatch-handler.ts';
import type { Semaphore } from '../limits/semaphore.ts';
import { RestError } from '../rest-error.ts';
import { TransferRateMonitor, type TransferRate } from './transfers.ts';

export interface StreamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface StreamOptions {
  readonly headMs: number;
  readonly idleMs: number;
  readonly minRate: TransferRate;
  readonly acceptedCodings: readonly Coding[];
  readonly signal: AbortSignal;
  readonly decoders: { readonly semaphore: Semaphore; readonly key: string };
  readonly toRestError: (error: TransportError) => Error;
  readonly onBytes: (bytes: number) => void;
}

export function openStream(
  dispatcher: Dispatcher,
  outgoing: OutgoingRequest,
  options: StreamOptions,
): Promise<StreamedResponse> {
  return new Promise((resolve, reject) => {
    const handler = new StreamHandler(options, resolve, reject);
    dispatchTo(dispatcher, outgoing, handler);
  });
}

const minChunk = 4 * 1024;

class StreamHandler extends DispatchHandler {
  readonly #options: StreamOptions;
  readonly #resolve: (response: StreamedResponse) => void;
  readonly #reject: (error: Error) => void;
  #timer: NodeJS.Timeout;
  #body: Readable | null = null;
  #smallChunks: ByteBuffer | null = null;
  readonly #readerRate: TransferRateMonitor;
  readonly #senderRate: TransferRateMonitor;
  #receivedSince = 0;
  #receivedBytes = 0;
  #pushedBytes = 0;
  #isCoded = false;
  #releaseDecoder: (() => void) | undefined;
  #waitedForReaderMs = 0;
  #readerWaitedSince: number | null = null;

  constructor(
    options: StreamOptions,
    resolve: (response: StreamedResponse) => void,
    reject: (error: Error) => void,
  ) {
    super(options.signal);
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    const { minRate, idleMs } = options;
    this.#readerRate = new TransferRateMonitor(minRate);
    const windowMs = Math.max(minRate.windowMs, idleMs);
    const bytes = (minRate.bytes * windowMs) / minRate.windowMs;
    this.#senderRate = new TransferRateMonitor({ bytes, windowMs });
    this.#timer = setTimeout(() => this.abort('timeout', null), options.headMs);
  }

  protected override isDecoded(status: number, codings: readonly Coding[]): boolean {
    const { acceptedCodings } = this.#options;
    this.#isCoded = status !== 206 && !codings.every((coding) => acceptedCodings.includes(coding));
    return this.#isCoded;
  }

  protected override onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#receivedSince = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onIdle(), this.#options.idleMs);
    const body = new Readable({
      highWaterMark: 128 * 1024,
      read: () => {
        if (this.#isReaderTooSlow()) {
          this.abort('cancelled', null);
          return;
        }
        this.#readerWaitedSince = null;
        this.#timer.refresh();
        this.resume();
      },
      destroy: (error, done) => {
        this.#end();
        this.controller?.abort(error ?? new Error('request aborted'));
        done(error);
      },
    });
    // A reader receives the error. Without this listener, an error before there is a reader would end the process.
    body.on('error', () => {});
    this.#body = body;
    const resolve = (): void => this.#resolve({ status, headers, body });
    if (this.#isCoded) this.#takeDecoder(resolve);
    else resolve();
  }

  #takeDecoder(resolve: () => void): void {
    const { semaphore, key } = this.#options.decoders;
    const hold = (): void => {
      if (this.isEnded) semaphore.release(key);
      else this.#releaseDecoder = () => semaphore.release(key);
      resolve();
    };
    const wait = semaphore.acquire(key, this.#options.signal);
    if (wait === undefined) {
      hold();
      return;
    }
    if (wait === 'full') {
      this.#refuse();
      return;
    }
    this.controller?.pause();
    this.#readerWaitedSince = performance.now();
    const waitInTime = async (): Promise<void> => {
      if (!(await wait)) {
        this.#refuse();
        return;
      }
      hold();
      this.#readerWaitedSince = null;
      this.controller?.resume();
    };
    waitInTime().catch(() => {}); // the request was cancelled
  }

  #refuse(): void {
    this.#body = null; // nobody has it yet
    const expected = 'a free place to decode the file';
    const retryAfterMs = 5000;
    this.#end();
    this.#reject(new RestError('UPSTREAM_UNAVAILABLE', null, { expected, retryAfterMs }));
    this.controller?.abort(new Error('request aborted: no decoder is free'));
  }

  protected override onData(chunk: Buffer): void {
    if (this.#body === null) return;
    this.#receivedBytes += chunk.length;
    if (this.#isSenderTooSlow()) {
      this.abort('timeout', null);
      return;
    }
    this.#timer.refresh();
    this.#options.onBytes(chunk.length);
    if (chunk.length >= minChunk) {
      this.#pushSmallChunks();
      this.#push(chunk);
    } else if (this.#smallChunks !== null) {
      this.#smallChunks.add(chunk);
    } else {
      // A queue of one-byte chunks would use a hundred times the memory of their content.
      this.#smallChunks = new ByteBuffer();
      this.#smallChunks.add(chunk);
      queueMicrotask(this.#pushSmallChunks);
    }
  }

  protected override onEnd(): void {
    this.#pushSmallChunks();
    // The timer keeps running: the rest of the stream must be read too.
    this.#readerWaitedSince ??= performance.now();
    this.#body?.push(null);
  }

  #onIdle(): void {
    if (this.#readerWaitedSince === null) this.abort('timeout', null);
    else if (this.#isReaderTooSlow()) this.abort('cancelled', null);
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

  /** A sender that sends a byte now and then is never idle, but would occupy its connection forever. */
  #isSenderTooSlow(): boolean {
    const now = performance.now();
    const since = this.#readerWaitedSince;
    const waitedForReaderMs = this.#waitedForReaderMs + (since === null ? 0 : now - since);
    const waitedMs = now - this.#receivedSince - waitedForReaderMs;
    return this.#senderRate.isTooSlow(waitedMs, this.#receivedBytes);
  }

  readonly #pushSmallChunks = (): void => {
    const chunks = this.#smallChunks;
    this.#smallChunks = null;
    if (chunks !== null && !this.isEnded) this.#push(chunks.take());
  };

  #push(chunk: Buffer): void {
    this.#pushedBytes += chunk.length;
    if (this.#body?.push(chunk) !== false) return;
    this.pause();
    this.#readerWaitedSince ??= performance.now();
  }

  protected override abort(kind: TransportErrorKind, cause: unknown): void {
    if (this.isEnded) return;
    const failure = new TransportError(kind, this.isSent(cause), this.status, cause);
    const error = this.#options.toRestError(failure);
    this.#reject(error); // no effect after the head
    if (this.#body === null) {
      this.#end();
      this.controller?.abort(failure);
    } else {
      this.#body.destroy(error);
    }
  }

  #end(): void {
    if (!this.markEnded()) return;
    clearTimeout(this.#timer);
    this.#releaseDecoder?.();
  }
}
