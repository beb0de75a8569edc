import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { ClientError } from '../errors/client-error.ts';
import type { HttpExchange } from './http-exchange.ts';
import { LightResponse } from './fetch-api.ts';

/** On every answer. Nothing that the gateway serves may be framed or sniffed, or sends a referrer. */
const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Of an answer in parts: each goes on at once, also through nginx, which buffers by default. */
const streamHeaders = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** All headers of an answer; the later ones win. */
export function headersFor(
  exchange: HttpExchange,
  headers: OutgoingHttpHeaders,
): OutgoingHttpHeaders {
  return { ...commonHeaders, ...exchange.corsHeaders, 'x-request-id': exchange.id, ...headers };
}

/** Sends a whole answer; nothing is sent if the client has disconnected. */
export function send(
  exchange: HttpExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): void {
  const { req, res } = exchange;
  if (res.headersSent || res.destroyed) return;
  const length = Buffer.byteLength(body);
  const all = headersFor(
    exchange,
    status === 204 ? headers : { ...headers, 'content-length': length },
  );
  res.writeHead(status, all);
  res.end(req.method === 'HEAD' ? '' : body);
  // What the system's buffers took at once needs no timer: that is nearly every answer.
  if (res.writableLength > 0) destroyIfUnread(exchange);
}

/** Memory that a client holds by not reading is freed, and the connection ends. */
function destroyIfUnread({ res, timeoutMs }: HttpExchange): void {
  const timer = setTimeout(() => res.destroy(), timeoutMs);
  timer.unref();
  res.once('close', () => clearTimeout(timer));
}

/** Sends what Yoga answered; a stream as it comes. A plugin may have put a standard response in its place. */
export async function sendResponse(
  exchange: HttpExchange,
  given: LightResponse | Response,
): Promise<void> {
  const response = given instanceof LightResponse ? given : new LightResponse(given.body, given);
  const { status, content } = response;
  const headers = response.headers.toRecord();
  if (content === null || typeof content === 'string') {
    send(exchange, status, headers, content ?? '');
    return;
  }
  const { res } = exchange;
  const body = content instanceof ReadableStream ? content : response.standard.body;
  if (res.headersSent || res.destroyed || body === null) {
    await body?.cancel();
    return;
  }
  // The connection and its encoding are for Node to say; Yoga would keep one open that the client asked to close.
  const { connection: _, 'transfer-encoding': __, ...rest } = headers;
  res.writeHead(status, headersFor(exchange, { ...rest, ...streamHeaders }));
  const source = Readable.fromWeb(body as NodeStream);
  let timer: NodeJS.Timeout | undefined;
  source.on('pause', () => {
    clearTimeout(timer);
    timer = setTimeout(() => res.destroy(), exchange.timeoutMs);
  });
  res.on('drain', () => clearTimeout(timer));
  res.once('close', () => clearTimeout(timer));
  source.once('end', () => {
    if (res.writableLength > 0) destroyIfUnread(exchange);
  });
  res.setMaxListeners(20); // with those of Yoga, a pipeline takes it beyond the 10 at which Node warns
  await pipeline(source, res);
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

/** An error has the shape of a GraphQL answer on every path, so that clients read one kind. */
export function sendError(
  exchange: HttpExchange,
  { code, message, status, extensions, headers }: ClientError,
): void {
  exchange.outcome = code;
  sendJson(exchange, status, { errors: [{ message, extensions }] }, headers);
}
