import { isIP } from 'node:net';
import type { HttpExchange } from './http-exchange.ts';
import { HttpError } from '../errors/http-error.ts';

export interface AllowedHostOptions {
  /** The address that the gateway listens on. */
  readonly host: string;
  /** Where clients reach the gateway; null: the host they asked for. */
  readonly publicUrl: string | null;
  /** More names of the gateway, in lower case and without ports; `*`: any name. */
  readonly allowedHosts: readonly string[];
}

/** A name or an IPv4 address, or an IPv6 address in brackets; then perhaps a port. */
const hostPattern = /^(?:([\w.-]+?)\.?|\[([\da-f:.]+)\])(?::\d{1,5})?$/i;

/**
 * Refuses requests to names that the gateway does not have: the page of another site whose name was made to resolve to
 * this gateway (DNS rebinding) is of the same origin for a browser, so that neither CORS nor CSRF checks stop it. The
 * browser puts the name into `Host`.
 *
 * Any IP address is accepted, since only names can be made to resolve elsewhere, and so is any port. A request without
 * `Host` (HTTP/1.0) does not come from a browser.
 *
 * @returns a function that throws 400 for what is not a host and 421 for an unknown one
 */
export function createHostCheck(options: AllowedHostOptions): (exchange: HttpExchange) => void {
  const { host: listening, publicUrl, allowedHosts } = options;
  const allowed = new Set(['localhost', listening.toLowerCase(), ...allowedHosts]);
  if (publicUrl !== null) allowed.add(new URL(publicUrl).hostname);
  const allowsAny = allowed.has('*');
  let lastAccepted: string | undefined; // most requests are to the same host as the one before

  return ({ req }) => {
    const { host } = req.headers;
    if (host === lastAccepted || host === undefined) return;
    const [, name, ipv6] = hostPattern.exec(host) ?? [];
    if (name === undefined && (ipv6 === undefined || isIP(ipv6) !== 6)) {
      throw new HttpError(
        400,
        'BAD_USER_INPUT',
        'The Host header must be a host name or an IP address, optionally with a port.',
      );
    }
    if (name !== undefined && !allowsAny && !allowed.has(name.toLowerCase()) && isIP(name) === 0) {
      throw new HttpError(
        421,
        'FORBIDDEN',
        `The host name "${name.slice(0, 100)}" is not allowed. Add it to ALLOWED_HOSTS or set PUBLIC_URL.`,
      );
    }
    lastAccepted = host;
  };
}
