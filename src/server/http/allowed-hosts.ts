import { isIP } from 'node:net';
import type { HttpExchange } from './http-exchange.ts';
import { badRequest, HttpError } from '../errors/http-error.ts';

/** The names of this gateway. */
export interface AllowedHostOptions {
  /** The listening address. */
  readonly host: string;
  /** The URL under which clients reach the gateway. Null: the host of each request. */
  readonly publicUrl: string | null;
  /** Additional names in lower case and without ports. `*` allows any name. */
  readonly allowedHosts: readonly string[];
}

/** A name or IPv4 address, or an IPv6 address in brackets, with an optional port. */
const hostPattern = /^(?:([\w.-]+?)\.?|\[([\da-f:.]+)\])(?::\d{1,5})?$/i;

/**
 * Rejects requests to unknown host names, against DNS rebinding: a page of another site whose name resolves to this
 * gateway has the same origin for the browser, so that neither CORS nor CSRF checks apply. The browser sends the name
 * in `Host`.
 *
 * IP addresses are always allowed, because only names can be rebound, and so is any port. A request without `Host`
 * (HTTP/1.0) does not come from a browser.
 *
 * @returns a function that throws an HttpError: 400 for an invalid host and 421 for an unknown one
 */
export function createHostCheck(options: AllowedHostOptions): (exchange: HttpExchange) => void {
  const { host: listening, publicUrl, allowedHosts } = options;
  const allowed = new Set(['localhost', listening.toLowerCase(), ...allowedHosts]);
  if (publicUrl !== null) allowed.add(new URL(publicUrl).hostname);
  const allowsAny = allowed.has('*');
  let lastAccepted: string | undefined; // most consecutive requests have the same host

  return ({ req }) => {
    const { host } = req.headers;
    if (host === lastAccepted || host === undefined) return;
    const [, name, ipv6] = hostPattern.exec(host) ?? [];
    if (name === undefined && (ipv6 === undefined || isIP(ipv6) !== 6)) {
      throw badRequest(
        'The Host header must be a host name or an IP address, optionally with a port.',
      );
    }
    if (name !== undefined && !allowsAny && !allowed.has(name.toLowerCase()) && isIP(name) === 0) {
      const message = `The host name "${name.slice(0, 100)}" is not allowed. Add it to ALLOWED_HOSTS or set PUBLIC_URL.`;
      throw new HttpError(421, 'FORBIDDEN', message);
    }
    lastAccepted = host;
  };
}
