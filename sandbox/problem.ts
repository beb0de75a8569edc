/**
 * An error response, thrown where the error is detected and sent by the server: status, message (as `{error}` and in
 * `X-Error`), and additional headers.
 */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new Problem(400, message);
export const notFound = (message: string) => new Problem(404, message);
/** The request was executed and changed nothing (REST spec, Errors 1). */
export const unchanged = (message: string) => new Problem(422, message);
export const forbidden = (message: string) => new Problem(403, message);
