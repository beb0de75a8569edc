import type { CancelToken } from '../transport/cancellation.ts';
import { textFrom } from '../transport/body-text.ts';
import { RestError, isHtml, statusError } from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import type { UpstreamCall, WriteResponse } from './call.ts';
import { BufferedRequest, type Upstream } from './upstream-request.ts';

/** A read of the DMS. */
export interface ReadCall extends UpstreamCall {
  readonly method: 'GET';
  /** How to parse the response. Default `json`. */
  readonly responseType?: 'json' | 'text';
  /** Whether the read makes the DMS create something. Such a read is sent once, and not shared between operations. */
  readonly hasSideEffect?: boolean;
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];

/** A read. It is repeated if that can help. */
export class ReadRequest extends BufferedRequest {
  override readonly ownHeaders: readonly string[];
  override readonly retries: number;
  readonly timeoutMs: number;
  readonly hasSideEffect: boolean;

  constructor(upstream: Upstream, call: ReadCall) {
    super(upstream, call);
    this.ownHeaders = call.responseType === 'text' ? acceptText : acceptJson;
    this.hasSideEffect = call.hasSideEffect ?? false;
    this.retries = this.hasSideEffect ? 0 : upstream.retries;
    this.timeoutMs = upstream.timeoutMs;
  }

  // Several operations can wait for a read. `SingleFlight` cancels it when the last of them ends.
  override follow(): void {}
  override unfollow(): void {}

  override send(): Promise<BufferedResponse> {
    return sendRequest(this.upstream.calls, this.outgoing(), this);
  }

  override toRestError(error: TransportError): RestError {
    return readErrorFrom(error, this.line, this.waitedMs, this.cancelToken);
  }

  override read(response: BufferedResponse): WriteResponse {
    const { status } = response;
    // 206 contains a part of the resource, although all of it was requested.
    if (status < 200 || status > 299 || status === 206) throw statusError(this.line, response);
    if (this.ownHeaders === acceptText) return this.resultOf(response, this.#textFrom(response));
    return this.resultOf(response, this.jsonFrom(response));
  }

  /** @throws {RestError} `UPSTREAM_ERROR` for an HTML page, such as a login page, and bytes of another character set */
  #textFrom({ status, headers, body }: BufferedResponse): string {
    const got = `${body.length} bytes of ${headers['content-type'] ?? 'no content type'}`;
    if (isHtml(headers)) {
      throw new RestError('UPSTREAM_ERROR', this.line, { status, expected: 'text', got });
    }
    try {
      return textFrom(headers, body);
    } catch (cause) {
      const expected = 'text in its declared character set, by default UTF-8';
      throw new RestError('UPSTREAM_ERROR', this.line, { status, expected, got, cause });
    }
  }
}

const readErrors = {
  connection: ['UPSTREAM_UNAVAILABLE', 'a stable connection'],
  timeout: ['UPSTREAM_TIMEOUT', 'a response in time'],
  tooLarge: ['UPSTREAM_ERROR', 'a smaller response'],
  malformed: ['UPSTREAM_ERROR', 'HTTP'],
  undecodable: ['UPSTREAM_ERROR', 'a body in its content coding'],
} as const;

/** Returns the error of a read that failed in transport. */
export function readErrorFrom(
  error: TransportError,
  request: string,
  waitedMs: number,
  { reason }: CancelToken,
): RestError {
  if (error.kind === 'cancelled') return reason ?? new RestError('CANCELLED', request);
  const [code, expected] = readErrors[error.kind];
  return new RestError(code, request, { status: error.status, waitedMs, expected, cause: error });
}
