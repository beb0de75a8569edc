import { RestError, requestLine, statusError } from '../rest-error.ts';
import { parseJson, textFrom } from '../transport/body-text.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { isHtml } from '../transport/header-values.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import { runCall, type Call, type CallResult, type Upstream } from './call.ts';

/** A read of the DMS. */
export interface ReadCall extends Call {
  readonly method: 'GET';
  /** How to parse the response. Default `json`. */
  readonly responseType?: 'json' | 'text';
  /** Whether the read makes the DMS create something. Such a read is sent once, and not shared between operations. */
  readonly hasSideEffect?: boolean;
}

/** What several operations can wait for. */
export interface Flight {
  /** Aborted when the last of them has ended. */
  readonly signal: AbortSignal;
  /** The latest deadline of them, as a value of `performance.now()`. */
  readonly deadlineAt: number;
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];

/** Sends a read. It is repeated if that can help. */
export function read(upstream: Upstream, call: ReadCall, shared: Flight): Promise<CallResult> {
  const request = requestLine(call);
  const { signal } = shared;
  const isText = call.responseType === 'text';
  const { timeoutMs, maxResponseBytes: maxBytes, batch } = upstream;
  return runCall(upstream, call, {
    connections: upstream.calls,
    signal,
    headers: isText ? acceptText : acceptJson,
    codings: upstream.codings,
    retries: call.hasSideEffect ? 0 : upstream.retries,
    deadlineAt: () => shared.deadlineAt,
    send: (outgoing) =>
      sendRequest(upstream.calls.dispatcher, outgoing, { timeoutMs, maxBytes, batch, signal }),
    errorFrom: (error, waitedMs) => readErrorFrom(error, request, waitedMs, signal),
    parse(response) {
      const { status } = response;
      // 206 contains a part of the resource, although all of it was requested.
      if (status < 200 || status > 299 || status === 206) throw statusError(request, response);
      const parse = isText ? parsedText : parsedJson;
      return resultOf(request, response, parse(request, response));
    },
  });
}

/** @throws {RestError} `UPSTREAM_ERROR` if a body is not JSON */
export function parsedJson(request: string, { status, headers, body }: BufferedResponse): unknown {
  try {
    return parseJson(body);
  } catch (cause) {
    const encoding = headers['content-encoding'];
    const coding = encoding === undefined ? '' : ` with content-encoding ${encoding}`;
    const got = `${describe({ headers, body })}${coding}`;
    throw new RestError('UPSTREAM_ERROR', request, { status, expected: 'JSON', got, cause });
  }
}

/** @throws {RestError} `UPSTREAM_ERROR` for an HTML page, such as a login page, and bytes of another character set */
function parsedText(request: string, { status, headers, body }: BufferedResponse): string {
  const got = describe({ headers, body });
  if (isHtml(headers)) {
    throw new RestError('UPSTREAM_ERROR', request, { status, expected: 'text', got });
  }
  try {
    return textFrom(headers, body);
  } catch (cause) {
    const expected = 'text in its declared character set, by default UTF-8';
    throw new RestError('UPSTREAM_ERROR', request, { status, expected, got, cause });
  }
}

function describe({ headers, body }: Pick<BufferedResponse, 'headers' | 'body'>): string {
  return `${body.length} bytes of ${headers['content-type'] ?? 'no content type'}`;
}

/** The result of a call with its parsed value and the headers that a caller can use. */
export function resultOf(
  request: string,
  { status, headers, body }: BufferedResponse,
  content: unknown,
): CallResult {
  return { status, headers, body: content, bytes: body.length, request };
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
  { reason }: AbortSignal,
): RestError {
  if (error.kind === 'cancelled') {
    return reason instanceof RestError ? reason : new RestError('CANCELLED', request);
  }
  const [code, expected] = readErrors[error.kind];
  return new RestError(code, request, { status: error.status, waitedMs, expected, cause: error });
}
