import { validateHeaderName, validateHeaderValue, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { connectionHeaders, inTime } from '../../../model/common.ts';
import { userKeyOf, type Caller } from '../caller.ts';
import type { CircuitBreaker, CallOutcome } from '../limits/circuit-breaker.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { RequestBudget } from '../limits/request-budget.ts';
import type { Semaphore } from '../limits/semaphore.ts';
import type { HttpObserver } from '../observer.ts';
import { requestLine, RestError } from '../rest-error.ts';
import { acceptEncoding, type Coding } from '../transport/content-coding.ts';
import { TransportError, type OutgoingRequest } from '../transport/dispatch-handler.ts';
import type { ImmediateBatch } from '../transport/immediate-batch.ts';
import { retryDelayMs } from './retry.ts';

export interface Call {
  readonly caller: Caller;
  readonly budget: RequestBudget;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly route: string;
  readonly path: string;
  readonly label: string;
}

export interface CallResult {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly bytes: number;
  readonly request: string;
}

export type OnCall = (call: {
  readonly method: string;
  readonly url: string;
}) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

export interface Connections {
  readonly dispatcher: Dispatcher;
  readonly semaphore: Semaphore;
}

export interface Upstream {
  readonly origin: string;
  readonly prefix: string;
  readonly runAsHeader: string;
  readonly codings: readonly Coding[];
  readonly maxResponseBytes: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly calls: Connections;
  readonly breaker: CircuitBreaker;
  readonly rateLimiter: Pick<RateLimiter, 'consume'> | undefined;
  readonly onCall: OnCall | undefined;
  readonly observer: HttpObserver;
  readonly batch: ImmediateBatch;
}

export interface Exchange<Raw, Result> {
  readonly connections: Connections;
  /** Ends the waiting. It does not end what was sent, unless `send` listens to it. */
  readonly signal: AbortSignal;
  readonly headers: readonly string[];
  readonly codings: readonly Coding[];
  readonly retries: number;
  deadlineAt(): number;
  send(outgoing: OutgoingRequest, sentAt: number): Promise<Raw>;
  errorFrom(error: TransportError, waitedMs: number): RestError;
  parse(response: Raw): Result;
}

interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a call: waits for a place of its operation, and makes attempts until one succeeds or another cannot help. */
export function runCall<Raw extends Response, Result extends Response>(
  upstream: Upstream,
  call: Call,
  exchange: Exchange<Raw, Result>,
): Promise<Result> {
  const line = requestLine(call);
  const endReason = call.budget.endReason(line);
  if (endReason !== null) throw endReason;
  call.budget.consumeCall(line);
  return runInPlace(upstream, call, exchange);
}

async function runInPlace<Raw extends Response, Result extends Response>(
  upstream: Upstream,
  call: Call,
  exchange: Exchange<Raw, Result>,
): Promise<Result> {
  const { budget } = call;
  const place = budget.acquirePlace(exchange.signal);
  if (place !== undefined) await place;
  let result: Result | null = null;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        result = await attemptCall(upstream, call, exchange, attempt);
        return result;
      } catch (error) {
        const waitMs = retryDelayMs(error, attempt, exchange);
        if (waitMs === null || !budget.consumeRetry()) throw error;
        upstream.observer.retried(`${call.method} ${call.route}`);
        await sleep(waitMs, exchange.signal);
      }
    }
  } finally {
    whenEnded(result, () => budget.releasePlace());
  }
}

async function attemptCall<Raw extends Response, Result>(
  upstream: Upstream,
  call: Call,
  exchange: Exchange<Raw, Result>,
  attempt: number,
): Promise<Result> {
  const counted = upstream.rateLimiter?.consume(call);
  if (counted !== undefined) await counted;
  exchange.signal.throwIfAborted();
  const user = userKeyOf(call.caller);
  const connection = takeConnection(upstream, call, user, exchange);
  if (connection !== undefined) await connection;
  let response: Raw | null = null;
  try {
    const headers = headersOf(upstream, call, exchange);
    const outgoing = outgoingOf(
      upstream,
      call,
      headers instanceof Promise ? await headers : headers,
    );
    exchange.signal.throwIfAborted();
    const recordOutcome = askBreaker(upstream, call, user);
    const record = startRecord(upstream, call, attempt, outgoing.headers);
    const sentAt = performance.now();
    try {
      response = await exchange.send(outgoing, sentAt);
    } catch (cause) {
      const error =
        cause instanceof TransportError
          ? exchange.errorFrom(cause, performance.now() - sentAt)
          : cause;
      recordOutcome(user, outcomeOf(error));
      record(null, error);
      throw error;
    }
    recordOutcome(user, isDown(response.status) ? 'failure' : 'success');
    record(response, null);
    if (response.status === 401) call.caller.onUnauthorized?.(call.method, pathOf(call));
  } finally {
    whenEnded(response, () => exchange.connections.semaphore.release(user));
  }
  return exchange.parse(response);
}

const rejectedRetryAfterMs = 5000; // half of the maximum waiting time

function takeConnection(
  { observer }: Upstream,
  call: Call,
  user: string,
  { connections, signal }: Exchange<unknown, unknown>,
): Promise<void> | undefined {
  const rejected = (reason: 'full' | 'late'): RestError => {
    observer.callRefused(reason);
    return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), {
      expected: reason === 'full' ? 'a free place in the queue' : 'a free connection in time',
      retryAfterMs: rejectedRetryAfterMs,
    });
  };
  const wait = connections.semaphore.acquire(user, signal);
  if (wait === undefined) return undefined;
  if (wait === 'full') throw rejected('full');
  const waitInTime = async (): Promise<void> => {
    if (!(await wait)) throw rejected('late');
  };
  return waitInTime();
}

function headersOf(
  upstream: Upstream,
  call: Call,
  exchange: Exchange<unknown, unknown>,
): string[] | Promise<string[]> {
  const { runAs, authorization } = call.caller;
  // Headers contain bytes, and the specification defines no character set for this one.
  if (runAs !== null && !/^[\x20-\x7e]+$/.test(runAs)) {
    throw new RestError('BAD_USER_INPUT', requestLine(call), {
      expected: 'a run-as value of printable ASCII characters',
    });
  }
  if (typeof authorization !== 'function' && upstream.onCall === undefined) {
    return signedHeaders(upstream, call, exchange, authorization);
  }
  return signLater(upstream, call, exchange);
}

async function signLater(
  upstream: Upstream,
  call: Call,
  exchange: Exchange<unknown, unknown>,
): Promise<string[]> {
  const { method } = call;
  const { authorization } = call.caller;
  const signed =
    typeof authorization === 'function' ? await authorization(method, pathOf(call)) : authorization;
  const headers = signedHeaders(upstream, call, exchange, signed);
  if (upstream.onCall === undefined) return headers;
  const url = `${upstream.origin}${upstream.prefix}${call.path}`;
  const added = await beforeEnd(upstream.onCall({ method, url }), call, exchange);
  const ownNames = headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const names = new Set([...connectionHeaders, ...ownNames]);
  for (const [name, value] of Object.entries(added ?? {})) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (!names.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

/** A call that waits for a team's code holds a connection. */
async function beforeEnd<T>(
  result: T,
  call: Call,
  { signal, deadlineAt }: Exchange<unknown, unknown>,
): Promise<Awaited<T>> {
  const cancelled = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return inTime(Promise.race([result, cancelled]), deadlineAt() - performance.now(), () => {
    const expected = 'the headers of `onCall` in time';
    throw new RestError('UPSTREAM_TIMEOUT', requestLine(call), { expected });
  });
}

function signedHeaders(
  { runAsHeader }: Upstream,
  { caller, budget }: Call,
  { headers: own, codings }: Exchange<unknown, unknown>,
  authorization: string | null,
): string[] {
  const headers = ['x-request-id', budget.requestId, ...own, ...acceptEncoding(codings)];
  if (caller.runAs !== null) headers.push(runAsHeader, caller.runAs);
  if (authorization !== null) headers.push('authorization', authorization);
  if (caller.forwarded !== undefined) headers.push(...Object.entries(caller.forwarded).flat());
  return headers;
}

function outgoingOf(
  { origin, prefix }: Upstream,
  { method, path }: Call,
  headers: string[],
): OutgoingRequest {
  return { origin, method, path: prefix + path, headers };
}

function askBreaker(
  { breaker }: Upstream,
  call: Call,
  user: string,
): (user: string, outcome: CallOutcome) => void {
  const record = breaker.admit(`${call.method} ${call.route}`, user);
  if (record !== null) return record;
  throw new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), {
    expected: 'a closed circuit breaker',
  });
}

function isDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function outcomeOf(error: unknown): CallOutcome {
  const cause = error instanceof RestError ? error.cause : error;
  if (!(cause instanceof TransportError) || cause.kind === 'cancelled') return 'unknown';
  if (cause.kind === 'connection' || cause.kind === 'timeout') return 'failure';
  return cause.sent ? 'success' : 'unknown';
}

function startRecord(
  { observer }: Upstream,
  call: Call,
  attempt: number,
  headers: string[],
): (response: Response | null, error: unknown) => void {
  const { budget, method, route } = call;
  const observed = budget.observer?.startCall(call, attempt);
  if (observed !== undefined) headers.push(...observed.headers);
  const startedAt = performance.now();
  observer.callsInFlight(1);
  budget.sentCalls += 1;
  return (response, error) => {
    const status = response?.status ?? null;
    const code = error instanceof RestError ? error.code : 'UPSTREAM_ERROR';
    observer.callsInFlight(-1);
    observer.callFinished(method, route, status ?? code, performance.now() - startedAt);
    budget.recordCall(call, { source: 'dms', startedAt, status, attempt });
    if (observed === undefined) return;
    if (response === null) observed.end(statusOf(error), code);
    else {
      whenEnded(response, (broken) =>
        observed.end(status, broken instanceof RestError ? broken.code : null),
      );
    }
  };
}

function statusOf(error: unknown): number | null {
  const cause = error instanceof RestError ? error.cause : null;
  return cause instanceof TransportError ? cause.status : null;
}

function whenEnded(response: Response | null, listener: (error: unknown) => void): void {
  const body = response?.body;
  if (!(body instanceof Readable)) listener(null);
  else if (body.closed) listener(body.errored);
  else body.once('close', () => listener(body.errored));
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}

function pathOf({ path }: Call): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}
