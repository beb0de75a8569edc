import { RestError, requestLine, statusError } from '../rest-error.ts';
import { parseJson, textFrom } from '../transport/body-text.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { isHtml } from '../transport/header-values.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import { runCall, type Call, type CallResult, type Upstream } from './call.ts';

export interface ReadCall extends Call {
  readonly method: 'GET';
  readonly responseType?: 'json' | 'text';
  readonly hasSideEffect?: boolean;
}

export interface Flight {
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];

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
