/** What can go wrong between the gateway and the DMS, as the client will see it. */
export type RestErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'NOT_FOUND'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_ERROR'
  | 'OUTCOME_UNKNOWN'
  | 'UPSTREAM_BUDGET_EXCEEDED'
  | 'RATE_LIMITED'
  | 'CANCELLED';

/**
 * What was seen, for the log. `retryable` defaults by code: true where the DMS was merely away or late, and where the call
 * was not sent because of the rate limit.
 */
export interface RestErrorDetails {
  readonly status?: number | null;
  readonly retryable?: boolean;
  readonly waitedMs?: number;
  /** How long the DMS asks to be left alone; of a call that was not sent, how long the gateway does. */
  readonly retryAfterMs?: number | null;
  readonly expected?: string;
  readonly got?: string;
  readonly cause?: unknown;
}

const retryableCodes: ReadonlySet<RestErrorCode> = new Set([
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'RATE_LIMITED',
] as const);

/**
 * A call to the DMS that gave no usable answer. Thrown once, where it happens.
 *
 * Message, `request`, `expected` and `got` are for the log and hold no credential; a client may see `code`,
 * `status` and `retryable` alone.
 */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: RestErrorCode;
  /** Method and path, such as `GET /api/v2/person/usr-ann`. */
  readonly request: string;
  /** The status that the DMS answered with; null where it did not answer. */
  readonly status: number | null;
  /** Whether asking again may help and can do no harm. */
  readonly retryable: boolean;
  readonly waitedMs: number | null;
  readonly retryAfterMs: number | null;
  readonly expected: string | null;
  readonly got: string | null;

  constructor(code: RestErrorCode, request: string, details: RestErrorDetails = {}) {
    super(messageOf(code, request, details), { cause: details.cause });
    this.code = code;
    this.request = request;
    this.status = details.status ?? null;
    this.retryable = details.retryable ?? retryableCodes.has(code);
    this.waitedMs = details.waitedMs ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.expected = details.expected ?? null;
    this.got = details.got ?? null;
  }
}

/** Whether a read failed because there is no such object. */
export function isNotFound(error: unknown): boolean {
  return error instanceof RestError && error.code === 'NOT_FOUND';
}

function messageOf(code: RestErrorCode, request: string, details: RestErrorDetails): string {
  const parts = [`${code}: ${request}`];
  if (details.status != null) parts.push(`status ${details.status}`);
  if (details.waitedMs !== undefined) parts.push(`waited ${Math.round(details.waitedMs)} ms`);
  if (details.expected !== undefined) parts.push(`expected ${details.expected}`);
  if (details.got !== undefined) parts.push(`got ${details.got}`);
  return parts.join('; ');
}
