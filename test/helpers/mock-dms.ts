import { MockAgent } from 'undici';
import { createRequestBudget } from '../../src/rest/client/resilience/request-budget.ts';
import type { Caller } from '../../src/rest/client/caller.ts';
import type {
  RequestBudget,
  RequestBudgetOptions,
} from '../../src/rest/client/resilience/request-budget.ts';
import { createDms } from '../../src/rest/dms.ts';
import type { Dms } from '../../src/rest/dms.ts';
import { createHttpClient } from '../../src/rest/client/http-client.ts';
import type { HttpClient, HttpClientOptions } from '../../src/rest/client/http-client.ts';
import type { HttpObserver } from '../../src/rest/client/observer.ts';

/** A request that the mocked DMS received. */
interface ReceivedRequest {
  readonly method: string;
  /** The path as sent, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** JSON, text, or a function that returns either for each request. */
type ReplyBody =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown }
  | ((request: ReceivedRequest) => unknown);

interface ReplyOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly method: string;
  readonly path: string | RegExp;
  readonly body: ReplyBody;
  readonly options: ReplyOptions;
}

export interface MockDms {
  /** Dispatcher for `createHttpClient`. */
  readonly dispatcher: MockAgent;
  /** Decoded method, path and query of all requests in order: `GET /api/v2/docForm/a1?fields=_id,state`. */
  readonly requests: string[];
  /** The same requests with headers and bodies. */
  readonly received: ReceivedRequest[];
  /**
   * Defines the response of a request, for any number of times. A path without a query matches every query. If several
   * match, the last one applies. Strings are sent unchanged, other values as JSON. A function is called for each
   * request and can be asynchronous; an error that it throws breaks the connection. Other requests get 501.
   */
  reply(method: string, path: string | RegExp, body: ReplyBody, options?: ReplyOptions): MockDms;
}

const mockOrigin = 'http://dms.test';

export function createMockDms(): MockDms {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const replies: Reply[] = [];
  const requests: string[] = [];
  const received: ReceivedRequest[] = [];
  const respond = async (options: Sent): Promise<Answer> => {
    const request = {
      method: options.method,
      path: options.path,
      headers: headersOf(options.headers),
      body: await textOf(options.body),
    };
    received.push(request);
    requests.push(`${request.method} ${decodeURIComponent(request.path)}`);
    return await answerTo(request, replies);
  };
  agent
    .get(mockOrigin)
    .intercept({ path: () => true, method: () => true })
    // undici awaits the result of the callback, but its types do not declare that.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    .reply(respond as never)
    .persist();
  const mock: MockDms = {
    dispatcher: agent,
    requests,
    received,
    reply(method, path, body, options = {}) {
      replies.unshift({ method, path, body, options });
      return mock;
    },
  };
  return mock;
}

/** Arguments and result of undici's reply callback. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}

interface Answer {
  readonly statusCode: number;
  readonly data: string;
  readonly responseOptions?: { readonly headers: Record<string, string> };
}

async function answerTo(request: ReceivedRequest, replies: readonly Reply[]): Promise<Answer> {
  const reply = replies.find((candidate) => fits(candidate, request));
  if (reply === undefined) return { statusCode: 501, data: `nothing prepared for ${request.path}` };
  const body: unknown = typeof reply.body === 'function' ? await reply.body(request) : reply.body;
  return {
    statusCode: reply.options.status ?? 200,
    data: typeof body === 'string' ? body : JSON.stringify(body),
    responseOptions: { headers: { ...reply.options.headers } },
  };
}

function fits({ method, path }: Reply, request: ReceivedRequest): boolean {
  if (method !== request.method) return false;
  const decoded = decodeURIComponent(request.path);
  if (path instanceof RegExp) return path.test(decoded);
  return path === decoded || path === decoded.split('?')[0];
}

function headersOf(headers: unknown): Record<string, string> {
  const flat = Array.isArray(headers) ? headers.map(String) : [];
  const found: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) {
    found[String(flat[index]).toLowerCase()] = String(flat[index + 1]);
  }
  return found;
}

async function textOf(body: unknown): Promise<string> {
  if (typeof body === 'string') return body;
  if (!isAsyncIterable(body)) return '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The REST client with defaults for tests: no cache and no retries. */
export function testHttp(
  { dispatcher }: Pick<MockDms, 'dispatcher'>,
  options: Partial<HttpClientOptions> = {},
  observer: Partial<HttpObserver> = {},
): HttpClient {
  return createHttpClient({ ...testHttpOptions, ...options }, observer, dispatcher);
}

export const testHttpOptions: HttpClientOptions = {
  baseUrl: mockOrigin,
  runAsHeader: 'svc-run-as',
  timeoutMs: 5000,
  retries: 0,
  connections: 16,
  projection: true,
  cacheTtlMs: 0,
};

export function testCaller(caller: Partial<Caller> = {}): Caller {
  return { key: 'ann', runAs: null, authorize: () => 'Bearer test', ...caller };
}

export function testBudget(options: Partial<RequestBudgetOptions> = {}): RequestBudget {
  return createRequestBudget({
    requestId: 'request-1',
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxCalls: 100,
    maxInFlight: 32,
    ...options,
  });
}

/** A REST client with a mocked DMS, for one caller and one operation. */
export function testDms(
  mock: Pick<MockDms, 'dispatcher'>,
  options: Partial<HttpClientOptions> = {},
): Dms {
  return createDms(testHttp(mock, options), testCaller(), testBudget());
}
