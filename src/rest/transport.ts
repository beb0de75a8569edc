import { CircuitState, isBrokenCircuitError } from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import type { Dispatcher } from 'undici';
import type { Call } from './call.ts';
import { requestLine } from './call.ts';
import type { Cancel } from './cancel.ts';
import { RestError, type RestErrorCode } from './errors.ts';
import { Fault } from './exchange.ts';
import type { Outgoing } from './exchange.ts';
import type { Gate } from './gate.ts';
import type { HttpObserver } from './observer.ts';

export interface TransportOptions {
  readonly origin: string;
  /** Path of the base URL without a trailing slash; often empty. */
  readonly prefix: string;
  readonly runAsHeader: string;
  readonly breaker: CircuitBreakerPolicy;
  readonly observer: HttpObserver;
}

/** Where the calls of one kind go: their connections, and the queue for them. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  readonly gate: Gate;
}

/** What one attempt needs beside the call. */
export interface Attempt<T> {
  /** Counts from 1. */
  readonly number: number;
  readonly lane: Lane;
  readonly cancel: Cancel;
  readonly headers: readonly string[];
  readonly body?: string | AsyncIterable<Uint8Array>;
  /** Sends it; resolves with something that has a `status`, or throws a Fault. */
  readonly send: (dispatcher: Dispatcher, outgoing: Outgoing) => Promise<T>;
  /** What a Fault means for this kind of call. */
  readonly explain: (fault: Fault, waitedMs: number) => RestError;
  /** True: the place in the queue is given back by the caller, with `lane.gate.leave()`. */
  readonly keepsPlace?: boolean;
}

const longestProbeWaitMs = 1000;

/**
 * Makes one attempt of one call: waits for a free connection, asks the breaker, signs it, sends it, and tells observer and trace how it ended.
 */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async attempt<T extends { readonly status: number }>(
    call: Call,
    attempt: Attempt<T>,
  ): Promise<T> {
    const { breaker, origin, prefix } = this.#options;
    const { cancel, body } = attempt;
    const { gate } = attempt.lane;
    const place = gate.enter(cancel);
    if (place === 'full') throw unavailable(call, 'a place in the queue');
    if (place !== undefined) await place;
    try {
      const headers = this.#headers(call, attempt.headers);
      const outgoing: Outgoing = {
        origin,
        method: call.method,
        path: prefix + call.path,
        headers: Array.isArray(headers) ? headers : await headers,
        ...(body !== undefined && { body }),
      };
      const send = (): Promise<T> => this.#send(call, attempt, outgoing);
      cancel.throwIfCancelled();
      const result =
        breaker.state === CircuitState.Closed
          ? await breaker.execute(send)
          : await this.#behindProbe(call, cancel, send);
      if (!attempt.keepsPlace) gate.leave();
      return result;
    } catch (error) {
      gate.leave();
      throw isBrokenCircuitError(error) ? unavailable(call, 'a closed circuit breaker') : error;
    }
  }

  /**
   * While the breaker is not closed. The breaker lets a call wait for the outcome of another's probe; this ends
   * the wait when the call is cancelled and after a second, because a probe of a silent DMS takes its whole
   * time limit. Whoever gave up is not sent later.
   */
  #behindProbe<T>(call: Call, cancel: Cancel, send: () => Promise<T>): Promise<T> {
    const { breaker } = this.#options;
    const isProbedByOther = breaker.state === CircuitState.HalfOpen;
    return new Promise((resolve, reject) => {
      let gaveUp = false;
      const giveUp = (): void => {
        gaveUp = true;
        reject(unavailable(call, 'a closed circuit breaker'));
      };
      const timer = isProbedByOther ? setTimeout(giveUp, longestProbeWaitMs) : undefined;
      cancel.listen(reject);
      const sendUnlessLate = (): Promise<T> => {
        clearTimeout(timer);
        return gaveUp ? Promise.reject(unavailable(call, 'a place in time')) : send();
      };
      breaker
        .execute(sendUnlessLate)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
  }

  async #send<T extends { readonly status: number }>(
    call: Call,
    attempt: Attempt<T>,
    outgoing: Outgoing,
  ): Promise<T> {
    attempt.cancel.throwIfCancelled();
    const startedAt = performance.now();
    this.#options.observer.callStarted();
    try {
      const result = await attempt.send(attempt.lane.dispatcher, outgoing);
      this.#ended(call, attempt.number, performance.now() - startedAt, result.status, null);
      return result;
    } catch (fault) {
      const ms = performance.now() - startedAt;
      const error = fault instanceof Fault ? attempt.explain(fault, ms) : fault;
      const code = error instanceof RestError ? error.code : 'UPSTREAM_ERROR';
      this.#ended(call, attempt.number, ms, null, code);
      throw error;
    }
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

  #headers(call: Call, own: readonly string[]): string[] | Promise<string[]> {
    const { runAs, authorize } = call.caller;
    // A header holds bytes, not text, and the specification names no character set for this one.
    if (runAs !== null && !/^[\x20-\x7e]+$/.test(runAs)) {
      throw new RestError('BAD_USER_INPUT', requestLine(call), {
        expected: 'a run-as in printable ASCII',
      });
    }
    const end = call.path.indexOf('?');
    const authorization = authorize(call.method, end < 0 ? call.path : call.path.slice(0, end));
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

function unavailable(call: Call, expected: string): RestError {
  return new RestError('UPSTREAM_UNAVAILABLE', requestLine(call), { expected });
}
