import { HttpError } from '../errors/http-error.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Rejects any other method. @throws {HttpError} 405 with `Allow` */
export function requireMethod({ req }: HttpExchange, ...allowed: readonly string[]): void {
  if (allowed.includes(req.method ?? '')) return;
  const message = `The method is not allowed at this URL. Use ${allowed.join(' or ')}.`;
  throw new HttpError(405, 'BAD_USER_INPUT', message, {
    headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
  });
}
