import { forbidden } from '../errors/http-error.ts';
import type { HttpExchange } from './http-exchange.ts';

/**
 * Rejects a request that a page of another origin sent, unless CORS_ORIGINS allows that origin. Browsers report the
 * origin in `Origin` or `Sec-Fetch-Site`. A request with neither does not come from a page of another origin.
 * `Cors.handlePreflight` must have been called before.
 *
 * @throws {HttpError} 403
 */
export function requireSameOrigin({ req, corsHeaders }: HttpExchange): void {
  const { origin, host, 'sec-fetch-site': site = 'none' } = req.headers;
  if (origin !== undefined && corsHeaders['access-control-allow-origin'] === origin) return;
  const isSame = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  if (isSame && (site === 'same-origin' || site === 'none')) return;
  throw forbidden('Pages of other origins cannot use this URL.');
}
