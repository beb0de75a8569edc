import type { OutgoingHttpHeaders } from 'node:http';
import type { ClientError } from '../errors/client-error.ts';
import type { HttpExchange } from './http-exchange.ts';
import { isArriving } from './request-body.ts';

/** Headers of every response. They forbid framing and content sniffing, and suppress the referrer. */
const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Merges all headers of a response. Later ones take precedence, except that those of `Vary` are joined. */
export function headersFor(
  exchange: HttpExchange,
  headers: OutgoingHttpHeaders,
): OutgoingHttpHeaders {
  const { corsHeaders, id } = exchange;
  const all = { ...commonHeaders, ...corsHeaders, 'x-request-id': id, ...headers };
  const { vary } = headers;
  return vary !== undefined && 'vary' in corsHeaders
    ? { ...all, vary: `${corsHeaders['vary']}, ${vary}` }
    : all;
}

/** Sends a complete response, unless the client has disconnected. */
export function send(
  exchange: HttpExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): void {
  if (!isArriving(exchange.req)) {
    sendNow(exchange, status, headers, body);
    return;
  }
  // The parser can have read the whole body, but not reported its end yet.
  setImmediate(() => {
    try {
      sendNow(exchange, status, headers, body);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

function sendNow(
  exchange: HttpExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  const { req, res } = exchange;
  if (res.headersSent || res.destroyed) return;
  const length = Buffer.byteLength(body);
  const all = headersFor(
    exchange,
    status === 204 || status === 304 ? headers : { ...headers, 'content-length': length },
  );
  const text = req.method === 'HEAD' ? '' : body;
  if (!isArriving(req)) {
    res.writeHead(status, all);
    res.end(text);
    return;
  }
  res.writeHead(status, { ...all, connection: 'close' });
  exchange.isEarly = true;
  exchange.body?.interrupt();
  // Recorded now, because its connection can be open for long.
  res.write(text, () => exchange.end());
  // If bytes arrived at a closed connection, the system of the client would drop the response.
  const end = (): void => void res.end();
  req.once('end', end);
  exchange.discardBody(end);
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const etags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return header === '*' || etags.includes(etag);
}

export function sendJson(
  exchange: HttpExchange,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify(value);
  send(exchange, status, { 'content-type': 'application/json; charset=utf-8', ...headers }, body);
}

export function sendError(
  exchange: HttpExchange,
  { code, message, status, extensions, headers }: ClientError,
): void {
  exchange.outcome = code;
  sendJson(exchange, status, { errors: [{ message, extensions }] }, headers);
}
