import type { OutgoingHttpHeaders } from 'node:http';
import type { ClientError } from '../errors/client-error.ts';
import type { HttpExchange } from './http-exchange.ts';
import { isArriving } from './pipeline.ts';

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
  // The parser can have read the whole body, but not reported its end yet.
  if (isArriving(exchange.req)) setImmediate(() => sendNow(exchange, status, headers, body));
  else sendNow(exchange, status, headers, body);
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
  if (isArriving(req)) {
    res.writeHead(status, { ...all, connection: 'close' });
    exchange.isEarly = true;
    exchange.body?.interrupt();
    res.write(text, () => {
      exchange.end();
      // What the request holds is not free before its connection closes.
      exchange.memory.holdResponse(req, res);
    });
    exchange.pipeline.endAfterBody(req, res);
  } else {
    res.writeHead(status, all);
    res.end(text);
  }
  // Nearly every response fits into the buffers of the system and needs no timer.
  if (res.writableLength > 0) exchange.memory.holdResponse(req, res);
}

/** Sends a value as JSON. `headers` take precedence over the content type. */
export function sendJson(
  exchange: HttpExchange,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify(value);
  send(exchange, status, { 'content-type': 'application/json; charset=utf-8', ...headers }, body);
}

/** Sends an error in the shape of a GraphQL response. All endpoints use the same shape. */
export function sendError(
  exchange: HttpExchange,
  { code, message, status, extensions, headers }: ClientError,
): void {
  exchange.outcome = code;
  sendJson(exchange, status, { errors: [{ message, extensions }] }, headers);
}
