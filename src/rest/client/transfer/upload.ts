import { randomUUID } from 'node:crypto';
import type { UploadFile } from '../../../model/document.ts';
import { runCall, type Call, type CallResult, type Upstream } from '../call/call.ts';
import { writeHeaders, writeResult } from '../call/write.ts';
import { requestLine, RestError } from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import { TransferRateMonitor, type Transfers } from './transfers.ts';

export interface UploadCall extends Call {
  readonly method: 'POST';
  readonly parts: Readonly<Record<string, unknown>>;
  readonly files: AsyncIterable<UploadFile>;
}

export async function upload(
  upstream: Upstream,
  transfers: Transfers,
  call: UploadCall,
): Promise<CallResult> {
  const { budget } = call;
  const { idleMs } = transfers;
  const { maxResponseBytes: maxBytes, batch, observer } = upstream;
  const request = requestLine(call);
  const body = new MultipartBody(call.parts, call.files);
  const rate = new TransferRateMonitor(transfers.minRate);
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = (): void => controller.abort(new RestError('CANCELLED', request));
  let idle: NodeJS.Timeout | undefined;
  let sentBytes = 0;
  budget.signal.addEventListener('abort', cancel);
  try {
    return await runCall(upstream, call, {
      connections: transfers,
      signal,
      headers: writeHeaders(body.contentType),
      codings: upstream.codings,
      retries: 0,
      deadlineAt: () => budget.deadlineAt,
      send(outgoing) {
        idle = setTimeout(() => controller.abort(idleError(request, body, idleMs)), idleMs);
        const sent = { ...outgoing, body };
        return sendRequest(transfers.dispatcher, sent, {
          timeoutMs: null,
          maxBytes,
          batch,
          signal,
          onBodySent(bytes) {
            idle?.refresh();
            observer.bytesMoved('upload', bytes);
            sentBytes += bytes;
            if (!rate.isTooSlow(body.waitedForSourceMs, sentBytes) || body.isComplete) return;
            const expected = 'data of the file at the minimum rate';
            controller.abort(new RestError('CANCELLED', request, { expected }));
          },
        });
      },
      errorFrom: (error, waitedMs) => uploadErrorFrom(error, { request, body, signal, waitedMs }),
      parse: (response) => uploadResult(request, response, body),
    });
  } catch (error) {
    throw body.failure?.error ?? error;
  } finally {
    clearTimeout(idle);
    budget.signal.removeEventListener('abort', cancel);
    budget.extendDeadline(startedAt);
    body.stop();
  }
}

interface FailedUpload {
  readonly request: string;
  readonly body: MultipartBody;
  readonly signal: AbortSignal;
  readonly waitedMs: number;
}

function uploadErrorFrom(
  error: TransportError,
  { request, body, signal, waitedMs }: FailedUpload,
): RestError {
  // The file failed, not the DMS. The file's error is thrown instead.
  if (body.failure !== null) return new RestError('CANCELLED', request);
  const details = { status: error.status, waitedMs, cause: error };
  if (body.isComplete && error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'cancelled' && signal.reason instanceof RestError) return signal.reason;
  // The body was incomplete, so the DMS has not created anything. Retrying is not possible once parts of the files
  // were read.
  return new RestError('UPSTREAM_UNAVAILABLE', request, { ...details, retryable: !error.sent });
}

/**
 * Interprets a response that may precede the end of the body. An error status is valid, and 408 means that nothing was
 * created. A success status is implausible.
 */
function uploadResult(
  request: string,
  response: BufferedResponse,
  { isComplete }: MultipartBody,
): CallResult {
  const { status } = response;
  if (status === 408 && !isComplete) {
    throw new RestError('UPSTREAM_UNAVAILABLE', request, { status, retryable: false });
  }
  if (status < 300 && !isComplete) {
    const expected = 'no success status before the end of the upload';
    throw new RestError('OUTCOME_UNKNOWN', request, { status, expected });
  }
  return writeResult(request, response, true);
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
 * Generated while it is sent, so that memory use does not depend on the size of the files. If a file fails, the body
 * fails before its closing boundary, so that the receiver never mistakes a truncated file for a complete one.
 */
export class MultipartBody implements AsyncIterable<Uint8Array> {
  readonly contentType: string;
  isComplete = false;
  isWaitingForSource = false;
  waitedForSourceMs = 0;
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

function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
