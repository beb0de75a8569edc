import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Download } from '../../../model/transfer.ts';
import type { UpstreamCall } from '../upstream-call.ts';
import { requestLine } from '../upstream-call.ts';
import { CancelToken } from '../resilience/cancel-token.ts';
import { RestError } from '../rest-error.ts';
import type { TransportError } from '../send-request.ts';
import { readErrorFrom } from '../read-request.ts';
import { minorGcAfter } from './minor-gc.ts';
import { retryDelayMs } from '../resilience/retry.ts';
import { isHtml, statusError } from '../response-status.ts';
import { openStream } from './response-stream.ts';
import type { StreamedResponse } from './response-stream.ts';
import type { Upstream } from '../upstream.ts';

/** A request for a file of the DMS. */
export interface DownloadCall extends UpstreamCall {
  readonly method: 'GET' | 'HEAD';
  /** Value of the Range header. */
  readonly range?: string | undefined;
  /** Value of the If-Range header. */
  readonly ifRange?: string | undefined;
}

/**
 * Opens a file of the DMS as a stream.
 *
 * Until the head of the response arrives, the time limits and retries of reads apply. After that, the transfer is not
 * retried. It ends if the DMS sends nothing for `transferIdleMs`, or if the DMS or the client is slower than
 * `minTransferRate`. It also ends when the client disconnects or `body` is destroyed.
 *
 * @throws {RestError} for every status except 200, 416 and, if a range was requested, 206
 */
export async function download(upstream: Upstream, call: DownloadCall): Promise<Download> {
  const { budget } = call;
  const request = requestLine(call);
  const endReason = budget.endReason(request);
  if (endReason !== null) throw endReason;
  const headers = requestHeaders(call, request);
  budget.consumeCall(request);
  const cancelToken = new CancelToken();
  const leave = (): void => cancelToken.cancel(new RestError('CANCELLED', request));
  const end = (): void => {
    budget.signal.removeEventListener('abort', leave);
    budget.releaseSlot();
  };
  const slot = budget.acquireSlot(cancelToken);
  budget.signal.addEventListener('abort', leave);
  try {
    if (slot !== undefined) await slot;
  } catch (error) {
    budget.signal.removeEventListener('abort', leave);
    throw error;
  }
  try {
    const response = await open(upstream, call, { headers, request, cancelToken });
    whenClosed(response.body, end);
    return response.status === 416 ? unsatisfiableRange(response) : downloadFrom(response);
  } catch (error) {
    end();
    throw error;
  }
}

interface DownloadRequest {
  readonly headers: readonly string[];
  readonly request: string;
  readonly cancelToken: CancelToken;
}

async function open(
  upstream: Upstream,
  call: DownloadCall,
  request: DownloadRequest,
): Promise<StreamedResponse> {
  const { retries, observer } = upstream;
  const { deadlineAt } = call.budget;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openAttempt(upstream, call, request, attempt);
    } catch (error) {
      const waitMs = retryDelayMs(error, attempt, { retries, deadlineAt });
      if (waitMs === null || !call.budget.consumeRetry()) throw error;
      observer.retried(`${call.method} ${call.route}`);
      await request.cancelToken.sleep(waitMs);
    }
  }
}

async function openAttempt(
  {
    transport,
    transferPool: transfers,
    observer,
    timeoutMs,
    transferIdleMs,
    minTransferRate,
  }: Upstream,
  call: DownloadCall,
  { headers, request, cancelToken }: DownloadRequest,
  number: number,
): Promise<StreamedResponse> {
  const leftMs = Math.max(1, call.budget.deadlineAt - performance.now());
  const response = await transport.attempt<StreamedResponse>(call, {
    number,
    pool: transfers,
    cancelToken,
    headers,
    keepsSlot: true,
    whenEnded: ({ body }, listener) => whenClosed(body, () => listener(body.errored)),
    send: (dispatcher, outgoing) =>
      openStream(dispatcher, outgoing, {
        headMs: Math.min(timeoutMs, leftMs),
        idleMs: transferIdleMs,
        minRate: minTransferRate,
        cancelToken,
        toRestError: (error) => bodyErrorFrom(error, request, transferIdleMs, cancelToken),
        onBytes: (bytes) => {
          observer.bytesMoved('download', bytes);
          minorGcAfter(bytes);
        },
      }),
    toRestError: (error, waitedMs) => readErrorFrom(error, request, waitedMs, cancelToken),
  });
  whenClosed(response.body, () => transfers.semaphore.release(call.caller.key));
  const problem = problemOf(call, request, response);
  if (problem === null) return response;
  response.body.destroy();
  throw problem;
}

/** Null if the response is the file, or the requested part of it. */
function problemOf(
  { range }: DownloadCall,
  request: string,
  response: StreamedResponse,
): RestError | null {
  const { status } = response;
  switch (status) {
    case 200:
      return isHtmlPage(response)
        ? new RestError('UPSTREAM_ERROR', request, { status, expected: 'a file', got: 'HTML' })
        : null;
    case 206:
      return range === undefined
        ? new RestError('UPSTREAM_ERROR', request, { status, expected: 'the complete file' })
        : null;
    case 416:
      return null;
    default:
      return statusError(request, response);
  }
}

/**
 * Calls `listener` when the body is closed. A body that fails in the iteration of the event loop in which its head
 * arrives is already closed.
 */
function whenClosed(body: Readable, listener: () => void): void {
  if (body.closed) listener();
  else body.once('close', listener);
}

/**
 * Whether the response is a login page or similar. The DMS sends an HTML file as an attachment (REST spec, Documents
 * 2).
 */
function isHtmlPage({ headers }: StreamedResponse): boolean {
  return headers['content-disposition'] === undefined && isHtml(headers);
}

function bodyErrorFrom(
  error: TransportError,
  request: string,
  waitedMs: number,
  cancelToken: CancelToken,
): RestError {
  if (error.kind !== 'cancelled' || cancelToken.reason !== null) {
    return readErrorFrom(error, request, waitedMs, cancelToken);
  }
  return new RestError('CANCELLED', request, {
    expected: 'a client that reads the file',
    cause: error,
  });
}

// oxlint-disable-next-line no-control-regex
const notInHeaders = /[^\u0020-\u007e]/;

function requestHeaders({ range, ifRange }: DownloadCall, request: string): string[] {
  const headers = ['accept', '*/*'];
  for (const [name, value] of [
    ['range', range],
    ['if-range', ifRange],
  ] as const) {
    if (value === undefined) continue;
    if (value.length > 500 || notInHeaders.test(value)) {
      throw new RestError('BAD_USER_INPUT', request, { expected: `a ${name} header` });
    }
    headers.push(name, value);
  }
  return headers;
}

const contentHeaders = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-encoding',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
];

function downloadFrom({ status, headers, body }: StreamedResponse): Download {
  return { status, headers: pickHeaders(headers, contentHeaders), body };
}

/** The body of a 416 response is an error text of the DMS, not part of the file. */
function unsatisfiableRange({ status, headers, body }: StreamedResponse): Download {
  body.destroy();
  return {
    status,
    headers: pickHeaders(headers, ['content-range', 'accept-ranges']),
    body: Readable.from([]),
  };
}

function pickHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
