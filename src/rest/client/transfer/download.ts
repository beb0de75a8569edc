import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Download } from '../../../model/transfer.ts';
import type { Call } from '../upstream-call.ts';
import { requestLine } from '../upstream-call.ts';
import { Cancel } from '../resilience/cancel-token.ts';
import { RestError } from '../rest-error.ts';
import type { Fault } from '../send-request.ts';
import { explainRead } from '../read-request.ts';
import { reclaimAfter } from './minor-gc.ts';
import { waitBeforeRepeat } from '../resilience/retry.ts';
import { isHtml, statusError } from '../response-status.ts';
import { openStream } from './response-stream.ts';
import type { Opened } from './response-stream.ts';
import type { Upstream } from '../upstream.ts';

export interface DownloadCall extends Call {
  readonly method: 'GET' | 'HEAD';
  /** Value of the Range header. */
  readonly range?: string | undefined;
  /** Value of the If-Range header. */
  readonly ifRange?: string | undefined;
}

/**
 * Opens a file of the DMS as a stream.
 *
 * Until the head of the answer is there it is bounded and repeated as any read; afterwards by silence of the DMS of
 * `timeoutMs` and by the least that the DMS must send and a client must take (`minTransferRate`), and never repeated.
 * The client's leaving ends it at any time, and so does destroying `body`.
 */
export async function download(upstream: Upstream, call: DownloadCall): Promise<Download> {
  const { operation } = call;
  const request = requestLine(call);
  const over = operation.over(request);
  if (over !== null) throw over;
  const headers = requestHeaders(call, request);
  operation.spend(request);
  const cancel = new Cancel();
  const leave = (): void => cancel.cancel(new RestError('CANCELLED', request));
  const end = (): void => {
    operation.signal.removeEventListener('abort', leave);
    operation.leave();
  };
  const place = operation.enter(cancel);
  operation.signal.addEventListener('abort', leave);
  try {
    if (place !== undefined) await place;
  } catch (error) {
    operation.signal.removeEventListener('abort', leave);
    throw error;
  }
  try {
    const opened = await open(upstream, call, { headers, request, cancel });
    whenClosed(opened.body, end);
    return opened.status === 416 ? unsatisfiable(opened) : passedOn(opened);
  } catch (error) {
    end();
    throw error;
  }
}

interface Opening {
  readonly headers: readonly string[];
  readonly request: string;
  readonly cancel: Cancel;
}

async function open(upstream: Upstream, call: DownloadCall, opening: Opening): Promise<Opened> {
  const { retries, observer } = upstream;
  const { deadlineAt } = call.operation;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openOnce(upstream, call, opening, attempt);
    } catch (error) {
      const waitMs = waitBeforeRepeat(error, attempt, { retries, deadlineAt });
      if (waitMs === null || !call.operation.hasBudget()) throw error;
      call.operation.spend(opening.request);
      observer.retried(`${call.method} ${call.route}`);
      await opening.cancel.sleep(waitMs);
    }
  }
}

async function openOnce(
  { transport, transfers, observer, timeoutMs, minTransferRate }: Upstream,
  call: DownloadCall,
  { headers, request, cancel }: Opening,
  number: number,
): Promise<Opened> {
  const leftMs = Math.max(1, call.operation.deadlineAt - performance.now());
  const opened = await transport.attempt(call, {
    number,
    lane: transfers,
    cancel,
    headers,
    keepsPlace: true,
    send: (dispatcher, outgoing) =>
      openStream(dispatcher, outgoing, {
        headMs: Math.min(timeoutMs, leftMs),
        idleMs: timeoutMs,
        minRate: minTransferRate,
        cancel,
        explain: (fault) => explainBody(fault, request, timeoutMs, cancel),
        onBytes: (bytes) => {
          observer.bytesMoved('download', bytes);
          reclaimAfter(bytes);
        },
      }),
    explain: (fault, waitedMs) => explainRead(fault, request, waitedMs, cancel),
  });
  whenClosed(opened.body, () => transfers.gate.leave(call.caller.key));
  const { status } = opened;
  if ((status === 200 && !isPage(opened)) || status === 206 || status === 416) return opened;
  opened.body.destroy();
  throw status === 200
    ? new RestError('UPSTREAM_ERROR', request, { status, expected: 'a file', got: 'HTML' })
    : statusError(request, opened);
}

/** A body that failed in the same turn as its head came has told that before anybody could listen. */
function whenClosed(body: Readable, listener: () => void): void {
  if (body.closed) listener();
  else body.once('close', listener);
}

/** A page to sign in, or the like. The DMS sends a file of HTML as an attachment (specification, Documents 2). */
function isPage({ headers }: Opened): boolean {
  return headers['content-disposition'] === undefined && isHtml(headers);
}

function explainBody(fault: Fault, request: string, waitedMs: number, cancel: Cancel): RestError {
  if (fault.kind !== 'cancelled' || cancel.reason !== null) {
    return explainRead(fault, request, waitedMs, cancel);
  }
  return new RestError('CANCELLED', request, {
    expected: 'a client that takes the file',
    cause: fault,
  });
}

// oxlint-disable-next-line no-control-regex
const unfitForHeaders = /[^\u0020-\u007e]/;

function requestHeaders({ range, ifRange }: DownloadCall, request: string): string[] {
  const headers = ['accept', '*/*'];
  for (const [name, value] of [
    ['range', range],
    ['if-range', ifRange],
  ] as const) {
    if (value === undefined) continue;
    if (value.length > 500 || unfitForHeaders.test(value)) {
      throw new RestError('BAD_USER_INPUT', request, { expected: `a ${name} header` });
    }
    headers.push(name, value);
  }
  return headers;
}

const describingHeaders = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-encoding',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
];

function passedOn({ status, headers, body }: Opened): Download {
  return { status, headers: picked(headers, describingHeaders), body };
}

/** The body of a refusal is the DMS's own text and says nothing about the file. */
function unsatisfiable({ status, headers, body }: Opened): Download {
  body.destroy();
  return {
    status,
    headers: picked(headers, ['content-range', 'accept-ranges']),
    body: Readable.from([]),
  };
}

function picked(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
