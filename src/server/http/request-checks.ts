import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { conditionHeaders } from '../../model/document.ts';
import type { Settings } from '../../config/read-config.ts';
import { badRequest, forbidden, HttpError } from '../errors/http-error.ts';
import type { HttpExchange } from './http-exchange.ts';
import { send } from './respond.ts';

/**
 * Request headers of which one is required for GET and multipart requests. A browser sends a CORS preflight before a
 * page can set them.
 */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

export const upstreamTraceHeader = 'x-upstream-trace';

export const costOnlyHeader = 'x-cost-only';

/**
 * Whether only the cost of the operation is requested.
 * @throws {HttpError} 400 for any other value: it must not execute a mutation
 */
export function isCostOnly({ headers }: IncomingMessage): boolean {
  const value = headers[costOnlyHeader];
  if (value !== undefined && value !== '1') {
    throw badRequest(`The only value of \`${costOnlyHeader}\` is 1.`);
  }
  return value === '1';
}

const absoluteForm = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/**
 * Converts the target of a request from the absolute form to the origin form. Its authority replaces the `Host` header
 * (RFC 9112, section 3.2.2). @returns null, or why the request is invalid: 400 for the target or `Host` (3.2), 417 for
 * another expectation than `100-continue`, 501 for another transfer coding than `chunked` (6.1)
 */
export function toOriginForm(req: IncomingMessage): HttpError | null {
  const { url = '', headers } = req;
  if (headers.host?.includes(',')) return badRequest('A request can have only one Host header.');
  if (headers.host === undefined && req.httpVersion === '1.1') {
    return badRequest('A request must have a Host header.');
  }
  if (headers.expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) {
    return new HttpError(417, 'BAD_USER_INPUT', 'The only supported expectation is 100-continue.');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    const message = 'The only supported transfer coding is chunked.';
    return new HttpError(501, 'BAD_USER_INPUT', message);
  }
  if (url.startsWith('/') || url === '*') return null;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) {
    return badRequest('The request target must be a path, or an HTTP URL with a host.');
  }
  headers.host = authority;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return null;
}

export type RequestCheckOptions = Pick<
  Settings,
  'host' | 'publicUrl' | 'allowedHosts' | 'corsOrigins' | 'runAsHeader' | 'forwardHeaders'
>;

/**
 * Returns false if it has answered the request, a CORS preflight. Pages of other origins can use a resource whose
 * `methods` include `OPTIONS`. Probes use `anyHost`.
 */
export function createRequestCheck(options: RequestCheckOptions) {
  const checkHost = createHostCheck(options);
  const answerPreflight = createCors(options);
  return (exchange: HttpExchange, methods: readonly string[], anyHost = false): boolean => {
    if (!anyHost) checkHost(exchange);
    if (methods.includes('OPTIONS') && answerPreflight(exchange, methods)) return false;
    requireMethod(exchange, methods);
    return true;
  };
}

const hostPattern = /^(?:([\w.-]+?)\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Rejects requests to unknown host names, against DNS rebinding: a page of another site whose name resolves to this
 * gateway has the same origin for the browser, so that neither CORS nor CSRF checks apply. IP addresses are always
 * allowed, because only names can be rebound. A request without `Host` (HTTP/1.0) does not come from a browser.
 */
function createHostCheck(options: RequestCheckOptions): (exchange: HttpExchange) => void {
  const { host: listening, publicUrl, allowedHosts } = options;
  const allowed = new Set(['localhost', listening.toLowerCase(), ...allowedHosts]);
  if (publicUrl !== null) allowed.add(new URL(publicUrl).hostname);
  const allowsAny = allowed.has('*');
  let lastAccepted: string | undefined; // most consecutive requests have the same host

  return ({ req }) => {
    const { host } = req.headers;
    if (host === lastAccepted || host === undefined) return;
    const match = hostPattern.exec(host);
    if (match === null || !URL.canParse(`http://${host}`)) {
      throw badRequest(
        'The Host header must be a host name or an IP address, optionally with a port.',
      );
    }
    const [, name] = match;
    if (name !== undefined && !allowsAny && !allowed.has(name.toLowerCase()) && isIP(name) === 0) {
      const message = `The host name "${name.slice(0, 100)}" is not allowed. Add it to ALLOWED_HOSTS or set PUBLIC_URL.`;
      throw new HttpError(421, 'FORBIDDEN', message);
    }
    lastAccepted = host;
  };
}

const none = {};
const allowedHeaders = [
  'accept-language',
  'authorization',
  'content-type',
  ...conditionHeaders,
  'traceparent',
  'tracestate',
  'x-request-id',
  upstreamTraceHeader,
  costOnlyHeader,
  ...csrfHeaders,
];
const exposedHeaders = [
  'x-request-id',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
];

/**
 * Prepares the CORS headers for each allowed origin.
 *
 * @returns a function that sets the headers of the response, and returns true if it has answered a preflight. `methods`
 * are those of the resource, with `OPTIONS`
 */
function createCors({ corsOrigins, runAsHeader, forwardHeaders }: RequestCheckOptions) {
  const allowed = new Map(
    corsOrigins.map((origin) => [
      origin,
      {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposedHeaders.join(', '),
        vary: 'Origin',
      },
    ]),
  );
  const refused = corsOrigins.length > 0 ? { vary: 'Origin' } : none;
  const preflight = {
    'access-control-allow-headers': [
      ...new Set([...allowedHeaders, runAsHeader, ...forwardHeaders]),
    ].join(', '),
    'access-control-max-age': '600',
  };
  return (exchange: HttpExchange, methods: readonly string[]): boolean => {
    const { req } = exchange;
    const { origin } = req.headers;
    const allowedOrigin = origin === undefined ? undefined : allowed.get(origin);
    exchange.corsHeaders = allowedOrigin ?? refused;
    if (req.method !== 'OPTIONS') return false;
    const allow = methods.join(', ');
    const forOrigin = allowedOrigin && { 'access-control-allow-methods': allow, ...preflight };
    send(exchange, 204, { allow, ...forOrigin });
    return true;
  };
}

function requireMethod({ req }: HttpExchange, allowed: readonly string[]): void {
  if (allowed.includes(req.method ?? '')) return;
  const methods = allowed.filter((method) => method !== 'OPTIONS');
  const message = `The method is not allowed at this URL. Use ${methods.join(' or ')}.`;
  throw new HttpError(405, 'BAD_USER_INPUT', message, { headers: { allow: allowed.join(', ') } });
}

/**
 * Rejects a request that a page of another origin sent, unless CORS_ORIGINS allows that origin. Browsers report the
 * origin in `Origin` or `Sec-Fetch-Site`. A request with neither does not come from a page of another origin.
 * `createRequestCheck` has read CORS_ORIGINS before.
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
