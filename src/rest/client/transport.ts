import type { Dispatcher } from 'undici';
import { maxProbeWaitMs } from './resilience/circuit-breaker.ts';
import type { CallSpan } from './call-tracing.ts';
import type { Admission, CircuitBreaker } from './resilience/circuit-breaker.ts';
import { traceCall } from './call-trace.ts';
import type { UpstreamCall } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import type { CancelToken } from './resilience/cancel-token.ts';
import type { RestErrorCode } from '../../model/error-codes.ts';
import { RestError } from './rest-error.ts';
import { TransportError } from './send-request.ts';
import type { OutgoingRequest } from './send-request.ts';
import type { RateLimiter } from './resilience/rate-limiter.ts';
import type { FairSemaphore } from './resilience/fair-semaphore.ts';
import type { HttpObserver } from './observer.ts';

/** What all calls of a client share. */
export interface TransportOptions {
  readonly origin: string;
  /** Path of the base URL without a trailing slash. Often empty. */
  readonly prefix: string;
  readonly runAsHeader: string;
  readonly breaker: CircuitBreaker;
  readonly observer: HttpObserver;
  /** Undefined if the calls of a caller are not limited. */
  readonly rateLimiter: RateLimiter | undefined;
}

/** The connections for one kind of call, and their queue. */
export interface ConnectionPool {
  readonly dispatcher: Dispatcher;
  readonly semaphore: FairSemaphore;
}

/** The parameters of one attempt of a call. */
export interface Attempt<T> {
  /** Counted from 1. */
  readonly number: number;
  readonly pool: ConnectionPool;
  readonly cancelToken: CancelToken;
  readonly headers: readonly string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
  /** Sends the request. Resolves with the response, or rejects with a TransportError. Never throws synchronously. */
  readonly send: (dispatcher: Dispatcher, outgoing: OutgoingRequest) => Promise<T>;
  /** Returns the error that a TransportError means for this kind of call. */
  readonly toRestError: (cause: TransportError, waitedMs: number) => RestError;
  /** True if the caller releases the slot, with `pool.semaphore.release(key)`. */
  readonly keepsSlot?: boolean;
  /** Calls the listener when a response ends later than `send` resolves, with its error. Default: it has ended. */
  readonly whenEnded?: (response: T, listener: (error: unknown) => void) => void;
}

const rejectedRetryAfterMs = 5000; // half of the maximum waiting time

/**
 * Makes one attempt of a call: counts it for the rate limit, waits for a connection, asks the circuit breaker, adds
 * credentials, sends the request, and reports the result to observer and trace.
 */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt.
   * @throws {RestError} `RATE_LIMITED` if the caller has reached RATE_LIMIT; `UPSTREAM_UNAVAILABLE` if no connection is
   * available in time or the circuit is open; otherwise the result of `toRestError`
   */
  attempt<T extends { readonly status: number }>(
    call: UpstreamCall,
    attempt: Attempt<T>,
  ): Promise<T> {
    const { rateLimiter } = this.#options;
    if (rateLimiter === undefined) return this.#waitForSlot(call, attempt);
    return rateLimiter.consume(call).then(() => {
      attempt.cancelToken.throwIfCancelled();
      return this.#waitForSlot(call, attempt);
    });
  }

  #waitForSlot<T extends { readonly status: number }>(
    call: UpstreamCall,
    attempt: Attempt<T>,
  ): Promise<T> {
    const slot = attempt.pool.semaphore.acquire(call.caller.key, attempt.cancelToken);
    if (slot === undefined) return this.#withSlot(call, attempt);
    if (slot === 'full') return Promise.reject(this.#rejected(call, 'full'));
    return slot.then((isAdmitted) => {
      if (!isAdmitted) throw this.#rejected(call, 'late');
      return this.#withSlot(call, attempt);
    });
  }

  /** Continues synchronously if there is nothing to wait for, which is true for nearly every call. */
  #withSlot<T extends { readonly status: number }>(
    call: UpstreamCall,
    attempt: Attempt<T>,
  ): Promise<T> {
    let headers: string[] | Promise<string[]>;
    try {
      attempt.cancelToken.throwIfCancelled();
      headers = this.#headers(call, attempt.headers);
    } catch (error) {
      attempt.pool.semaphore.release(call.caller.key);
      return Promise.reject(error);
    }
    if (headers instanceof Promise) return this.#whenReady(call, attempt, headers);
    const admission = this.#options.breaker.admit(call);
    return admission instanceof Promise
      ? this.#whenReady(call, attempt, headers)
      : this.#send(call, attempt, headers, admission);
  }

  /**
   * Waits for the signature, and for the result of another call's probe. While it waits for a probe it releases its
   * slot, so that calls to one endpoint do not block all others.
   */
  async #whenReady<T extends { readonly status: number }>(
    call: UpstreamCall,
    attempt: Attempt<T>,
    signing: string[] | Promise<string[]>,
  ): Promise<T> {
    let headers: string[];
    let admission: Admission | Promise<void>;
    const { cancelToken, pool } = attempt;
    let hasSlot = true;
    try {
      headers = await signing;
      cancelToken.throwIfCancelled();
      const giveUpAt = performance.now() + maxProbeWaitMs;
      while ((admission = this.#options.breaker.admit(call)) instanceof Promise) {
        pool.semaphore.release(call.caller.key);
        hasSlot = false;
        await untilProbed(call, cancelToken, admission, giveUpAt);
        const slot = pool.semaphore.acquire(call.caller.key, cancelToken);
        if (slot === 'full') throw this.#rejected(call, 'full');
        if (slot !== undefined && !(await slot)) throw this.#rejected(call, 'late');
        hasSlot = true;
        cancelToken.throwIfCancelled();
      }
    } catch (error) {
      if (hasSlot) pool.semaphore.release(call.caller.key);
      throw error;
    }
    return this.#send(call, attempt, headers, admission);
  }

  #send<T extends { readonly status: number }>(
    call: UpstreamCall,
    attempt: Attempt<T>,
    headers: string[],
    admission: Admission,
  ): Promise<T> {
    const { pool, body, number } = attempt;
    if (admission === 'refused') {
      pool.semaphore.release(call.caller.key);
      return Promise.reject(unavailable(call, 'a closed circuit breaker'));
    }
    const { origin, prefix, breaker, observer } = this.#options;
    const { method } = call;
    const path = prefix + call.path;
    const outgoing: OutgoingRequest =
      body === undefined
        ? { origin, method, path, headers }
        : { origin, method, path, headers, body };
    const { tracing } = call.budget;
    const span = tracing === null ? null : tracing.startCall(call, number);
    if (span !== null) headers.push(...span.headers);
    const startedAt = performance.now();
    observer.callStarted();
    call.budget.sentCalls += 1;
    return attempt.send(pool.dispatcher, outgoing).then(
      (result) => {
        if (!attempt.keepsSlot) pool.semaphore.release(call.caller.key);
        breaker.answered(call, admission, result);
        if (result.status === 401) call.caller.onUnauthorized?.(method, pathOf(call));
        this.#ended(call, number, startedAt, result.status, null);
        if (span !== null) endSpan(span, attempt, result);
        return result;
      },
      (cause: unknown) => {
        pool.semaphore.release(call.caller.key);
        const ms = performance.now() - startedAt;
        const error = cause instanceof TransportError ? attempt.toRestError(cause, ms) : cause;
        breaker.failed(call, admission, error);
        const code = error instanceof RestError ? error.code : 'UPSTREAM_ERROR';
        this.#ended(call, number, startedAt, null, code);
        span?.end(cause instanceof TransportError ? cause.status : null, code);
        throw error;
      },
    );
  }

  #ended(
    call: UpstreamCall,
    attempt: number,
    startedAt: number,
    status: number | null,
    code: RestErrorCode | null,
  ): void {
    const { budget, method, route } = call;
    const ms = performance.now() - startedAt;
    this.#options.observer.callFinished(method, route, status ?? code ?? 'UPSTREAM_ERROR', ms);
    if (budget.trace !== undefined) {
      traceCall(call, { startedAt, source: 'dms', status, attempt });
    }
  }

  /** The error of a call that was not sent. */
  #rejected(call: UpstreamCall, reason: 'full' | 'late'): RestError {
    this.#options.observer.callRefused(reason);
    return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), {
      expected: reason === 'full' ? 'a free place in the queue' : 'a free connection in time',
      retryAfterMs: rejectedRetryAfterMs,
    });
  }

  #headers(call: UpstreamCall, own: readonly string[]): string[] | Promise<string[]> {
    const { runAs, authorize } = call.caller;
    // Headers contain bytes, and the specification defines no character set for this one.
    if (runAs !== null && !/^[\x20-\x7e]+$/.test(runAs)) {
      throw new RestError('BAD_USER_INPUT', requestLine(call), {
        expected: 'a run-as value of printable ASCII characters',
      });
    }
    const authorization = authorize(call.method, pathOf(call));
    return authorization instanceof Promise
      ? authorization.then((value) => this.#headersWith(call, own, value))
      : this.#headersWith(call, own, authorization);
  }

  #headersWith(
    { caller: { runAs }, budget }: UpstreamCall,
    own: readonly string[],
    authorization: string | null,
  ): string[] {
    const headers = ['x-request-id', budget.requestId, ...own];
    if (runAs !== null) headers.push(this.#options.runAsHeader, runAs);
    if (authorization !== null) headers.push('authorization', authorization);
    return headers;
  }
}

function endSpan<T extends { readonly status: number }>(
  span: CallSpan,
  { whenEnded }: Attempt<T>,
  response: T,
): void {
  const end = (error: unknown): void =>
    span.end(response.status, error instanceof RestError ? error.code : null);
  if (whenEnded === undefined) end(null);
  else whenEnded(response, end);
}

/** The path relative to the base URL, without the query. */
function pathOf({ path }: UpstreamCall): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/**
 * Waits for a probe, at most one second, because the probe of an unresponsive DMS lasts until its time limit. Rejects
 * when the call is cancelled.
 */
async function untilProbed(
  call: UpstreamCall,
  cancelToken: CancelToken,
  probe: Promise<void>,
  giveUpAt: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => reject(unavailable(call, 'a closed circuit breaker'));
  // Waiting for a connection can take longer than this time; Node warns of negative delays.
  const timer = setTimeout(giveUp, Math.max(0, giveUpAt - performance.now()));
  cancelToken.setListener(reject);
  probe.then(resolve, reject);
  await promise.finally(() => clearTimeout(timer));
  cancelToken.setListener(null);
  cancelToken.throwIfCancelled();
}

function unavailable(call: UpstreamCall, expected: string): RestError {
  return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), { expected });
}
