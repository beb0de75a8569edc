import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { conditionHeaders, type Conditions, type Download } from '../../../model/document.ts';
import { codingsOf, type Coding } from '../transport/content-coding.ts';
import { singleValue } from '../transport/header-values.ts';
import { readErrorFrom } from '../call/read.ts';
import { RestError, isHtml, statusError } from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import type { UpstreamCall } from '../call/call.ts';
import { UpstreamRequest, type Upstream } from '../call/upstream-request.ts';
import { isPartOfSameFile, mayAnswer, statusOfPreconditions } from './preconditions.ts';
import { openStream, type StreamedResponse } from './response-stream.ts';

/** A request for a file of the DMS. */
export interface DownloadCall extends UpstreamCall {
  readonly method: 'GET' | 'HEAD';
  /** Headers of the client. Default: none. */
  readonly conditions?: Conditions;
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
  /**
   * Whether the client cannot use the part that the DMS has sent: it has a coding that the client does not accept, and
   * no part can be decoded, or it is of another file than `If-Range` names.
   */
  isPartUnusable = false;
  readonly #conditions: Conditions;
  readonly #acceptedCodings: readonly Coding[];

  /** @throws {RestError} `BAD_USER_INPUT` for headers that cannot be sent */
  constructor(upstream: Upstream, call: DownloadCall) {
    super(upstream, call);
    this.#conditions = call.conditions ?? {};
    this.ownHeaders = requestHeaders(this.#conditions, this.line);
    this.retries = upstream.retries;
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
      onBytes: (bytes) => observer.bytesMoved('download', bytes),
    });
  }

  /** @throws {RestError} for every status except 200 and those that the conditions allow */
  override read(response: StreamedResponse): Download {
    const problem = this.#problemOf(response);
    if (problem !== null) {
      response.body.destroy();
      throw problem;
    }
    const { status, headers, body } = response;
    // RFC 9110, section 15.5.17: a response with status 416 need not have validators.
    const isDecidable = status !== 416 || 'etag' in headers || 'last-modified' in headers;
    const required = isDecidable ? statusOfPreconditions(this.#conditions, headers) : null;
    if (required !== null) return withoutContent(required, response);
    if (status !== 200 && status !== 206) return withoutContent(status, response);
    return { status, headers: pickHeaders(headers, contentHeaders), body };
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

  /** Null if the response is the file, the requested part of it, or says why the client does not get it. */
  #problemOf(response: StreamedResponse): RestError | null {
    const { status } = response;
    switch (status) {
      case 200:
        return isHtmlPage(response)
          ? new RestError('UPSTREAM_ERROR', this.line, { status, expected: 'a file', got: 'HTML' })
          : null;
      case 206:
      case 416:
        return this.#problemOfPart(response);
      default:
        return mayAnswer(status, this.#conditions) ? null : statusError(this.line, response);
    }
  }

  #problemOfPart(response: StreamedResponse): RestError | null {
    const { status, headers } = response;
    if (this.#conditions.range === undefined) {
      return new RestError('UPSTREAM_ERROR', this.line, { status, expected: 'the complete file' });
    }
    const isReadable =
      status === 416 ||
      codingsOf(headers).every((coding) => this.#acceptedCodings.includes(coding));
    this.isPartUnusable = !isReadable || !isPartOfSameFile(this.#conditions, response);
    if (!this.isPartUnusable) return null;
    const expected = 'a part that the client can use';
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

function requestHeaders(conditions: Conditions, request: string): string[] {
  const headers = ['accept', '*/*'];
  for (const name of conditionHeaders) {
    const value = conditions[name];
    if (value === undefined) continue;
    if (value.length > 500 || notInHeaders.test(value)) {
      throw new RestError('BAD_USER_INPUT', request, { expected: `a ${name} header` });
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

/** The body of such a response, if it has one, is an error text of the DMS, or the file that the client does not get. */
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
