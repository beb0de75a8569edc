/** Codes that the gateway itself answers with, before any operation runs. */
export type RefusalCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'SHUTTING_DOWN'
  | 'NOT_FOUND';

/** A request that the gateway does not take. The message is for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: RefusalCode,
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
export function needsParts(types = 'multipart/mixed` or `text/event-stream'): Refusal {
  return new Refusal(406, 'BAD_USER_INPUT', `The operation needs \`Accept: ${types}\`.`);
}
