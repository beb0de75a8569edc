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

/** A write with files. */
export interface UploadCall extends UpstreamCall {
  readonly method: 'POST';
  /** JSON parts by name. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly files: AsyncIterable<UploadFile>;
}

/**
 * Streams files to the DMS, with at most one request.
 *
 * There is no limit on the total time, and the time is added to the operation's deadline. An upload ends if no data
 * moves for `transferIdleMs`, or if the client is slower than `minTransferRate`. If the client disconnects or a file
 * fails, the upload ends before the DMS has a complete body. In all cases the open file is destroyed or read to its
 * end, and `files` is closed.
 *
 * @throws the error of a file's stream, unchanged; otherwise {RestError}
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
      return await uploadResponseFrom(upstream, request, response, body);
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
    transferIdleMs,
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
        () => cancelToken.cancel(idleError(request, body, transferIdleMs)),
        transferIdleMs,
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
 * Interprets a response that may precede the end of the body. An error status is valid, and 408 means that nothing was
 * created. A success status is implausible.
 */
function uploadResponseFrom(
  { largeBodies }: Upstream,
  request: string,
  response: BufferedResponse,
  body: MultipartBody,
): Promise<WriteResponse> {
  if (response.status === 408 && !body.isComplete) {
    throw new RestError('UPSTREAM_UNAVAILABLE', request, { status: 408, retryable: false });
  }
  if (response.status < 300 && !body.isComplete) {
    throw new RestError('OUTCOME_UNKNOWN', request, {
      status: response.status,
      expected: 'no success status before the end of the upload',
    });
  }
  return writeResponseFrom(largeBodies, request, response, true);
}

function uploadErrorFrom(
  error: TransportError,
  request: string,
  waitedMs: number,
  { body, cancelToken }: Pick<UploadState, 'body' | 'cancelToken'>,
): RestError {
  // The file failed, not the DMS. The caller throws the file's error instead.
  if (body.failure !== null) return new RestError('CANCELLED', request);
  const details = { status: error.status, waitedMs, cause: error };
  if (body.isComplete && error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'cancelled' && cancelToken.reason !== null) return cancelToken.reason;
  // The body was incomplete, so the DMS has not created anything. Retrying is not possible once parts of the files were
  // read.
  return new RestError('UPSTREAM_UNAVAILABLE', request, { ...details, retryable: !error.sent });
}
