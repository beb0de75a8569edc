import { errorCodes, type RestErrorCode } from '../../model/error-codes.ts';

/** Details for the log. `retryable` is by default that of the code. */
export interface RestErrorDetails {
  readonly status?: number | null;
  readonly retryable?: boolean;
  readonly waitedMs?: number;
  /** The `Retry-After` of the DMS; for a call that was not sent, the delay that the gateway suggests. */
  readonly retryAfterMs?: number | null;
  readonly expected?: string;
  readonly got?: string;
  readonly cause?: unknown;
}

/**
 * A call to the DMS that failed. Thrown once, where the failure is detected.
 *
 * Message, `request`, `expected` and `got` are for the log and contain no credentials. Clients see only `code`,
 * `status` and `retryable`, and `expected` if the gateway rejected a value itself (`BAD_USER_INPUT` without a status).
 */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: RestErrorCode;
  /** Method and path, such as `GET /api/v2/person/usr-ann`. Null if the failure concerns no single request. */
  readonly request: string | null;
  /** The status of the response. Null if there was none. */
  readonly status: number | null;
  /** Whether repeating the request is safe and can help. */
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

/** Whether a read failed with `NOT_FOUND`: the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof RestError && error.code === 'NOT_FOUND';
}

/** Returns null if the error of a read is `NOT_FOUND`. @throws every other error */
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
