import type { UploadFile } from '../../../model/transfer.ts';
import { RestError } from '../rest-error.ts';
import { sendRequest } from '../send-request.ts';
import type { BufferedResponse, TransportError } from '../send-request.ts';
import type { UpstreamCall, WriteResponse } from '../upstream-call.ts';
import type { Upstream } from '../upstream-request.ts';
import { WriteRequest } from '../write-request.ts';
import { createMultipartBody } from './multipart-body.ts';
import type { MultipartBody } from './multipart-body.ts';
import { minorGcAfter } from './minor-gc.ts';
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
    const body = createMultipartBody(call.parts, call.files);
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
    minorGcAfter(bytes);
    this.#sentBytes += bytes;
    const isTooSlow = this.#rate.isTooSlow(this.#body.waitedForSourceMs, this.#sentBytes);
    if (isTooSlow && !this.#body.isComplete) this.cancelToken.cancel(tooSlowError(this.line));
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
  override async read(response: BufferedResponse): Promise<WriteResponse> {
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

function tooSlowError(request: string): RestError {
  return new RestError('CANCELLED', request, { expected: 'data of the file at the minimum rate' });
}
