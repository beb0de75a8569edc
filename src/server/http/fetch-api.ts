import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';

/*
 * Request, Response and Headers for Yoga. Yoga uses few of their members per request, but the standard classes cost
 * more than the rest of a small query. These classes keep the values that they are given, and create a standard object
 * only when another member is used. bench/NOTES.md has the figures.
 */

type HeadersRecord = Record<string, string | string[] | undefined>;

/** Headers from a plain object, with names in lower case. */
class LightHeaders {
  readonly #given: HeadersRecord;
  /** The given headers with names in lower case, created on first access. Most requests never access them. */
  #record: HeadersRecord | null = null;
  #standard: Headers | null = null;

  constructor(init: HeadersInit | HeadersRecord | LightHeaders = {}) {
    const isRecord = !(Symbol.iterator in init);
    this.#given = isRecord ? (init as HeadersRecord) : {};
    if (!isRecord) this.#standard = new Headers(init);
  }

  get #plain(): HeadersRecord {
    if (this.#record === null) {
      this.#record = {};
      for (const name in this.#given) this.#record[name.toLowerCase()] = this.#given[name];
    }
    return this.#record;
  }

  get(name: string): string | null {
    if (this.#standard !== null) return this.#standard.get(name);
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#plain, key) ? this.#plain[key] : undefined;
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    if (this.#standard !== null) this.#standard.set(name, value);
    else this.#plain[name.toLowerCase()] = value;
  }

  /** The headers as an object for Node's `writeHead`. */
  toRecord(): HeadersRecord {
    if (this.#standard === null) return this.#plain;
    const record: HeadersRecord = Object.fromEntries(this.#standard);
    const cookies = this.#standard.getSetCookie();
    return cookies.length === 0 ? record : { ...record, 'set-cookie': cookies };
  }

  get standard(): Headers {
    if (this.#standard === null) {
      this.#standard = new Headers();
      for (const [name, value] of Object.entries(this.#plain)) {
        for (const one of Array.isArray(value) ? value : [value]) {
          if (one !== undefined) this.#standard.append(name, one);
        }
      }
    }
    return this.#standard;
  }
}

interface LightRequestInit {
  readonly method?: string;
  readonly headers?: HeadersInit | HeadersRecord | LightHeaders;
  /** A function is called on first access. */
  readonly signal?: AbortSignal | (() => AbortSignal);
  /** Node's request, or any body that fetch accepts. */
  readonly body?: IncomingMessage | BodyInit | null;
}

const neverAborted = (): AbortSignal => new AbortController().signal;

/** A Request with the members that Yoga uses. Others are delegated to a standard Request. */
export class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: LightHeaders;
  #signal: AbortSignal | (() => AbortSignal);
  readonly #body: LightRequestInit['body'];
  #standard: Request | null = null;

  constructor(input: string | URL | Request | LightRequest, init: LightRequestInit = {}) {
    const given = typeof input === 'object' && 'url' in input ? input : null;
    this.url = given?.url ?? (input as string | URL).toString();
    this.method = init.method ?? given?.method ?? 'GET';
    this.headers = new LightHeaders(init.headers ?? given?.headers);
    this.#signal = init.signal ?? (given === null ? neverAborted : () => given.signal);
    this.#body = init.body ?? (given instanceof LightRequest ? given.#bodyLeft : given?.body);
  }

  get #bodyLeft(): LightRequestInit['body'] {
    return this.#standard === null ? this.#body : this.#standard.body;
  }

  /** Whether the body is `req` and has not been read through this object. */
  isUnreadOf(req: IncomingMessage): boolean {
    return this.#standard === null && this.#body === req;
  }

  get signal(): AbortSignal {
    if (typeof this.#signal === 'function') this.#signal = this.#signal();
    return this.#signal;
  }

  get standard(): Request {
    const body = this.#body instanceof Readable ? Readable.toWeb(this.#body) : this.#body;
    return (this.#standard ??= new Request(this.url, {
      method: this.method,
      headers: this.headers.standard,
      ...(body != null && { body: body as BodyInit, duplex: 'half' }),
    }));
  }
}

interface LightResponseInit {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: HeadersInit | HeadersRecord | LightHeaders;
}

/** A Response with the members that Yoga uses. Others are delegated to a standard Response. */
export class LightResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  /** The body as it was given, so that text and streams are sent without a copy. */
  readonly content: BodyInit | null;
  #standard: Response | null = null;

  constructor(body: BodyInit | null = null, init: LightResponseInit = {}) {
    this.content = body;
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? '';
    this.headers = new LightHeaders(init.headers);
  }

  get standard(): Response {
    return (this.#standard ??= new Response(this.content, {
      status: this.status,
      statusText: this.statusText,
      headers: this.headers.standard,
    }));
  }
}

/** Adds the missing members of the standard class, which use a standard object that is created on first use. */
function complete(light: { prototype: object }, standard: { prototype: object }): void {
  const members = Object.getOwnPropertyDescriptors(standard.prototype);
  for (const [name, { get, value }] of Object.entries(members)) {
    if (name in light.prototype || name === 'constructor') continue;
    Object.defineProperty(light.prototype, name, {
      get(this: { standard: object }) {
        if (get !== undefined) return get.call(this.standard) as unknown;
        return typeof value === 'function' ? value.bind(this.standard) : value;
      },
    });
  }
}
/** Adds static methods, which create standard objects. */
function completeStatic(light: object, standard: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(standard))) {
    if (!(name in light) && typeof value === 'function') {
      Object.defineProperty(light, name, { value: value.bind(standard) });
    }
  }
}
complete(LightHeaders, Headers);
completeStatic(LightResponse, Response);
complete(LightRequest, Request);
complete(LightResponse, Response);
Object.defineProperty(LightHeaders.prototype, Symbol.iterator, {
  value(this: LightHeaders) {
    return this.standard[Symbol.iterator]();
  },
});

/** The `fetchAPI` option of Yoga. */
export const fetchAPI = {
  Headers: LightHeaders as unknown as typeof Headers,
  Request: LightRequest as unknown as typeof Request,
  Response: LightResponse as unknown as typeof Response,
  // Node's own class: Yoga's substitute would have to be wrapped before it can be sent.
  ReadableStream,
};
