import { CircuitState, isBrokenCircuitError } from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import type { Dispatcher } from 'undici';
import type { Call } from './call.ts';
import { requestLine } from './call.ts';
import type { Cancel } from './cancel.ts';
import { RestError } from './errors.ts';
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
    const request = requestLine(call);
    const { gate } = attempt.lane;
    const place = gate.enter(attempt.cancel);
    if (place === 'full') {
      throw new RestError('UPSTREAM_UNAVAILABLE', request, { expected: 'a place in the queue' });
    }
    if (place !== undefined) await place;
    try {
      const result = await this.#guarded(call, request, attempt);
      if (!attempt.keepsPlace) gate.leave();
      return result;
    } catch (error) {
      gate.leave();
      throw error;
    }
  }

  async #guarded<T extends { readonly status: number }>(
    call: Call,
    request: string,
    attempt: Attempt<T>,
  ): Promise<T> {
    const { breaker } = this.#options;
    const headers = this.#headers(call, request, attempt.headers);
    const outgoing: Outgoing = {
      origin: this.#options.origin,
      method: call.method,
      path: this.#options.prefix + call.path,
      headers: Array.isArray(headers) ? headers : await headers,
      ...(attempt.body === undefined ? {} : { body: attempt.body }),
    };
    const send = (): Promise<T> => this.#send(call, attempt, outgoing);
    try {
      if (breaker.state === CircuitState.Closed) {
        attempt.cancel.throwIfCancelled();
        return await breaker.execute(send);
      }
      return await untilCancelled(attempt.cancel, () => breaker.execute(send));
    } catch (error) {
      if (!isBrokenCircuitError(error)) throw error;
      throw new RestError('UPSTREAM_UNAVAILABLE', request, {
        expected: 'a closed circuit breaker',
      });
    }
  }

  async #send<T extends { readonly status: number }>(
    call: Call,
    attempt: Attempt<T>,
    outgoing: Outgoing,
  ): Promise<T> {
    const { observer } = this.#options;
    const { operation, why } = call;
    const route = `${call.method} ${call.route}`;
    attempt.cancel.throwIfCancelled();
    const startedAt = performance.now();
    observer.callStarted(route);
    try {
      const result = await attempt.send(attempt.lane.dispatcher, outgoing);
      const ms = performance.now() - startedAt;
      observer.callFinished(route, result.status, ms);
      operation.record({ route, status: result.status, ms, why, attempt: attempt.number });
      return result;
    } catch (fault) {
      const ms = performance.now() - startedAt;
      const error = fault instanceof Fault ? attempt.explain(fault, ms) : fault;
      observer.callFinished(route, error instanceof RestError ? error.code : 'UPSTREAM_ERROR', ms);
      operation.record({ route, status: null, ms, why, attempt: attempt.number });
      throw error;
    }
  }

  #headers(call: Call, request: string, own: readonly string[]): string[] | Promise<string[]> {
    const { caller, operation } = call;
    const headers = ['x-request-id', operation.requestId, ...own];
    if (caller.runAs !== null) {
      // A header holds bytes, not text, and the specification names no character set for this one.
      if (!/^[\x20-\x7e]+$/.test(caller.runAs)) {
        throw new RestError('BAD_USER_INPUT', request, { expected: 'a run-as in printable ASCII' });
      }
      headers.push(this.#options.runAsHeader, caller.runAs);
    }
    const end = call.path.indexOf('?');
    const authorization = caller.authorize(
      call.method,
      end < 0 ? call.path : call.path.slice(0, end),
    );
    const withAuthorization = (value: string | null): string[] => {
      if (value !== null) headers.push('authorization', value);
      return headers;
    };
    return authorization instanceof Promise
      ? authorization.then(withAuthorization)
      : withAuthorization(authorization);
  }
}

/** The breaker lets others wait for the outcome of its probe; this lets them give up waiting. */
function untilCancelled<T>(cancel: Cancel, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    cancel.throwIfCancelled();
    cancel.listen(reject);
    run().then(resolve, reject);
  });
}
