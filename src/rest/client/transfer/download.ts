import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Download } from '../../../model/document.ts';
import { codingsOf, type Coding } from '../content-coding.ts';
import { singleValue } from '../header-values.ts';
import { readErrorFrom } from '../read-request.ts';
import { RestError, isHtml, statusError } from '../rest-error.ts';
import type { TransportError } from '../request-handler.ts';
import type { UpstreamCall } from '../upstream-call.ts';
import { UpstreamRequest, type Upstream } from '../upstream-request.ts';
import { minorGcAfter } from './minor-gc.ts';
import { openStream, type StreamedResponse } from './response-stream.ts';

/** A request for a file of the DMS. */
export interface DownloadCall extends UpstreamCall {
  readonly method: 'GET' | 'HEAD';
  /** Value of the Range header. */
  readonly range?: string | undefined;
  /** Value of the If-Range header. */
  readonly ifRange?: string | undefined;
  /** Content codings in which the client accepts the file. Default: none, so that the file is decoded. */
  readonly codings?: readonly Coding[];
}

/**
 * A read of a file as a stream.
 *
 * Until the head of the response arrives, the time limits and retries of reads apply. After that, the transfer is not
 * retried. It ends if the DMS sends nothing for `transferIdleMs`, or if the DMS or the client is slower than
 * `minTransferRate`. It also ends when the client disconnects or the stream is destroyed.
 */
export class DownloadRequest extends UpstreamRequest<StreamedResponse, Download> {
  override readonly ownHeaders: readonly string[];
  override readonly retries: number;
  override readonly codings: readonly Coding[];
  /** Whether the DMS has sent the requested part with a coding that the client does not accept. No part can be decoded. */
  isPartUnreadable = false;
  readonly #isPart: boolean;
  readonly #acceptedCodings: readonly Coding[];

  /** @throws {RestError} `BAD_USER_INPUT` for headers that cannot be sent */
  constructor(upstream: Upstream, call: DownloadCall) {
    super(upstream, call);
    this.ownHeaders = requestHeaders(call, this.line);
    this.retries = upstream.retries;
    this.#isPart = call.range !== undefined;
    this.#acceptedCodings = call.codings ?? [];
    this.codings = upstream.codings.filter((coding) => this.#acceptedCodings.includes(coding));
  }

  readonly #leave = (): void => this.cancelToken.cancel(new RestError('CANCELLED', this.line));

  override follow(): void {
    this.call.budget.signal.addEventListener('abort', this.#leave);
  }

  override unfollow(): void {
    this.call.budget.signal.removeEventListener('abort', this.#leave);
  }

  override send(): Promise<StreamedResponse> {
    const { transfers, timeoutMs, transferIdleMs, minTransferRate, observer } = this.upstream;
    const leftMs = Math.max(1, this.call.budget.deadlineAt - performance.now());
    return openStream(transfers, this.outgoing(), {
      headMs: Math.min(timeoutMs, leftMs),
      idleMs: transferIdleMs,
      minRate: minTransferRate,
      acceptedCodings: this.#acceptedCodings,
      cancelToken: this.cancelToken,
      toRestError: (error) => this.#errorFrom(error),
      onBytes: (bytes) => {
        observer.bytesMoved('download', bytes);
        minorGcAfter(bytes);
      },
    });
  }

  /** @throws {RestError} for every status except 200, 416 and, if a range was requested, 206 */
  override read(response: StreamedResponse): Download {
    const problem = this.#problemOf(response);
    if (problem !== null) {
      response.body.destroy();
      throw problem;
    }
    return response.status === 416 ? unsatisfiableRange(response) : downloadFrom(response);
  }

  #errorFrom(error: TransportError): RestError {
    const { line, cancelToken } = this;
    if (error.kind === 'cancelled' && cancelToken.reason === null) {
      return new RestError('CANCELLED', line, {
        expected: 'a client that reads the file',
        cause: error,
      });
    }
    const waitedMs = error.status === null ? this.waitedMs : this.upstream.transferIdleMs;
    return readErrorFrom(error, line, waitedMs, cancelToken);
  }

  /** Null if the response is the file, or the requested part of it. */
  #problemOf(response: StreamedResponse): RestError | null {
    const { status } = response;
    switch (status) {
      case 200:
        return isHtmlPage(response)
          ? new RestError('UPSTREAM_ERROR', this.line, { status, expected: 'a file', got: 'HTML' })
          : null;
      case 206:
        return this.#problemOfPart(response);
      case 416:
        return null;
      default:
        return statusError(this.line, response);
    }
  }

  #problemOfPart({ status, headers }: StreamedResponse): RestError | null {
    const codings = codingsOf(headers);
    this.isPartUnreadable = !codings.every((coding) => this.#acceptedCodings.includes(coding));
    if (this.#isPart && !this.isPartUnreadable) return null;
    const expected = this.#isPart ? 'a part without a content coding' : 'the complete file';
    return new RestError('UPSTREAM_ERROR', this.line, { status, expected });
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
    // The codings of a body are a list, of which each member counts.
    const value = name === 'content-encoding' ? headers[name] : singleValue(headers, name);
    if (value != null) found[name] = [value].flat().join(', ');
  }
  return found;
}
