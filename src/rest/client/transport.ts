import type { Dispatcher } from 'undici';
import { maxProbeWaitMs } from './resilience/circuit-breaker.ts';
import type { Admission, Breaker } from './resilience/circuit-breaker.ts';
import type { Call } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import type { Cancel } from './resilience/cancel-token.ts';
import { RestError, type RestErrorCode } from './rest-error.ts';
import { Fault } from './send-request.ts';
import type { Outgoing } from './send-request.ts';
import type { FairSemaphore } from './resilience/fair-semaphore.ts';
import type { HttpObserver } from './observer.ts';

export interface TransportOptions {
  readonly origin: string;
  /** Path of the base URL without a trailing slash; often empty. */
  readonly prefix: string;
  readonly runAsHeader: string;
  readonly breaker: Breaker;
  readonly observer: HttpObserver;
}

/** Where the calls of one kind go: their connections, and the queue for them. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  readonly gate: FairSemaphore;
}

/** What one attempt needs beside the call. */
export interface Attempt<T> {
  /** Counts from 1. */
  readonly number: number;
  readonly lane: Lane;
  readonly cancel: Cancel;
  readonly headers: readonly string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
  /** Sends it; resolves with something that has a `status`, or rejects with a Fault. It never throws at once. */
  readonly send: (dispatcher: Dispatcher, outgoing: Outgoing) => Promise<T>;
  /** What a Fault means for this kind of call. */
  readonly explain: (fault: Fault, waitedMs: number) => RestError;
  /** True: the place in the queue is given back by the caller, with `lane.gate.leave(key)`. */
  readonly keepsPlace?: boolean;
}

const refusedRetryAfterMs = 5000; // for a queue of up to 10 s

/**
 * Makes one attempt of one call: waits for a free connection, asks the breaker, signs it, sends it, and tells observer and trace how it ended.
 */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  attempt<T extends { readonly status: number }>(call: Call, attempt: Attempt<T>): Promise<T> {
    const place = attempt.lane.gate.enter(call.caller.key, attempt.cancel);
    if (place === undefined) return this.#inPlace(call, attempt);
    if (place === 'full') return Promise.reject(this.#refused(call, 'full'));
    return place.then((isAdmitted) => {
      if (!isAdmitted) throw this.#refused(call, 'late');
      return this.#inPlace(call, attempt);
    });
  }

  /** Without a promise of its own where nothing has to be waited for: nearly every call comes this way. */
  #inPlace<T extends { readonly status: number }>(call: Call, attempt: Attempt<T>): Promise<T> {
    let headers: string[] | Promise<string[]>;
    try {
      attempt.cancel.throwIfCancelled();
      headers = this.#headers(call, attempt.headers);
    } catch (error) {
      attempt.lane.gate.leave(call.caller.key);
      return Promise.reject(error);
    }
    if (headers instanceof Promise) return this.#whenReady(call, attempt, headers);
    const admission = this.#options.breaker.admit(call);
    return admission instanceof Promise
      ? this.#whenReady(call, attempt, headers)
      : this.#send(call, attempt, headers, admission);
  }

  /**
   * Waits until the call is signed, and for the outcome of another call's probe, where one is under way: without its
   * place, or calls that wait for one endpoint would keep all others from theirs.
   */
  async #whenReady<T extends { readonly status: number }>(
    call: Call,
    attempt: Attempt<T>,
    signing: string[] | Promise<string[]>,
  ): Promise<T> {
    let headers: string[];
    let admission: Admission | Promise<void>;
    const { cancel, lane } = attempt;
    let hasPlace = true;
    try {
      headers = await signing;
      cancel.throwIfCancelled();
      const giveUpAt = performance.now() + maxProbeWaitMs;
      while ((admission = this.#options.breaker.admit(call)) instanceof Promise) {
        lane.gate.leave(call.caller.key);
        hasPlace = false;
        await untilProbed(call, cancel, admission, giveUpAt);
        const place = lane.gate.enter(call.caller.key, cancel);
        if (place === 'full') throw this.#refused(call, 'full');
        if (place !== undefined && !(await place)) throw this.#refused(call, 'late');
        hasPlace = true;
        cancel.throwIfCancelled();
      }
    } catch (error) {
      if (hasPlace) lane.gate.leave(call.caller.key);
      throw error;
    }
    return this.#send(call, attempt, headers, admission);
  }

  #send<T extends { readonly status: number }>(
    call: Call,
    attempt: Attempt<T>,
    headers: string[],
    admission: Admission,
  ): Promise<T> {
    const { lane, body, number } = attempt;
    if (admission === 'refused') {
      lane.gate.leave(call.caller.key);
      return Promise.reject(unavailable(call, 'a closed circuit breaker'));
    }
    const { origin, prefix, breaker, observer } = this.#options;
    const { method } = call;
    const path = prefix + call.path;
    const outgoing: Outgoing =
      body === undefined
        ? { origin, method, path, headers }
        : { origin, method, path, headers, body };
    const startedAt = performance.now();
    observer.callStarted();
    return attempt.send(lane.dispatcher, outgoing).then(
      (result) => {
        if (!attempt.keepsPlace) lane.gate.leave(call.caller.key);
        breaker.answered(call, admission, result);
        if (result.status === 401) call.caller.onUnauthorized?.(method, pathOf(call));
        this.#ended(call, number, performance.now() - startedAt, result.status, null);
        return result;
      },
      (fault: unknown) => {
        lane.gate.leave(call.caller.key);
        const ms = performance.now() - startedAt;
        const error = fault instanceof Fault ? attempt.explain(fault, ms) : fault;
        breaker.failed(call, admission, error);
        const code = error instanceof RestError ? error.code : 'UPSTREAM_ERROR';
        this.#ended(call, number, ms, null, code);
        throw error;
      },
    );
  }

  #ended(
    { operation, method, route, why }: Call,
    attempt: number,
    ms: number,
    status: number | null,
    code: RestErrorCode | null,
  ): void {
    this.#options.observer.callFinished(method, route, status ?? code ?? 'UPSTREAM_ERROR', ms);
    if (operation.trace)
      operation.record({ route: `${method} ${route}`, status, ms, why, attempt });
  }

  /** Nothing was sent. */
  #refused(call: Call, reason: 'full' | 'late'): RestError {
    this.#options.observer.callRefused(reason);
    return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), {
      expected: reason === 'full' ? 'a place in the queue' : 'a free connection in time',
      retryAfterMs: refusedRetryAfterMs,
    });
  }

  #headers(call: Call, own: readonly string[]): string[] | Promise<string[]> {
    const { runAs, authorize } = call.caller;
    // A header holds bytes, not text, and the specification names no character set for this one.
    if (runAs !== null && !/^[\x20-\x7e]+$/.test(runAs)) {
      throw new RestError('BAD_USER_INPUT', requestLine(call), {
        expected: 'a run-as in printable ASCII',
      });
    }
    const authorization = authorize(call.method, pathOf(call));
    return authorization instanceof Promise
      ? authorization.then((value) => this.#headersWith(call, own, value))
      : this.#headersWith(call, own, authorization);
  }

  #headersWith(
    { caller: { runAs }, operation }: Call,
    own: readonly string[],
    authorization: string | null,
  ): string[] {
    const headers = ['x-request-id', operation.requestId, ...own];
    if (runAs !== null) headers.push(this.#options.runAsHeader, runAs);
    if (authorization !== null) headers.push('authorization', authorization);
    return headers;
  }
}

/** Below the base URL, without the query. */
function pathOf({ path }: Call): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/**
 * Waits for a probe; no longer than a second, because a probe of a silent DMS takes its whole time limit, and not when
 * the call is cancelled meanwhile.
 */
async function untilProbed(
  call: Call,
  cancel: Cancel,
  probe: Promise<void>,
  giveUpAt: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => reject(unavailable(call, 'a closed circuit breaker'));
  const timer = setTimeout(giveUp, giveUpAt - performance.now());
  cancel.listen(reject);
  probe.then(resolve, reject);
  await promise.finally(() => clearTimeout(timer));
  cancel.listen(null);
  cancel.throwIfCancelled();
}

function unavailable(call: Call, expected: string): RestError {
  return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), { expected });
}
