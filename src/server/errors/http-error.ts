import { errorCodes, type ErrorCode } from '../../model/error-codes.ts';

/**
 * A request that the gateway rejects, with the status, code and headers of the response. The message is sent to the
 * client.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** An error with status 400 and code `BAD_USER_INPUT`. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, 'BAD_USER_INPUT', message);
}

/** An error with status 401, code `UNAUTHENTICATED` and a `WWW-Authenticate` header. */
export function unauthenticated(message: string, cause?: unknown): HttpError {
  const headers = { 'www-authenticate': 'Bearer' };
  return new HttpError(401, 'UNAUTHENTICATED', message, { headers, cause });
}

/** An error with status 403 and code `FORBIDDEN`. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, 'FORBIDDEN', message);
}

/** An error with status 413 and code `BAD_USER_INPUT`. */
export function tooLarge(message: string): HttpError {
  return new HttpError(413, 'BAD_USER_INPUT', message);
}

/** An error with status 503 and code `UPSTREAM_UNAVAILABLE`. Clients can retry after a second. */
export function unavailable(message: string, cause: unknown): HttpError {
  const headers = { 'retry-after': '1' };
  return new HttpError(503, 'UPSTREAM_UNAVAILABLE', message, { headers, cause });
}

/** The error (503) of a request beyond the limits of all requests. Clients can retry after a second. */
export function busy(): HttpError {
  const message = 'The gateway is processing too many requests. Try again later.';
  return unavailable(message, undefined);
}

/** The error (503) of a request that arrives while the gateway shuts down. */
export function shuttingDown(): HttpError {
  return new HttpError(503, 'SHUTTING_DOWN', 'The gateway is shutting down. Try again.', {
    headers: { connection: 'close', 'retry-after': '1' },
  });
}

/** The error (404) of a path at which there is nothing. */
export function unknownPath(): HttpError {
  return new HttpError(404, 'NOT_FOUND', 'There is no resource at this URL.');
}

/** The error (408) of a request body that arrives too slowly. */
export function bodyTimeout(): HttpError {
  return new HttpError(408, 'BAD_USER_INPUT', 'The request body did not arrive in time.');
}

/** The error of a request whose deadline has passed: 504, or 502 if a mutation has started. */
export function lateResult(canHaveWritten: boolean): HttpError {
  const code = canHaveWritten ? 'OUTCOME_UNKNOWN' : 'UPSTREAM_TIMEOUT';
  const advice = canHaveWritten ? ' Check whether the change was made before you retry.' : '';
  const message = `The request was not answered in time; REQUEST_TIMEOUT_MS limits the operation.${advice}`;
  const cause = new Error('A plugin or the execution of the operation did not return.');
  return new HttpError(errorCodes[code].status, code, message, { cause });
}
