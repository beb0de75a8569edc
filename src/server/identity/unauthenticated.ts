import { HttpError } from '../errors/http-error.ts';

export function unauthenticated(message: string, cause?: unknown): HttpError {
  return new HttpError(401, 'UNAUTHENTICATED', message, {
    headers: { 'www-authenticate': 'Bearer' },
    cause,
  });
}
