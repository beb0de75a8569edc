import type { UploadFile } from '../../../model/transfer.ts';
import type { Call } from '../upstream-call.ts';
import { requestLine } from '../upstream-call.ts';
import { Cancel } from '../resilience/cancel-token.ts';
import { RestError } from '../rest-error.ts';
import { exchange } from '../send-request.ts';
import type { Fault, Incoming } from '../send-request.ts';
import { createMultipart } from './multipart-body.ts';
import type { MultipartBody } from './multipart-body.ts';
import { reclaimAfter } from './minor-gc.ts';
import { ClientRate } from './transfer-rate.ts';
import type { Upstream, WriteAnswer } from '../upstream.ts';
import { writeAnswer } from '../write-request.ts';

export interface UploadCall extends Call {
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
export async function upload(upstream: Upstream, call: UploadCall): Promise<WriteAnswer> {
  const { operation } = call;
  const request = requestLine(call);
  const body = createMultipart(call.parts, call.files);
  const cancel = new Cancel();
  const leave = (): void => cancel.cancel(new RestError('CANCELLED', request));
  const startedAt = performance.now();
  operation.signal.addEventListener('abort', leave);
  try {
    const over = operation.over(request);
    if (over !== null) throw over;
    operation.spend(request);
    const place = operation.enter(cancel);
    if (place !== undefined) await place;
    try {
      const incoming = await send(upstream, call, { body, cancel, request });
      return answered(request, incoming, body);
    } finally {
      operation.leave();
    }
  } catch (error) {
    throw body.failure === null ? error : body.failure.error;
  } finally {
    operation.signal.removeEventListener('abort', leave);
    operation.forgive(startedAt);
    body.stop();
  }
}

interface Sending {
  readonly body: MultipartBody;
  readonly cancel: Cancel;
  readonly request: string;
}

function send(
  { transport, transfers, observer, timeoutMs, maxAnswerBytes, minTransferRate }: Upstream,
  call: UploadCall,
  { body, cancel, request }: Sending,
): Promise<Incoming> {
  return transport.attempt(call, {
    number: 1,
    lane: transfers,
    cancel,
    headers: ['accept', 'application/json', 'content-type', body.contentType],
    body,
    send: async (dispatcher, outgoing) => {
      const idle = setTimeout(() => cancel.cancel(silence(request, body, timeoutMs)), timeoutMs);
      const rate = new ClientRate(minTransferRate);
      let sentBytes = 0;
      try {
        return await exchange(dispatcher, outgoing, {
          timeoutMs: null,
          maxBytes: maxAnswerBytes,
          cancel,
          onBodySent: (bytes) => {
            idle.refresh();
            observer.bytesMoved('upload', bytes);
            reclaimAfter(bytes);
            sentBytes += bytes;
            const isTooSlow = rate.isTooSlow(body.waitedForSourceMs, sentBytes);
            if (isTooSlow && !body.isWhole) cancel.cancel(tooSlow(request));
          },
        });
      } finally {
        clearTimeout(idle);
      }
    },
    explain: (fault, waitedMs) => explainUpload(fault, request, waitedMs, { body, cancel }),
  });
}

function silence(request: string, body: MultipartBody, waitedMs: number): RestError {
  return body.waitsForSource
    ? new RestError('CANCELLED', request, { waitedMs, expected: 'more of the file' })
    : new RestError('UPSTREAM_TIMEOUT', request, {
        waitedMs,
        expected: 'the file to be taken',
        retryable: false,
      });
}

function tooSlow(request: string): RestError {
  return new RestError('CANCELLED', request, { expected: 'the file at the minimum rate' });
}

/**
 * An answer that came before the whole body counts where it refuses; where it does not, it cannot be true. 408 before
 * that is what it says: nothing can have been created.
 */
function answered(request: string, incoming: Incoming, body: MultipartBody): WriteAnswer {
  if (incoming.status === 408 && !body.isWhole) {
    throw new RestError('UPSTREAM_UNAVAILABLE', request, { status: 408, retryable: false });
  }
  if (incoming.status < 300 && !body.isWhole) {
    throw new RestError('OUTCOME_UNKNOWN', request, {
      status: incoming.status,
      expected: 'no success before the end of the upload',
    });
  }
  return writeAnswer(request, incoming, true);
}

function explainUpload(
  fault: Fault,
  request: string,
  waitedMs: number,
  { body, cancel }: Pick<Sending, 'body' | 'cancel'>,
): RestError {
  // The file failed, not the DMS; its own error takes the place of this one.
  if (body.failure !== null) return new RestError('CANCELLED', request);
  const details = { status: fault.status, waitedMs, cause: fault };
  if (body.isWhole && fault.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (fault.kind === 'cancelled' && cancel.reason !== null) return cancel.reason;
  // Without its last byte the DMS has no body to create anything from; but the files are used up.
  return new RestError('UPSTREAM_UNAVAILABLE', request, { ...details, retryable: !fault.sent });
}
