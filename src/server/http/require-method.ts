import { HttpError } from '../errors/http-error.ts';
import type { HttpExchange } from './http-exchange.ts';

/**
 * Rejects any other method. `allowed` contains `OPTIONS` if the caller has answered it already.
 * @throws {HttpError} 405 with `Allow`
 */
export function requireMethod({ req }: HttpExchange, allowed: readonly string[]): void {
  if (allowed.includes(req.method ?? '')) return;
  const methods = allowed.filter((method) => method !== 'OPTIONS');
  const message = `The method is not allowed at this URL. Use ${methods.join(' or ')}.`;
  throw new HttpError(405, 'BAD_USER_INPUT', message, { headers: { allow: allowed.join(', ') } });
}
