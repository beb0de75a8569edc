import type { IncomingHttpHeaders } from 'node:http';
import { errorCodes, type RestErrorCode } from '../../model/error-codes.ts';
import { httpDateMs, isHtml, listValue, singleValue } from './transport/header-values.ts';
import { certificateProblemIn } from './transport/tls.ts';

export interface RestErrorDetails {
  readonly status?: number | null;
  readonly retryable?: boolean;
  readonly waitedMs?: number;
  readonly retryAfterMs?: number | null;
  readonly expected?: string;
  readonly got?: string;
  readonly cause?: unknown;
}

/**
 * Message, `request`, `expected` and `got` are for the log and contain no credentials. Clients see only `code`, `status`
 * and `retryable`, and `expected` if the gateway rejected a value itself (`BAD_USER_INPUT` without a status).
 */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: RestErrorCode;
  readonly request: string | null;
  readonly status: number | null;
  readonly retryable: boolean;
  readonly waitedMs: number | null;
  readonly retryAfterMs: number | null;
  readonly expected: string | null;
  readonly got: string | null;

  constructor(code: RestErrorCode, request: string | null, details: RestErrorDetails = {}) {
    super(messageOf(code, request, details), { cause: details.cause });
    this.code = code;
    this.request = request;
    this.status = details.status ?? null;
    this.retryable = details.retryable ?? errorCodes[code].isRetryable;
    this.waitedMs = details.waitedMs ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.expected = details.expected ?? null;
    this.got = details.got ?? null;
  }
}

export function requestLine({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): string {
  const line = `${method} ${path}`;
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RestError && error.code === 'NOT_FOUND';
}

export function nullIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}

function messageOf(code: RestErrorCode, request: string | null, details: RestErrorDetails): string {
  const parts = request === null ? [] : [request];
  if (details.status != null) parts.push(`status ${details.status}`);
  if (details.waitedMs !== undefined) parts.push(`waited ${Math.round(details.waitedMs)} ms`);
  if (details.expected !== undefined) parts.push(`expected ${details.expected}`);
  if (details.got !== undefined) parts.push(`got ${details.got}`);
  return parts.length === 0 ? code : `${code}: ${parts.join('; ')}`;
}

export function isUnavailable(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

const codes: Readonly<Record<number, RestErrorCode>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'UPSTREAM_TIMEOUT', // The server timed out waiting for the request (RFC 9110, 15.5.9).
  409: 'CONFLICT',
  // The request was not processed and can be sent on another connection (RFC 9110, 15.5.20; RFC 8470, 5.2).
  421: 'UPSTREAM_UNAVAILABLE',
  425: 'UPSTREAM_UNAVAILABLE',
};

interface FailedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

export function certificateProblemOf({ status, headers, body }: FailedResponse): string | null {
  if (status !== 400 || !isHtml(headers) || !Buffer.isBuffer(body)) return null;
  return certificateProblemIn(body.toString('latin1', 0, 4096));
}

/**
 * Returns the error of a status other than 2xx. The specification defines no meanings (REST spec, Errors 4), so HTTP's
 * own apply. Redirects are not followed, because they could send credentials to another host.
 */
export function statusError(request: string, response: FailedResponse): RestError {
  const { status, headers } = response;
  const problem = certificateProblemOf(response);
  if (problem !== null) {
    const expected = 'an accepted client certificate';
    return new RestError('UPSTREAM_UNAVAILABLE', request, { status, expected, got: problem });
  }
  const got = xErrorMessage(headers) ?? redirectTarget(status, headers);
  const details = { status, ...(got !== null && { got }) };
  if (isUnavailable(status)) {
    const retry = { ...details, retryAfterMs: retryAfterMs(headers) };
    return new RestError('UPSTREAM_UNAVAILABLE', request, retry);
  }
  const code = codes[status];
  return code === undefined
    ? new RestError('UPSTREAM_ERROR', request, { ...details, expected: 'status 200' })
    : new RestError(code, request, details);
}

export function redirectTarget(status: number, headers: IncomingHttpHeaders): string | null {
  const location = singleValue(headers, 'location');
  if (status < 300 || status > 399 || location === null) return null;
  const url = URL.parse(location);
  if (url === null) return 'a redirect to another path';
  return `a redirect to ${/^https?:$/.test(url.protocol) ? url.origin : 'another protocol'}`;
}

function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const value = singleValue(headers, 'retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = httpDateMs(value);
  return at === null ? null : Math.max(0, at - Date.now());
}

const maxMessageLength = 500;
// oxlint-disable-next-line no-control-regex
const unprintable = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Returns the text of the `X-Error` header on one line, at most 500 characters long. Null if it is missing or empty.
 * Header bytes have no defined character set: they are decoded as UTF-8 if valid, otherwise as Latin-1.
 */
export function xErrorMessage(headers: IncomingHttpHeaders): string | null {
  const raw = listValue(headers, 'x-error');
  if (raw === null) return null;
  const message = decodeHeader(raw).replace(unprintable, ' ').trim();
  if (message === '') return null;
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeHeader(raw: string): string {
  try {
    return utf8.decode(Buffer.from(raw, 'latin1'));
  } catch {
    return raw;
  }
}
