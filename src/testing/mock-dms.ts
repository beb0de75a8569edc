import { MockAgent } from 'undici';

/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closestMatch } from 'leven';

/** A request that the mocked DMS received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path as sent, with the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** JSON, text, or a function that returns either for each request. */
export type ReplyBody =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown }
  | ((request: ReceivedRequest) => unknown);

/** Status and headers of an answer. */
export interface ReplyOptions {
  /** Default 200. */
  readonly status?: number;
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A DMS that gives prepared answers and records the requests. */
export interface MockDms {
  /** Decoded method, path and query of all requests in order: `GET /api/v2/docForm/a1?fields=_id,state`. */
  readonly requests: string[];
  /** The same requests with headers and bodies. */
  readonly received: ReceivedRequest[];
  /**
   * Defines the response of a request, for any number of times. A path without a query matches every query. If several
   * match, the last one applies. Strings are sent unchanged, other values as JSON. A function is called for each
   * request and can be asynchronous; an error that it throws breaks the connection. A request without a response gets
   * 501, with a text that names the closest one. The error of the resolver test has this text; a mock with a port
   * emits it as a warning of the process.
   */
  reply(method: string, path: string | RegExp, body: ReplyBody, options?: ReplyOptions): this;
  /**
   * Defines the response of one request. Such responses are used in the order in which they were defined, before those
   * of `reply`: several in a row are a sequence.
   */
  replyOnce(method: string, path: string | RegExp, body: ReplyBody, options?: ReplyOptions): this;
  /**
   * Checks that every response was used and every request had one. A response of `reply` must be used at least once.
   *
   * @throws {Error} that lists unused responses, and requests without a response with the closest one
   */
  verify(): void;
}

/** A mocked DMS that listens on a port. `await using` closes it at the end of the block. */
export interface ListeningMockDms extends MockDms, AsyncDisposable {
  /** Value for `DMS_URL`. */
  readonly url: string;
  /** Closes the port and all connections. */
  close(): Promise<void>;
}

/** Starts a mocked DMS on a free port of 127.0.0.1, for a gateway with `DMS_URL`. */
export async function startMockDms(): Promise<ListeningMockDms> {
  const { mock, respond } = createReplies((text) => process.emitWarning(text));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, headers, data } = await respond({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: headersOf(request.rawHeaders),
      body: await textOf(request),
    });
    response.writeHead(status, headers).end(data);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening on a port');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const url = `http://127.0.0.1:${address.port}`;
  return Object.assign(mock, { url, close, [Symbol.asyncDispose]: close });
}

interface Reply {
  readonly method: string;
  readonly path: string | RegExp;
  readonly body: ReplyBody;
  readonly options: ReplyOptions;
  readonly isOnce: boolean;
  isUsed: boolean;
}

/** What the mocked DMS sends. */
interface MockAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly data: string;
}

/**
 * A mocked DMS, and the function that records a request and returns its answer. It rejects if a prepared answer throws.
 *
 * @param onUnexpected called with the text of each request without an answer
 */
function createReplies(onUnexpected: (text: string) => void): {
  readonly mock: MockDms;
  readonly respond: (request: ReceivedRequest) => Promise<MockAnswer>;
} {
  const replies: Reply[] = [];
  const unanswered: string[] = [];
  const mock: MockDms = {
    requests: [],
    received: [],
    reply(method, path, body, options = {}) {
      replies.push({ method, path, body, options, isOnce: false, isUsed: false });
      return this;
    },
    replyOnce(method, path, body, options = {}) {
      replies.push({ method, path, body, options, isOnce: true, isUsed: false });
      return this;
    },
    verify() {
      const unused = replies.filter(({ isUsed }) => !isUsed).map(lineOf);
      const problems = [
        ...unused.map((line) => `No request used the reply to ${line}.`),
        ...unanswered,
      ];
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
  const respond = async (request: ReceivedRequest): Promise<MockAnswer> => {
    mock.received.push(request);
    mock.requests.push(`${request.method} ${decoded(request.path)}`);
    const matching = replies.filter((reply) => matches(reply, request));
    const reply =
      matching.find(({ isOnce, isUsed }) => isOnce && !isUsed) ??
      matching.findLast(({ isOnce }) => !isOnce);
    if (reply === undefined) {
      const data = noReplyText(request, replies);
      unanswered.push(data);
      onUnexpected(data);
      return { status: 501, headers: {}, data };
    }
    reply.isUsed = true;
    const body: unknown = typeof reply.body === 'function' ? await reply.body(request) : reply.body;
    return {
      status: reply.options.status ?? 200,
      headers: { ...reply.options.headers },
      data: typeof body === 'string' ? body : JSON.stringify(body),
    };
  };
  return { mock, respond };
}

function noReplyText({ method, path }: ReceivedRequest, replies: readonly Reply[]): string {
  const line = `${method} ${decoded(path)}`;
  const candidates = replies.filter(({ isOnce, isUsed }) => !isOnce || !isUsed).map(lineOf);
  const closest = closestMatch(line, candidates);
  const used = replies.some((reply) => lineOf(reply) === line && reply.isOnce);
  const reason = used ? 'All replies to it are used.' : 'No reply matches it.';
  const hint = closest === undefined ? '' : ` The closest is ${closest}.`;
  return `${line} was not expected. ${reason}${hint}`;
}

function lineOf({ method, path }: Reply): string {
  return `${method} ${path instanceof RegExp ? path.source : path}`;
}

function matches({ method, path }: Reply, request: ReceivedRequest): boolean {
  if (method !== request.method) return false;
  const sent = decoded(request.path);
  // Unlike `test`, this does not depend on earlier calls if the expression is global.
  if (path instanceof RegExp) return sent.search(path) !== -1;
  return path === sent || path === sent.split('?')[0];
}

/** The path as it is if it is not valid percent-encoding. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Headers by name in lower case. @param headers names and values in turn */
function headersOf(headers: unknown): Record<string, string> {
  const flat = Array.isArray(headers) ? headers.map(String) : [];
  const found: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) {
    found[String(flat[index]).toLowerCase()] = String(flat[index + 1]);
  }
  return found;
}

/** The whole body of a request. Empty if it is neither text nor a stream of bytes. */
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

/** A mocked DMS without sockets. */
export interface InProcessMockDms extends MockDms {
  /** Dispatcher for `HttpClient`, for requests to `mockOrigin`. */
  readonly dispatcher: MockAgent;
  /** The texts of the requests that had no answer. */
  readonly unexpected: readonly string[];
}

/** Base URL of a mocked DMS without sockets. */
export const mockOrigin = 'http://dms.test';

/** Creates a mocked DMS that answers through undici's `MockAgent`. */
export function createMockDms(): InProcessMockDms {
  const unexpected: string[] = [];
  const { mock, respond } = createReplies((text) => unexpected.push(text));
  const agent = new MockAgent();
  agent.disableNetConnect();
  const answer = async (sent: Sent) => {
    const { status, headers, data } = await respond({
      method: sent.method,
      path: sent.path,
      headers: headersOf(sent.headers),
      body: await textOf(sent.body),
    });
    return { statusCode: status, data, responseOptions: { headers } };
  };
  agent
    .get(mockOrigin)
    .intercept({ path: () => true, method: () => true })
    // undici awaits the result of the callback, but its types do not declare that.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    .reply(answer as never)
    .persist();
  return Object.assign(mock, { dispatcher: agent, unexpected });
}

/** Arguments of undici's reply callback. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}
