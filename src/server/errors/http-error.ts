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

/** For an operation whose result comes in parts, where the client accepts none. */
export function partsNotAccepted(
  types = 'multipart/mixed;deferSpec=20220824` or `text/event-stream',
): HttpError {
  return new HttpError(406, 'BAD_USER_INPUT', `The operation requires \`Accept: ${types}\`.`);
}
