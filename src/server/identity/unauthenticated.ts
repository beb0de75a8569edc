import { Refusal } from '../errors/http-error.ts';

export function unauthenticated(message: string, cause?: unknown): Refusal {
  return new Refusal(401, 'UNAUTHENTICATED', message, {
    headers: { 'www-authenticate': 'Bearer' },
    cause,
  });
}
