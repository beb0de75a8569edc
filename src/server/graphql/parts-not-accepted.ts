import { HttpError } from '../errors/http-error.ts';

/** The error (406) of an operation whose result comes in parts, if the client accepts none. */
export function partsNotAccepted(
  types = 'multipart/mixed;deferSpec=20220824` or `text/event-stream',
): HttpError {
  return new HttpError(406, 'BAD_USER_INPUT', `The operation requires \`Accept: ${types}\`.`);
}
