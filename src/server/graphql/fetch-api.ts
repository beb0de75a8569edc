import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { HttpExchange } from '../http/http-exchange.ts';
import { headersFor, send } from '../http/respond.ts';

/*
 * Request and Response for Yoga. Yoga uses few of their members per request, but the standard classes cost more than the
 * rest of a small query. These classes create a standard object only when another member is used.
 */

interface LightRequestInit {
  readonly method?: string;
  readonly headers?: HeadersInit | IncomingMessage['headers'];
  readonly signal?: AbortSignal | (() => AbortSignal);
  readonly body?: IncomingMessage | BodyInit | null;
}

const neverAborted = (): AbortSignal => new AbortController().signal;

export class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly #givenHeaders: LightRequestInit['headers'];
  #headers: Headers | null = null;
  #signal: AbortSignal | (() => AbortSignal);
  readonly #body: LightRequestInit['body'];
  #standard: Request | null = null;

  constructor(input: string | URL | Request | LightRequest, init: LightRequestInit = {}) {
    const given = typeof input === 'object' && 'url' in input ? input : null;
    this.url = given?.url ?? (input as string | URL).toString();
    this.method = init.method ?? given?.method ?? 'GET';
    this.#givenHeaders = init.headers ?? given?.headers;
    this.#signal = init.signal ?? (given === null ? neverAborted : () => given.signal);
    this.#body = init.body ?? (given instanceof LightRequest ? given.#bodyLeft : given?.body);
  }

  get #bodyLeft(): LightRequestInit['body'] {
    return this.#standard === null ? this.#body : this.#standard.body;
  }

  isUnreadOf(req: IncomingMessage): boolean {
    return this.#standard === null && this.#body === req;
  }

  get headers(): Headers {
    return (this.#headers ??= new Headers(this.#givenHeaders as HeadersInit | undefined));
  }

  get signal(): AbortSignal {
    if (typeof this.#signal === 'function') this.#signal = this.#signal();
    return this.#signal;
  }

  get standard(): Request {
    const body = this.#body instanceof Readable ? Readable.toWeb(this.#body) : this.#body;
    return (this.#standard ??= new Request(this.url, {
      method: this.method,
      headers: this.headers,
      ...(body != null && { body: body as BodyInit, duplex: 'half' }),
    }));
  }
}

class LightResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was given, so that text and streams are sent without a copy. */
  readonly content: BodyInit | null;
  #standard: Response | null = null;

  constructor(body: BodyInit | null = null, { status = 200, headers }: ResponseInit = {}) {
    this.status = status;
    this.headers = new Headers(headers);
    this.content = body;
  }

  get standard(): Response {
    const { status, headers } = this;
    return (this.#standard ??= new Response(this.content, { status, headers }));
  }
}

function complete(light: { prototype: object }, standard: { prototype: object }): void {
  const members = Object.getOwnPropertyDescriptors(standard.prototype);
  for (const [name, { get, value }] of Object.entries(members)) {
    if (name in light.prototype) continue;
    Object.defineProperty(light.prototype, name, {
      get(this: { standard: object }): unknown {
        if (get !== undefined) return get.call(this.standard);
        return typeof value === 'function' ? value.bind(this.standard) : value;
      },
    });
  }
}
complete(LightRequest, Request);
complete(LightResponse, Response);
Object.setPrototypeOf(LightResponse, Response); // for static methods, which create standard objects

export const fetchAPI = {
  Headers,
  Request: LightRequest as unknown as typeof Request,
  Response: LightResponse as unknown as typeof Response,
  ReadableStream,
};

/** Headers of a streamed response. nginx buffers responses by default, which delays parts. */
const streamHeaders = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

export async function sendResponse(exchange: HttpExchange, response: Response): Promise<void> {
  const headers = recordOf(response.headers);
  const content = response instanceof LightResponse ? response.content : response.body;
  if (content === null || typeof content === 'string') {
    send(exchange, response.status, headers, content ?? '');
    return;
  }
  const { res } = exchange;
  const body = content instanceof ReadableStream ? content : new Response(content).body;
  if (res.headersSent || res.destroyed || body === null) {
    await body?.cancel();
    return;
  }
  // Node sets the connection headers. Yoga would keep a connection open that the client asked to close.
  const { connection: _, 'transfer-encoding': __, ...rest } = headers;
  const source = Readable.fromWeb(body as NodeStream);
  try {
    res.writeHead(response.status, headersFor(exchange, { ...rest, ...streamHeaders }));
  } catch (error) {
    source.destroy();
    throw error;
  }
  await pipeline(source, res);
}

function recordOf(headers: Headers): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  const record = Object.fromEntries(headers);
  return cookies.length === 0 ? record : { ...record, 'set-cookie': cookies };
}
