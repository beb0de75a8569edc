import type { CancelToken } from '../transport/cancellation.ts';
import { acceptEncoding } from '../transport/content-coding.ts';
import type { HttpObserver } from '../observer.ts';
import { maxProbeWaitMs, type CircuitBreaker } from '../limits/circuit-breaker.ts';
import type { FairSemaphore } from '../limits/semaphore.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { RestError } from '../rest-error.ts';
import { TransportError } from '../transport/dispatch-handler.ts';
import { pathOf, userKeyOf } from './call.ts';
import { whenEnded, type Stage, type UpstreamRequest } from './upstream-request.ts';

/** What the requests of one connection pool share. */
export interface StageOptions {
  readonly rateLimiter: Pick<RateLimiter, 'consume'> | undefined;
  readonly semaphore: FairSemaphore;
  readonly runAsHeader: string;
  readonly breaker: CircuitBreaker;
  readonly observer: HttpObserver;
}

/** The stages of a call, from top to bottom. Its response passes back in reverse order. */
export interface Stages {
  /** Passed once. A read passes `SingleFlight` before: one that joins another read needs no more. */
  readonly call: readonly Stage[];
  /** Passed by each attempt, after which the request is sent. `sendWithRetries` repeats them. */
  readonly attempt: readonly Stage[];
}

/** Creates the stages of the calls that share a connection pool. */
export function createStages(options: StageOptions): Stages {
  const { rateLimiter, semaphore, runAsHeader, breaker, observer } = options;
  const connections = new ShareConnections(semaphore, observer);
  return {
    call: [followOperation, limitOperation],
    attempt: [
      limitRate(rateLimiter),
      connections,
      authenticate(runAsHeader),
      new BreakCircuit(breaker, connections),
      report(observer),
    ],
  };
}

/** Cancels the call when its operation ends. */
const followOperation: Stage = {
  enter(request) {
    const endReason = request.call.budget.endReason(request.line);
    if (endReason !== null) throw endReason;
    request.follow();
    return undefined;
  },
  leave(request, response) {
    whenEnded(response, () => request.unfollow());
  },
};

/** Counts the call for MAX_UPSTREAM_CALLS, and waits for one of the DMS_CONCURRENCY slots of the operation. */
const limitOperation: Stage = {
  enter({ call: { budget }, line, cancelToken }) {
    budget.consumeCall(line);
    return budget.acquireSlot(cancelToken);
  },
  leave({ call: { budget } }, response) {
    whenEnded(response, () => budget.releaseSlot());
  },
};

/** Counts the request for RATE_LIMIT. */
function limitRate(limiter: StageOptions['rateLimiter']): Stage {
  return { enter: ({ call }) => limiter?.consume(call) };
}

const rejectedRetryAfterMs = 5000; // half of the maximum waiting time

/** Waits for a connection, which callers share fairly. A download holds it until its body has ended. */
class ShareConnections implements Stage {
  readonly #semaphore: FairSemaphore;
  readonly #observer: HttpObserver;

  constructor(semaphore: FairSemaphore, observer: HttpObserver) {
    this.#semaphore = semaphore;
    this.#observer = observer;
  }

  enter(request: UpstreamRequest): Promise<void> | undefined {
    const slot = this.#semaphore.acquire(userKeyOf(request.call.caller), request.cancelToken);
    if (slot === undefined) {
      request.hasConnection = true;
      return undefined;
    }
    if (slot === 'full') throw this.#rejected(request, 'full');
    return slot.then((isAdmitted) => {
      if (!isAdmitted) throw this.#rejected(request, 'late');
      request.hasConnection = true;
      return undefined;
    });
  }

  leave(request: UpstreamRequest, response: Parameters<typeof whenEnded>[0]): void {
    if (!request.hasConnection) return;
    request.hasConnection = false;
    whenEnded(response, () => this.#semaphore.release(userKeyOf(request.call.caller)));
  }

  #rejected({ line }: UpstreamRequest, reason: 'full' | 'late'): RestError {
    this.#observer.callRefused(reason);
    return new RestError('UPSTREAM_UNAVAILABLE', line, {
      expected: reason === 'full' ? 'a free place in the queue' : 'a free connection in time',
      retryAfterMs: rejectedRetryAfterMs,
    });
  }
}

/** Adds the headers that identify request and caller. */
function authenticate(runAsHeader: string): Stage {
  const addHeaders = (request: UpstreamRequest, authorization: string | null): undefined => {
    const { caller, budget } = request.call;
    const headers = ['x-request-id', budget.requestId, ...request.ownHeaders];
    headers.push(...acceptEncoding(request.codings));
    if (caller.runAs !== null) headers.push(runAsHeader, caller.runAs);
    if (authorization !== null) headers.push('authorization', authorization);
    if (caller.forwarded !== undefined) headers.push(...Object.entries(caller.forwarded).flat());
    request.headers = headers;
  };
  return {
    enter(request) {
      const { call } = request;
      const { runAs, authorization } = call.caller;
      // Headers contain bytes, and the specification defines no character set for this one.
      if (runAs !== null && !/^[\x20-\x7e]+$/.test(runAs)) {
        throw new RestError('BAD_USER_INPUT', request.line, {
          expected: 'a run-as value of printable ASCII characters',
        });
      }
      if (typeof authorization !== 'function') return addHeaders(request, authorization);
      return authorization(call.method, pathOf(call)).then((value) => addHeaders(request, value));
    },
    leave({ call }, response) {
      if (response?.status === 401) call.caller.onUnauthorized?.(call.method, pathOf(call));
    },
  };
}

/** Asks the circuit breaker whether to send the request, and reports its result. */
class BreakCircuit implements Stage {
  readonly #breaker: CircuitBreaker;
  readonly #connections: ShareConnections;

  constructor(breaker: CircuitBreaker, connections: ShareConnections) {
    this.#breaker = breaker;
    this.#connections = connections;
  }

  enter(request: UpstreamRequest): Promise<void> | undefined {
    const admission = this.#breaker.admit(request.call);
    if (admission instanceof Promise) return this.#waitForProbe(request, admission);
    if (admission === 'refused') throw refused(request);
    request.admission = admission;
    return undefined;
  }

  leave(
    request: UpstreamRequest,
    response: { readonly status: number } | null,
    error: unknown,
  ): void {
    if (response === null) this.#breaker.failed(request.call, request.admission, error);
    else this.#breaker.answered(request.call, request.admission, response);
  }

  /**
   * Waits for the result of another call's probe, without the connection, so that calls to one endpoint do not block all
   * others.
   */
  async #waitForProbe(request: UpstreamRequest, running: Promise<void>): Promise<void> {
    const giveUpAt = performance.now() + maxProbeWaitMs;
    for (let probe: Promise<void> | undefined = running; probe !== undefined;) {
      this.#connections.leave(request, null);
      await untilProbed(request, probe, giveUpAt);
      await this.#connections.enter(request);
      request.cancelToken.throwIfCancelled();
      const admission = this.#breaker.admit(request.call);
      if (admission === 'refused') throw refused(request);
      probe = admission instanceof Promise ? admission : undefined;
      if (!(admission instanceof Promise)) request.admission = admission;
    }
  }
}

/**
 * Waits for a probe, at most one second, because the probe of an unresponsive DMS lasts until its time limit. Rejects
 * when the call is cancelled.
 */
async function untilProbed(
  request: { readonly line: string; readonly cancelToken: CancelToken },
  probe: Promise<void>,
  giveUpAt: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Waiting for a connection can take longer than this time; Node warns of negative delays.
  const timer = setTimeout(
    () => reject(refused(request)),
    Math.max(0, giveUpAt - performance.now()),
  );
  request.cancelToken.setListener(reject);
  probe.then(resolve, reject);
  await promise.finally(() => clearTimeout(timer));
  request.cancelToken.setListener(null);
  request.cancelToken.throwIfCancelled();
}

function refused({ line }: { readonly line: string }): RestError {
  return new RestError('UPSTREAM_UNAVAILABLE', line, { expected: 'a closed circuit breaker' });
}

/** Reports the request to metrics, call records and the observer of its operation. */
function report(observer: HttpObserver): Stage {
  return {
    enter(request) {
      const { call, attempt } = request;
      const { observer: callObserver } = call.budget;
      if (callObserver !== null) {
        request.observed = callObserver.startCall(call, attempt);
        request.headers.push(...request.observed.headers);
      }
      request.sentAt = performance.now();
      observer.callsInFlight.value += 1;
      call.budget.sentCalls += 1;
      return undefined;
    },
    leave({ call, attempt, sentAt, observed }, response, error) {
      const status = response?.status ?? null;
      const code = error instanceof RestError ? error.code : 'UPSTREAM_ERROR';
      observer.callsInFlight.value -= 1;
      observer.callFinished(call.method, call.route, status ?? code, performance.now() - sentAt);
      call.budget.recordCall(call, { source: 'dms', startedAt: sentAt, status, attempt });
      if (observed === null) return;
      if (response === null) observed.end(statusOf(error), code);
      else
        whenEnded(response, (broken) =>
          observed.end(status, broken instanceof RestError ? broken.code : null),
        );
    },
  };
}

/** The status of a response that broke off. */
function statusOf(error: unknown): number | null {
  const cause = error instanceof RestError ? error.cause : null;
  return cause instanceof TransportError ? cause.status : null;
}
