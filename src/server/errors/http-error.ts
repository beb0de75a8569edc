import { errorCodes, type ErrorCode } from '../../model/error-codes.ts';

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

export function badRequest(message: string): HttpError {
  return new HttpError(400, 'BAD_USER_INPUT', message);
}

export function unauthenticated(message: string, cause?: unknown): HttpError {
  const headers = { 'www-authenticate': 'Bearer' };
  return new HttpError(401, 'UNAUTHENTICATED', message, { headers, cause });
}

export function forbidden(message: string): HttpError {
  return new HttpError(403, 'FORBIDDEN', message);
}

export function tooLarge(message: string): HttpError {
  return new HttpError(413, 'BAD_USER_INPUT', message);
}

export function unavailable(message: string, cause: unknown): HttpError {
  const headers = { 'retry-after': '1' };
  return new HttpError(503, 'UPSTREAM_UNAVAILABLE', message, { headers, cause });
}

export function busy(): HttpError {
  const message = 'The gateway is processing too many requests. Try again later.';
  return unavailable(message, undefined);
}

export function shuttingDown(): HttpError {
  return new HttpError(503, 'SHUTTING_DOWN', 'The gateway is shutting down. Try again.', {
    headers: { connection: 'close', 'retry-after': '1' },
  });
}

export function unknownPath(): HttpError {
  return new HttpError(404, 'NOT_FOUND', 'There is no resource at this URL.');
}

export function bodyTimeout(): HttpError {
  return new HttpError(408, 'BAD_USER_INPUT', 'The request body did not arrive in time.');
}

export function lateResult(canHaveWritten: boolean): HttpError {
  const code = canHaveWritten ? 'OUTCOME_UNKNOWN' : 'UPSTREAM_TIMEOUT';
  const advice = canHaveWritten ? ' Check whether the change was made before you retry.' : '';
  const message = `The request was not answered in time; REQUEST_TIMEOUT_MS limits the operation.${advice}`;
  const cause = new Error('A plugin or the execution of the operation did not return.');
  return new HttpError(errorCodes[code].status, code, message, { cause });
}
