import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { createBreaker } from './breaker.ts';
import { requestLine } from './call.ts';
import type { Call } from './call.ts';
import { Cancel } from './cancel.ts';
import { RestError } from './errors.ts';
import { exchange } from './exchange.ts';
import type { Fault, Incoming } from './exchange.ts';
import { Flight } from './flight.ts';
import { Gate } from './gate.ts';
import { observerOf } from './observer.ts';
import type { HttpObserver } from './observer.ts';
import { createQuirks } from './quirks.ts';
import type { Quirks } from './quirks.ts';
import { ReferenceCache } from './reference-cache.ts';
import { waitBeforeRepeat } from './retry.ts';
import { isAway, statusError } from './status.ts';
import { Transport } from './transport.ts';
import type { Lane } from './transport.ts';

export interface HttpOptions {
  /** May have a path; the DMS's own paths are appended to it. */
  readonly baseUrl: string;
  readonly runAsHeader: string;
  /** Milliseconds for one call; for file transfers the longest silence. */
  readonly timeoutMs: number;
  /** How often a read is repeated, 0 for never. */
  readonly retries: number;
  /** Most connections for calls. */
  readonly connections: number;
  /** Whether `fields` is sent. */
  readonly projection: boolean;
  /** Milliseconds that reference data is kept; 0 for not at all. */
  readonly cacheTtlMs: number;
  /** Most connections for file transfers, which are apart so that slow ones never hold up calls. Default 64. */
  readonly transferConnections?: number;
  /** Most answers of one noun of reference data that are kept. Default 5000. */
  readonly cacheEntries?: number;
  /** Most bytes of them. Default 8 MiB. */
  readonly cacheBytes?: number;
  /** Most calls that wait for a connection. Default 16384. */
  readonly maxWaiting?: number;
  /** Longest answer in bytes, files apart. Default 16 MiB. */
  readonly maxAnswerBytes?: number;
}

/** The answer to a read: parsed JSON, or text where the call asked for it. */
export interface Answer {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Length of the body. */
  readonly bytes: number;
  readonly request: string;
}

/** The answer to a write: `body` is parsed JSON where the call wanted it and it succeeded, else null. */
export interface WriteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly request: string;
}

export interface ReadCall extends Call {
  readonly method: 'GET';
  readonly as?: 'json' | 'text';
  /** Not for a read that makes the DMS create something: it is sent once and belongs to one caller. */
  readonly once?: boolean;
}

export interface WriteCall extends Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Whether the body of a 2xx is needed. */
  readonly bodyWanted: boolean;
}

/** The only sockets to the DMS. One for the whole process. */
export interface Http {
  readonly projection: boolean;
  readonly quirks: Quirks;
  readonly reference: ReferenceCache;
  /**
   * Reads, in at most 1 + `retries` requests. Equal reads of one identity that are under way at the same time
   * are one.
   * @throws {RestError}
   */
  read(call: ReadCall): Promise<Answer>;
  /**
   * Writes, in one request at most. Resolves with whatever the DMS answered, 401, 429 and 5xx apart.
   * @throws {RestError} `OUTCOME_UNKNOWN` where it may have been sent and no answer came
   */
  write(call: WriteCall): Promise<WriteAnswer>;
  /** Whether the DMS answers at all, whatever it says; within two seconds. */
  ping(): Promise<boolean>;
  /** Lets calls under way end, ends transfers. */
  close(): Promise<void>;
}

/** @param dispatcher in tests, what stands for the network */
export function createHttp(
  options: HttpOptions,
  observer: Partial<HttpObserver> = {},
  dispatcher?: Dispatcher,
): Http {
  return new HttpClient(options, observerOf(observer), dispatcher);
}

const pingMs = 2000;

class HttpClient implements Http {
  readonly projection: boolean;
  readonly quirks = createQuirks();
  readonly reference: ReferenceCache;
  readonly #options: HttpOptions;
  readonly #observer: HttpObserver;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #pools: Pool[];
  readonly #calls: Lane;
  readonly #transport: Transport;
  readonly #maxAnswerBytes: number;
  #flights = new Map<string, Flight<Answer>>();

  constructor(options: HttpOptions, observer: HttpObserver, dispatcher?: Dispatcher) {
    const base = new URL(options.baseUrl);
    this.#options = options;
    this.#observer = observer;
    this.projection = options.projection;
    this.#origin = base.origin;
    this.#prefix = base.pathname.replace(/\/+$/, '');
    this.#maxAnswerBytes = options.maxAnswerBytes ?? 16 * 1024 * 1024;
    this.reference = new ReferenceCache(
      {
        ttlMs: options.cacheTtlMs,
        maxEntries: options.cacheEntries ?? 5000,
        maxBytes: options.cacheBytes ?? 8 * 1024 * 1024,
      },
      observer,
    );
    const maxWaiting = options.maxWaiting ?? 16_384;
    this.#pools = [];
    const lane = (connections: number): Lane => ({
      dispatcher: dispatcher ?? this.#pool(connections),
      gate: new Gate(connections, maxWaiting),
    });
    this.#calls = lane(options.connections);
    this.#transport = new Transport({
      origin: this.#origin,
      prefix: this.#prefix,
      runAsHeader: options.runAsHeader,
      breaker: createBreaker(observer),
      observer,
    });
  }

  read(call: ReadCall): Promise<Answer> {
    const request = requestLine(call);
    const over = call.operation.over(request);
    if (over !== null) return Promise.reject(over);
    if (call.once) {
      const alone = new Flight<Answer>(() => {});
      alone.start((flight) => this.#fly(call, request, flight));
      return alone.join(call.operation, request);
    }
    const flights = this.#flights;
    // A path holds no line break, so no other identity can have this key.
    const key = `${call.path}\n${call.caller.key}`;
    let flight = flights.get(key);
    if (flight === undefined) {
      const started = new Flight<Answer>(() => {
        if (flights.get(key) === started) flights.delete(key);
      });
      flights.set(key, started);
      started.start(() => this.#fly(call, request, started));
      flight = started;
    } else {
      this.#observer.cacheRead('shared');
    }
    return flight.join(call.operation, request);
  }

  async #fly(call: ReadCall, request: string, flight: Flight<Answer>): Promise<Answer> {
    const { operation } = call;
    const place = operation.enter(flight.cancel);
    if (place !== undefined) await place;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#readOnce(call, request, flight.cancel, attempt);
        } catch (error) {
          const waitMs = call.once
            ? null
            : waitBeforeRepeat(error, attempt, {
                retries: this.#options.retries,
                deadlineAt: flight.deadlineAt,
              });
          if (waitMs === null || !operation.hasBudget()) throw error;
          this.#observer.retried(`${call.method} ${call.route}`);
          await flight.cancel.sleep(waitMs);
        }
      }
    } finally {
      operation.leave();
    }
  }

  async #readOnce(
    call: ReadCall,
    request: string,
    cancel: Cancel,
    attempt: number,
  ): Promise<Answer> {
    const { timeoutMs } = this.#options;
    const maxBytes = this.#maxAnswerBytes;
    const incoming = await this.#transport.attempt(call, {
      number: attempt,
      lane: this.#calls,
      cancel,
      headers: call.as === 'text' ? acceptText : acceptJson,
      send: (dispatcher, outgoing) =>
        exchange(dispatcher, outgoing, { timeoutMs, maxBytes, cancel }),
      explain: (fault, waitedMs) => explainRead(fault, request, waitedMs, cancel, maxBytes),
    });
    if (incoming.status < 200 || incoming.status > 299) throw statusError(request, incoming);
    return {
      body:
        call.as === 'text' ? incoming.body.toString() : parseJson(incoming.body, request, incoming),
      headers: incoming.headers,
      bytes: incoming.body.length,
      request,
    };
  }

  async write(call: WriteCall): Promise<WriteAnswer> {
    const request = requestLine(call);
    const { operation } = call;
    const cancel = new Cancel();
    const over = operation.over(request);
    if (over !== null) throw over;
    // A client that leaves stops a write that still waits, not one that is under way.
    const leave = (): void =>
      cancel.cancel(operation.over(request) ?? new RestError('CANCELLED', request));
    const body = call.json === undefined ? undefined : JSON.stringify(call.json);
    operation.watch(leave);
    this.#flights = new Map();
    try {
      const place = operation.enter(cancel);
      if (place !== undefined) await place;
      try {
        const incoming = await this.#transport.attempt(call, {
          number: 1,
          lane: this.#calls,
          cancel,
          headers: body === undefined ? acceptJson : sendJson,
          ...(body === undefined ? {} : { body }),
          send: (dispatcher, outgoing) => {
            operation.unwatch(leave);
            return exchange(dispatcher, outgoing, {
              timeoutMs: Math.min(
                this.#options.timeoutMs,
                Math.max(1, operation.deadlineAt - performance.now()),
              ),
              maxBytes: this.#maxAnswerBytes,
              bodyWanted: call.bodyWanted,
              cancel,
            });
          },
          explain: (fault, waitedMs) => explainWrite(fault, request, waitedMs),
        });
        return writeAnswer(request, incoming, call.bodyWanted);
      } finally {
        operation.leave();
      }
    } finally {
      operation.unwatch(leave);
      // A read that began before the answer may show what was before: nobody joins it any more.
      this.#flights = new Map();
    }
  }

  async ping(): Promise<boolean> {
    try {
      const { status } = await exchange(
        this.#calls.dispatcher,
        {
          origin: this.#origin,
          method: 'GET',
          path: `${this.#prefix}/`,
          headers: ['accept', '*/*'],
        },
        { timeoutMs: pingMs, maxBytes: 0, bodyWanted: false, cancel: new Cancel() },
      );
      return !isAway(status) || status === 429;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  #pool(connections: number): Pool {
    const pool = new Pool(this.#origin, {
      connections,
      // One request at a time on a connection, and no HTTP/2: what keeps undici from ever sending one twice.
      pipelining: 1,
      allowH2: false,
      // Our own timers decide; these are the net below them for what has no timer, and tick coarsely.
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: this.#options.timeoutMs,
    });
    this.#pools.push(pool);
    return pool;
  }
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];
const sendJson = [...acceptJson, 'content-type', 'application/json'];

function explainRead(
  fault: Fault,
  request: string,
  waitedMs: number,
  cancel: Cancel,
  maxBytes: number,
): unknown {
  const details = { status: fault.status, waitedMs, cause: fault };
  switch (fault.kind) {
    case 'cancelled':
      return cancel.reason;
    case 'timeout':
      return new RestError('UPSTREAM_TIMEOUT', request, details);
    case 'tooLarge':
      return new RestError('UPSTREAM_ERROR', request, {
        ...details,
        expected: `at most ${maxBytes} bytes`,
      });
    case 'malformed':
      return new RestError('UPSTREAM_ERROR', request, { ...details, expected: 'HTTP' });
    case 'connection':
      return new RestError('UPSTREAM_UNAVAILABLE', request, details);
  }
}

function explainWrite(fault: Fault, request: string, waitedMs: number): RestError {
  const details = { status: fault.status, waitedMs, cause: fault };
  if (fault.kind === 'tooLarge') {
    return new RestError('UPSTREAM_ERROR', request, { ...details, expected: 'a shorter answer' });
  }
  if (fault.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (fault.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', request, details);
  if (fault.kind === 'malformed') return new RestError('UPSTREAM_ERROR', request, details);
  return new RestError('UPSTREAM_UNAVAILABLE', request, details);
}

/**
 * Passes on what a write's outcome can be made of. 502 and 504 come from something before the DMS that got no
 * answer either, so the outcome is unknown; 429 and 503 say that nothing was begun.
 */
function writeAnswer(request: string, incoming: Incoming, bodyWanted: boolean): WriteAnswer {
  const { status, headers } = incoming;
  if (status === 502 || status === 504) {
    throw new RestError('OUTCOME_UNKNOWN', request, { status });
  }
  const isDone = status >= 200 && status < 300;
  const isRefused = status >= 400 && status < 500 && status !== 401 && status !== 429;
  if (!isDone && !isRefused) throw statusError(request, incoming);
  const body = isDone && bodyWanted ? parseJson(incoming.body, request, incoming) : null;
  return { status, headers, body, request };
}

/** @throws {RestError} `UPSTREAM_ERROR` */
function parseJson(body: Buffer, request: string, { status, headers }: Incoming): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch (cause) {
    const type = headers['content-type'] ?? 'no content type';
    throw new RestError('UPSTREAM_ERROR', request, {
      status,
      expected: 'JSON',
      got: `${body.length} bytes of ${String(type)}`,
      cause,
    });
  }
}
