import { HttpError } from '../errors/http-error.ts';

/** An error with status 401, code `UNAUTHENTICATED` and a `WWW-Authenticate` header. */
export function unauthenticated(message: string, cause?: unknown): HttpError {
  return new HttpError(401, 'UNAUTHENTICATED', message, {
    headers: { 'www-authenticate': 'Bearer' },
    cause,
  });
}
