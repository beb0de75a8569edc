import type { HttpExchange } from './http-exchange.ts';
import { send } from './respond.ts';

/**
 * Request headers of which one is required for GET and multipart requests. A browser sends a CORS preflight before a
 * page can set them.
 */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * Request header: with the value `1`, the response lists the upstream calls of the operation (`extensions.upstream`).
 */
export const traceHeader = 'x-upstream-trace';

/** Which pages of other origins can call the gateway. */
export interface CorsOptions {
  /** Origins whose pages can call the gateway. Empty: only its own origin. */
  readonly corsOrigins: readonly string[];
  /** Name of the run-as header in lower case, which pages can send. */
  readonly runAsHeader: string;
}

/** Cross-origin resource sharing for one gateway. */
export type Cors = ReturnType<typeof createCors>;

const none = {};
const allowedHeaders = [
  'accept-language',
  'authorization',
  'content-type',
  'if-range',
  'range',
  'traceparent',
  'tracestate',
  'x-request-id',
  traceHeader,
  ...csrfHeaders,
];
const exposedHeaders = [
  'x-request-id',
  'content-disposition',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
];

/** Prepares the headers for each allowed origin. */
export function createCors({ corsOrigins, runAsHeader }: CorsOptions) {
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
    'access-control-allow-headers': [...allowedHeaders, runAsHeader].join(', '),
    'access-control-max-age': '600',
  };
  return {
    /**
     * Sets the CORS headers of the response. Returns true if the request is a preflight, which it answers.
     * @param methods those of the resource, with `OPTIONS`
     */
    handlePreflight(exchange: HttpExchange, methods: readonly string[]): boolean {
      const { req } = exchange;
      const { origin } = req.headers;
      const allowedOrigin = origin === undefined ? undefined : allowed.get(origin);
      exchange.corsHeaders = allowedOrigin ?? refused;
      if (req.method !== 'OPTIONS') return false;
      const allow = methods.join(', ');
      const forOrigin = allowedOrigin && { 'access-control-allow-methods': allow, ...preflight };
      send(exchange, 204, { allow, ...forOrigin });
      return true;
    },
  };
}
