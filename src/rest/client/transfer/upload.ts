import { randomUUID } from 'node:crypto';
import type { UploadFile } from '../../../model/document.ts';
import { RestError } from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import type { UpstreamCall, WriteResponse } from '../call/call.ts';
import type { Upstream } from '../call/upstream-request.ts';
import { WriteRequest } from '../call/write.ts';
import { TransferRateMonitor } from './transfer-rate.ts';

/** A write with files. */
export interface UploadCall extends UpstreamCall {
  readonly method: 'POST';
  /** JSON parts by name. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly files: AsyncIterable<UploadFile>;
}

/**
 * A write that streams files to the DMS, and is sent at most once.
 *
 * There is no limit on the total time, and the time is added to the operation's deadline. An upload ends if no data
 * moves for `transferIdleMs`, or if the client is slower than `minTransferRate`. If the client disconnects or a file
 * fails, the upload ends before the DMS has a complete body. `close` destroys the open file or reads it to its end, and
 * closes `files`.
 */
export class UploadRequest extends WriteRequest {
  readonly #body: MultipartBody;
  readonly #startedAt = performance.now();
  readonly #rate: TransferRateMonitor;
  #idle: NodeJS.Timeout | undefined;
  #sentBytes = 0;

  constructor(upstream: Upstream, call: UploadCall) {
    const body = new MultipartBody(call.parts, call.files);
    super(upstream, { ...call, expectsBody: true }, body.contentType);
    this.#body = body;
    this.#rate = new TransferRateMonitor(upstream.minTransferRate);
  }

  readonly #leave = (): void => this.cancelToken.cancel(new RestError('CANCELLED', this.line));

  override follow(): void {
    this.call.budget.signal.addEventListener('abort', this.#leave);
  }

  override unfollow(): void {
    this.call.budget.signal.removeEventListener('abort', this.#leave);
  }

  override send(): Promise<BufferedResponse> {
    const { transfers, transferIdleMs } = this.upstream;
    this.timeoutMs = null;
    this.#idle = setTimeout(() => {
      this.cancelToken.cancel(idleError(this.line, this.#body, transferIdleMs));
    }, transferIdleMs);
    return sendRequest(transfers, this.outgoing(this.#body), this);
  }

  onBodySent(bytes: number): void {
    this.#idle?.refresh();
    this.upstream.observer.bytesMoved('upload', bytes);
    this.#sentBytes += bytes;
    const isTooSlow = this.#rate.isTooSlow(this.#body.waitedForSourceMs, this.#sentBytes);
    if (!isTooSlow || this.#body.isComplete) return;
    const expected = 'data of the file at the minimum rate';
    this.cancelToken.cancel(new RestError('CANCELLED', this.line, { expected }));
  }

  override toRestError(error: TransportError): RestError {
    const { line, cancelToken } = this;
    const body = this.#body;
    // The file failed, not the DMS. The file's error is thrown instead.
    if (body.failure !== null) return new RestError('CANCELLED', line);
    const details = { status: error.status, waitedMs: this.waitedMs, cause: error };
    if (body.isComplete && error.sent) return new RestError('OUTCOME_UNKNOWN', line, details);
    if (error.kind === 'cancelled' && cancelToken.reason !== null) return cancelToken.reason;
    // The body was incomplete, so the DMS has not created anything. Retrying is not possible once parts of the files
    // were read.
    return new RestError('UPSTREAM_UNAVAILABLE', line, { ...details, retryable: !error.sent });
  }

  /**
   * Interprets a response that may precede the end of the body. An error status is valid, and 408 means that nothing was
   * created. A success status is implausible.
   */
  override read(response: BufferedResponse): WriteResponse {
    const { status } = response;
    if (status === 408 && !this.#body.isComplete) {
      throw new RestError('UPSTREAM_UNAVAILABLE', this.line, { status, retryable: false });
    }
    if (status < 300 && !this.#body.isComplete) {
      throw new RestError('OUTCOME_UNKNOWN', this.line, {
        status,
        expected: 'no success status before the end of the upload',
      });
    }
    return super.read(response);
  }

  override release(): void {
    clearTimeout(this.#idle);
    super.release();
  }

  /** The error of a file's stream. Null if none has failed. */
  get failure(): MultipartBody['failure'] {
    return this.#body.failure;
  }

  /** Ends the upload. */
  close(): void {
    this.call.budget.extendDeadline(this.#startedAt);
    this.#body.stop();
  }
}

function idleError(request: string, body: MultipartBody, waitedMs: number): RestError {
  return body.isWaitingForSource
    ? new RestError('CANCELLED', request, { waitedMs, expected: 'more data of the file' })
    : new RestError('UPSTREAM_TIMEOUT', request, {
        waitedMs,
        expected: 'a DMS that reads the file',
        retryable: false,
      });
}

const encoder = new TextEncoder();

/**
 * A multipart/form-data body with the JSON parts first, then the files in order. It is generated while it is sent, so
 * that memory use does not depend on the size of the files: they are read one after the other, as fast as the receiver
 * accepts the data. If a file fails, the body fails before its closing boundary, so that the receiver never mistakes a
 * truncated file for a complete one.
 */
export class MultipartBody implements AsyncIterable<Uint8Array> {
  readonly contentType: string;
  /** Whether the closing boundary was produced. From then on the receiver may have the complete body. */
  isComplete = false;
  /** Whether the body currently waits for data of a file, and not for the receiver. */
  isWaitingForSource = false;
  /** Total time that the body has waited for data of files, in milliseconds, without the current wait. */
  waitedForSourceMs = 0;
  /** The error of a file's stream. Null if none has failed. */
  failure: { readonly error: unknown } | null = null;
  readonly #boundary = `form-${randomUUID()}`;
  readonly #parts: Readonly<Record<string, unknown>>;
  readonly #files: AsyncIterator<UploadFile>;
  #closeFile: (() => void) | null = null;
  #isStopped = false;
  #interrupt: (() => void) | null = null;

  constructor(parts: Readonly<Record<string, unknown>>, files: AsyncIterable<UploadFile>) {
    this.contentType = `multipart/form-data; boundary=${this.#boundary}`;
    this.#parts = parts;
    this.#files = files[Symbol.asyncIterator]();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const [name, value] of Object.entries(this.#parts)) {
        yield this.#head(`name="${name}"`, 'application/json');
        yield encoder.encode(`${JSON.stringify(value)}\r\n`);
      }
      for (;;) {
        const next = await this.#pull(this.#files);
        if (next.done) break;
        const { name, contentType = 'application/octet-stream', open } = next.value;
        yield this.#head(`name="files"; filename="${escapeName(name)}"`, contentType);
        const file = open();
        const chunks = file[Symbol.asyncIterator]();
        this.#closeFile = () => close(file, chunks);
        for (;;) {
          const chunk = await this.#pull(chunks);
          if (chunk.done) break;
          yield chunk.value;
        }
        this.#closeFile = null;
        yield encoder.encode('\r\n');
      }
      this.isComplete = true;
      yield encoder.encode(`--${this.#boundary}--\r\n`);
    } finally {
      this.stop();
    }
  }

  #head(disposition: string, type: string): Uint8Array {
    return encoder.encode(
      `--${this.#boundary}\r\n` +
        `Content-Disposition: form-data; ${disposition}\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    );
  }

  /**
   * Reads the next item of a source. `stop` rejects the wait, because a silent source may never end it. It creates a
   * single promise and no `Promise.race`: this runs for every chunk of a file, and each allocation counts.
   */
  #pull<T>(source: AsyncIterator<T>): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      const stopped = (): void => {
        this.isWaitingForSource = false;
        reject(new Error('stopped'));
      };
      if (this.#isStopped) return stopped();
      this.#interrupt = stopped;
      this.isWaitingForSource = true;
      const startedAt = performance.now();
      source.next().then(
        (result) => {
          this.isWaitingForSource = false;
          this.waitedForSourceMs += performance.now() - startedAt;
          return resolve(result);
        },
        (error: unknown) => {
          this.isWaitingForSource = false;
          if (!this.#isStopped) this.failure = { error };
          reject(error);
        },
      );
    });
  }

  /** Ends the body and destroys the open file. Can be called at any time and more than once. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#interrupt?.();
    this.#closeFile?.();
    // The body has ended, so errors of closing the source are irrelevant.
    this.#files.return?.().catch(() => {});
  }
}

/** Destroys without an error: a stream without listeners would raise it in the process. */
function close(file: AsyncIterable<Uint8Array>, chunks: AsyncIterator<Uint8Array>): void {
  if ('destroy' in file && typeof file.destroy === 'function') file.destroy();
  else chunks.return?.().catch(() => {});
}

/** Escapes a file name as the HTML standard requires: UTF-8 unchanged; quotes and line breaks are percent-encoded. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
