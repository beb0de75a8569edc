/** Codes of errors that the gateway detects itself before an operation runs. */
export type HttpErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'SHUTTING_DOWN'
  | 'NOT_FOUND';

/**
 * A request that the gateway rejects, with the status, code and headers of the response. The message is sent to the
 * client.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: HttpErrorCode,
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

/** The error (408) of a request body that arrives too slowly. */
export function bodyTimeout(): HttpError {
  return new HttpError(408, 'BAD_USER_INPUT', 'The request body did not arrive in time.');
}
