import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { conditionHeaders, type Conditions, type Download } from '../../../model/document.ts';
import { runCall, type Call, type Upstream } from '../call/call.ts';
import { readErrorFrom } from '../call/read.ts';
import { userKeyOf } from '../caller.ts';
import { requestLine, RestError, statusError } from '../rest-error.ts';
import { codingsOf, type Coding } from '../transport/content-coding.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { isHtml, singleValue } from '../transport/header-values.ts';
import { isPartOfSameFile, mayAnswer, statusOfPreconditions } from './preconditions.ts';
import { openStream, type StreamedResponse } from './response-stream.ts';
import type { Transfers } from './transfers.ts';

export interface DownloadCall extends Call {
  readonly method: 'GET' | 'HEAD';
  readonly conditions?: Conditions;
  /** Content codings in which the client accepts the file. Default: none, so that the file is decoded. */
  readonly codings?: readonly Coding[];
}

/**
 * Until the head of the response arrives, the time limits and retries of reads apply. After that, the transfer is not
 * retried. If the client cannot use the part that the DMS sends, the whole file is requested.
 */
export async function download(
  upstream: Upstream,
  transfers: Transfers,
  call: DownloadCall,
): Promise<Download> {
  const { conditions = {}, codings: accepted = [], budget } = call;
  const request = requestLine(call);
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = (): void => controller.abort(new RestError('CANCELLED', request));
  budget.signal.addEventListener('abort', cancel);
  const unfollow = (): void => budget.signal.removeEventListener('abort', cancel);
  let isPartUnusable = false;
  try {
    const file = await runCall(upstream, call, {
      connections: transfers,
      signal,
      headers: requestHeaders(conditions, request),
      codings: upstream.codings.filter((coding) => accepted.includes(coding)),
      retries: upstream.retries,
      deadlineAt: () => budget.deadlineAt,
      send(outgoing, sentAt) {
        const leftMs = Math.max(1, budget.deadlineAt - sentAt);
        return openStream(transfers.dispatcher, outgoing, {
          headMs: Math.min(upstream.timeoutMs, leftMs),
          idleMs: transfers.idleMs,
          minRate: transfers.minRate,
          acceptedCodings: accepted,
          signal,
          decoders: { semaphore: transfers.decoders, key: userKeyOf(call.caller) },
          toRestError: (error) =>
            downloadErrorFrom(error, request, signal, {
              waitedMs: error.status === null ? performance.now() - sentAt : transfers.idleMs,
            }),
          onBytes: (bytes) => upstream.observer.bytesMoved('download', bytes),
        });
      },
      errorFrom: (error, waitedMs) => downloadErrorFrom(error, request, signal, { waitedMs }),
      parse(response) {
        isPartUnusable = isUnusablePart(response, conditions, accepted);
        return fileFrom(request, response, conditions, isPartUnusable);
      },
    });
    if (file.body.closed) unfollow();
    else file.body.once('close', unfollow);
    return file;
  } catch (error) {
    unfollow();
    if (!isPartUnusable) throw error;
    const { range: _range, 'if-range': _ifRange, ...others } = conditions;
    return download(upstream, transfers, { ...call, conditions: others });
  }
}

function downloadErrorFrom(
  error: TransportError,
  request: string,
  signal: AbortSignal,
  { waitedMs }: { readonly waitedMs: number },
): RestError {
  if (error.kind === 'cancelled' && !signal.aborted) {
    const expected = 'a client that reads the file';
    return new RestError('CANCELLED', request, { expected, cause: error });
  }
  return readErrorFrom(error, request, waitedMs, signal);
}

/**
 * Whether the client cannot use the part that the DMS has sent: it has a coding that the client does not accept, and no
 * part can be decoded, or it is of another file than `If-Range` names.
 */
function isUnusablePart(
  response: StreamedResponse,
  conditions: Conditions,
  accepted: readonly Coding[],
): boolean {
  const { status, headers } = response;
  if ((status !== 206 && status !== 416) || conditions.range === undefined) return false;
  const isReadable =
    status === 416 || codingsOf(headers).every((coding) => accepted.includes(coding));
  return !isReadable || !isPartOfSameFile(conditions, response);
}

function fileFrom(
  request: string,
  response: StreamedResponse,
  conditions: Conditions,
  isPartUnusable: boolean,
): Download {
  const { status, headers, body } = response;
  const problem = isPartUnusable
    ? new RestError('UPSTREAM_ERROR', request, {
        status,
        expected: 'a part that the client can use',
      })
    : problemOf(request, response, conditions);
  if (problem !== null) {
    body.destroy();
    throw problem;
  }
  // RFC 9110, section 15.5.17: a response with status 416 need not have validators.
  const isDecidable = status !== 416 || 'etag' in headers || 'last-modified' in headers;
  const required = isDecidable ? statusOfPreconditions(conditions, headers) : null;
  if (required !== null) return withoutContent(required, response);
  if (status !== 200 && status !== 206) return withoutContent(status, response);
  return { status, headers: pickHeaders(headers, contentHeaders), body };
}

function problemOf(
  request: string,
  response: StreamedResponse,
  conditions: Conditions,
): RestError | null {
  const { status } = response;
  switch (status) {
    case 200:
      return isHtmlPage(response)
        ? new RestError('UPSTREAM_ERROR', request, { status, expected: 'a file', got: 'HTML' })
        : null;
    case 206:
    case 416:
      return conditions.range === undefined
        ? new RestError('UPSTREAM_ERROR', request, { status, expected: 'the complete file' })
        : null;
    default:
      return mayAnswer(status, conditions) ? null : statusError(request, response);
  }
}

/**
 * Whether the response is a login page or similar. The DMS sends an HTML file as an attachment (REST spec, Documents
 * 2).
 */
function isHtmlPage({ headers }: StreamedResponse): boolean {
  return headers['content-disposition'] === undefined && isHtml(headers);
}

// oxlint-disable-next-line no-control-regex
const notInHeaders = /[^\u0020-\u007e]/;

function requestHeaders(conditions: Conditions, request: string): string[] {
  const headers = ['accept', '*/*'];
  for (const name of conditionHeaders) {
    const value = conditions[name];
    if (value === undefined) continue;
    if (value.length > 500 || notInHeaders.test(value)) {
      throw new RestError('BAD_USER_INPUT', request, {
        expected: `at most 500 printable ASCII characters in ${name}`,
      });
    }
    headers.push(name, value);
  }
  return headers;
}

const validators = ['etag', 'last-modified'];
const contentHeaders = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-encoding',
  'content-range',
  'accept-ranges',
  ...validators,
];

function withoutContent(status: number, { headers, body }: StreamedResponse): Download {
  body.destroy();
  const names = status === 416 ? ['content-range', 'accept-ranges'] : validators;
  return { status, headers: pickHeaders(headers, names), body: Readable.from([]) };
}

function pickHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    // The codings of a body are a list, of which each member counts.
    const value = name === 'content-encoding' ? headers[name] : singleValue(headers, name);
    if (value != null) found[name] = [value].flat().join(', ');
  }
  return found;
}
