import type { RestErrorCode } from '../../model/error-codes.ts';
import { randomUUID } from 'node:crypto';
import { type CallObserver, RequestBudget, RestError } from '../../rest/index.ts';

/**
 * What becomes of a subscription if a call to the DMS fails. `end`: every later poll with the same credentials would fail
 * too. `retry`: its event is delivered after a later poll. `send`: the error is sent, and the next event follows.
 */
export const failureEffects: Readonly<Record<RestErrorCode, 'end' | 'retry' | 'send'>> = {
  BAD_USER_INPUT: 'end',
  UNAUTHENTICATED: 'end',
  FORBIDDEN: 'end',
  NOT_FOUND: 'send',
  CONFLICT: 'send',
  UPSTREAM_UNAVAILABLE: 'retry',
  UPSTREAM_TIMEOUT: 'retry',
  UPSTREAM_ERROR: 'retry',
  OUTCOME_UNKNOWN: 'send',
  UPSTREAM_BUDGET_EXCEEDED: 'send',
  RATE_LIMITED: 'retry',
  CANCELLED: 'send',
};

export interface LiveClock {
  readonly schedule: (run: () => void, ms: number) => () => void;
  readonly random: () => number;
}

export const systemClock: LiveClock = {
  schedule(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export interface PolledResource<State> {
  read(budget: RequestBudget): Promise<State>;
  isEqual(a: State, b: State): boolean;
  readonly canBeDeleted: boolean;
}

export interface WatchOptions {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly callObserver: CallObserver | null;
  readonly clock: LiveClock;
}

interface Observer {
  update(): void;
}

export class Watch<State> {
  state: State | null = null;
  successfulPolls = 0;
  endReason: RestError | null = null;
  readonly #resource: PolledResource<State>;
  readonly #options: WatchOptions;
  readonly #onIdle: () => void;
  readonly #observers = new Set<Observer>();
  readonly #abortController = new AbortController();
  readonly #requestId = randomUUID();
  #failures = 0;
  #isPolling = false;
  #isPollRequested = false;
  #cancelTimer: (() => void) | null = null;

  constructor(resource: PolledResource<State>, options: WatchOptions, onIdle: () => void) {
    this.#resource = resource;
    this.#options = options;
    this.#onIdle = onIdle;
  }

  add(observer: Observer): void {
    this.#observers.add(observer);
    if (this.#observers.size === 1) this.requestPoll();
  }

  remove(observer: Observer): void {
    if (this.#observers.delete(observer) && this.#observers.size === 0) this.#stop();
  }

  /** Polls at once. If a poll is in progress, it polls again afterwards, because that poll may return the old state. */
  requestPoll(): void {
    if (this.#abortController.signal.aborted) return;
    if (this.#isPolling) {
      this.#isPollRequested = true;
      return;
    }
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#isPollRequested = false;
    let failure: unknown = null;
    try {
      this.#accept(await this.#resource.read(this.#createBudget()));
      this.#failures = 0;
    } catch (error) {
      failure = error;
      this.#failures += 1;
    }
    this.#isPolling = false;
    if (this.#abortController.signal.aborted) return;
    if (failure instanceof RestError && this.#isFinal(failure)) this.#end(failure);
    else this.#continue(failure);
  }

  #isFinal({ code }: RestError): boolean {
    return failureEffects[code] === 'end' || (code === 'NOT_FOUND' && this.#resource.canBeDeleted);
  }

  #accept(state: State): void {
    const before = this.state;
    if (before === null || !this.#resource.isEqual(before, state)) this.state = state;
    this.successfulPolls += 1;
  }

  #continue(failure: unknown): void {
    const { clock, intervalMs } = this.#options;
    const delayMs = pollDelayMs(intervalMs, this.#failures, failure, clock.random());
    this.#cancelTimer = clock.schedule(() => this.requestPoll(), delayMs);
    if (failure === null) this.#notify();
    if (this.#isPollRequested) this.requestPoll();
  }

  #end(reason: RestError): void {
    this.endReason = reason;
    this.#stop();
    this.#notify();
  }

  #notify(): void {
    for (const observer of this.#observers) observer.update();
  }

  #stop(): void {
    if (this.#abortController.signal.aborted) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#abortController.abort();
    this.#onIdle();
  }

  /** Allows one call: a failed poll is not retried, because another poll follows. */
  #createBudget(): RequestBudget {
    return new RequestBudget({
      requestId: this.#requestId,
      signal: this.#abortController.signal,
      timeoutMs: this.#options.timeoutMs,
      maxCalls: 1,
      maxInFlight: 1,
      observer: this.#options.callObserver,
    });
  }
}

const maxBackOffMs = 60_000;

export function pollDelayMs(
  intervalMs: number,
  failures: number,
  error: unknown,
  random: number,
): number {
  const retryAfterMs = error instanceof RestError ? (error.retryAfterMs ?? 0) : 0;
  const backOffMs = Math.max(intervalMs * 2 ** Math.min(failures, 20), retryAfterMs);
  return Math.min(backOffMs, Math.max(maxBackOffMs, intervalMs)) * (0.9 + 0.2 * random);
}
