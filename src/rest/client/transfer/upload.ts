import type { UploadFile } from '../../../model/transfer.ts';
import type { UpstreamCall } from '../upstream-call.ts';
import { requestLine } from '../upstream-call.ts';
import { CancelToken } from '../resilience/cancel-token.ts';
import { RestError } from '../rest-error.ts';
import { sendRequest } from '../send-request.ts';
import type { TransportError, BufferedResponse } from '../send-request.ts';
import { createMultipartBody } from './multipart-body.ts';
import type { MultipartBody } from './multipart-body.ts';
import { minorGcAfter } from './minor-gc.ts';
import { TransferRateMonitor } from './transfer-rate.ts';
import type { Upstream, WriteResponse } from '../upstream.ts';
import { writeResponseFrom } from '../write-request.ts';

export interface UploadCall extends UpstreamCall {
  readonly method: 'POST';
  /** JSON parts by name. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly files: AsyncIterable<UploadFile>;
}

/**
 * Streams files to the DMS, in one request at most.
 *
 * It may take as long as it moves: silence of `timeoutMs` ends it, and so does a client that sends less than
 * `minTransferRate`; the operation's deadline does not, and the time it took is not counted against that. A client that
 * leaves, or a file that fails, ends it before the DMS has a whole body. Whatever happens, the open file is destroyed or
 * read to its end, and `files` is closed.
 *
 * @throws what a file's stream failed with, as it is; else {RestError}
 */
export async function upload(upstream: Upstream, call: UploadCall): Promise<WriteResponse> {
  const { budget } = call;
  const request = requestLine(call);
  const body = createMultipartBody(call.parts, call.files);
  const cancelToken = new CancelToken();
  const leave = (): void => cancelToken.cancel(new RestError('CANCELLED', request));
  const startedAt = performance.now();
  budget.signal.addEventListener('abort', leave);
  try {
    const endReason = budget.endReason(request);
    if (endReason !== null) throw endReason;
    budget.consumeCall(request);
    const slot = budget.acquireSlot(cancelToken);
    if (slot !== undefined) await slot;
    try {
      const response = await send(upstream, call, { body, cancelToken, request });
      return uploadResponseFrom(request, response, body);
    } finally {
      budget.releaseSlot();
    }
  } catch (error) {
    throw body.failure === null ? error : body.failure.error;
  } finally {
    budget.signal.removeEventListener('abort', leave);
    budget.extendDeadline(startedAt);
    body.stop();
  }
}

interface UploadState {
  readonly body: MultipartBody;
  readonly cancelToken: CancelToken;
  readonly request: string;
}

function send(
  {
    transport,
    transferPool: transfers,
    observer,
    timeoutMs,
    maxResponseBytes,
    minTransferRate,
  }: Upstream,
  call: UploadCall,
  { body, cancelToken, request }: UploadState,
): Promise<BufferedResponse> {
  return transport.attempt(call, {
    number: 1,
    pool: transfers,
    cancelToken,
    headers: ['accept', 'application/json', 'content-type', body.contentType],
    body,
    send: async (dispatcher, outgoing) => {
      const idle = setTimeout(
        () => cancelToken.cancel(idleError(request, body, timeoutMs)),
        timeoutMs,
      );
      const rate = new TransferRateMonitor(minTransferRate);
      let sentBytes = 0;
      try {
        return await sendRequest(dispatcher, outgoing, {
          timeoutMs: null,
          maxBytes: maxResponseBytes,
          cancelToken,
          onBodySent: (bytes) => {
            idle.refresh();
            observer.bytesMoved('upload', bytes);
            minorGcAfter(bytes);
            sentBytes += bytes;
            const isTooSlow = rate.isTooSlow(body.waitedForSourceMs, sentBytes);
            if (isTooSlow && !body.isComplete) cancelToken.cancel(tooSlowError(request));
          },
        });
      } finally {
        clearTimeout(idle);
      }
    },
    toRestError: (error, waitedMs) =>
      uploadErrorFrom(error, request, waitedMs, { body, cancelToken }),
  });
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

/**
 * An answer that came before the whole body counts where it refuses; where it does not, it cannot be true. 408 before
 * that is what it says: nothing can have been created.
 */
function uploadResponseFrom(
  request: string,
  response: BufferedResponse,
  body: MultipartBody,
): WriteResponse {
  if (response.status === 408 && !body.isComplete) {
    throw new RestError('UPSTREAM_UNAVAILABLE', request, { status: 408, retryable: false });
  }
  if (response.status < 300 && !body.isComplete) {
    throw new RestError('OUTCOME_UNKNOWN', request, {
      status: response.status,
      expected: 'no success status before the end of the upload',
    });
  }
  return writeResponseFrom(request, response, true);
}

function uploadErrorFrom(
  error: TransportError,
  request: string,
  waitedMs: number,
  { body, cancelToken }: Pick<UploadState, 'body' | 'cancelToken'>,
): RestError {
  // The file failed, not the DMS; its own error replaces this one.
  if (body.failure !== null) return new RestError('CANCELLED', request);
  const details = { status: error.status, waitedMs, cause: error };
  if (body.isComplete && error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'cancelled' && cancelToken.reason !== null) return cancelToken.reason;
  // Without its last byte the DMS has no body to create anything from; but the files are used up.
  return new RestError('UPSTREAM_UNAVAILABLE', request, { ...details, retryable: !error.sent });
}
