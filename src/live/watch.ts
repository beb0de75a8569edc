import { randomUUID } from 'node:crypto';
import type { CallTracing } from '../rest/client/call-tracing.ts';
import { createRequestBudget } from '../rest/client/resilience/request-budget.ts';
import type { RequestBudget } from '../rest/client/resilience/request-budget.ts';
import { RestError, type RestErrorCode } from '../rest/client/rest-error.ts';
import type { LiveClock } from './clock.ts';
import { pollDelayMs } from './poll-delay.ts';

/** A resource to poll. */
export interface PolledResource<State> {
  /** Costs one upstream call. */
  read(budget: RequestBudget): Promise<State>;
  isEqual(a: State, b: State): boolean;
  /** Whether NOT_FOUND means that it no longer exists. */
  readonly canBeDeleted: boolean;
}

/** The schedule of the polls of one watched resource. */
export interface WatchOptions {
  /** Milliseconds between two polls. */
  readonly intervalMs: number;
  /** Milliseconds for one poll. */
  readonly timeoutMs: number;
  /** Records the polls in traces. Null if tracing is off. */
  readonly tracing: CallTracing | null;
  readonly clock: LiveClock;
}

/** A subscriber. */
interface Observer<State> {
  /** The watch has polled, or has ended. */
  update(): void;
  /** Another watch takes the place of this one. */
  switchTo(watch: Watch<State>): void;
}

/** Callbacks of a watch. */
export interface WatchListeners<State> {
  /** Called with the first answer, before the subscribers receive it. */
  onFirstState(state: State): void;
  /** The last subscriber has gone or the watch has ended; called once. Nothing runs then. */
  onIdle(): void;
}

/** Codes after which a poll cannot succeed later with the same credentials. All others are worth another poll. */
const finalCodes: ReadonlySet<RestErrorCode> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
] as const);

/**
 * Polls one resource for one caller, from the first subscriber to the last one. A poll that fails is repeated later,
 * after growing pauses, and the subscribers receive nothing. A poll that cannot succeed later ends the watch.
 */
export class Watch<State> {
  /** The last answer; null before the first one. The same object as long as nothing changes. */
  state: State | null = null;
  /** Polls that succeeded. */
  successfulPolls = 0;
  /** Why it ended; null while it runs. */
  endReason: RestError | null = null;
  readonly #resource: PolledResource<State>;
  readonly #options: WatchOptions;
  readonly #listeners: WatchListeners<State>;
  readonly #observers = new Set<Observer<State>>();
  readonly #abortController = new AbortController();
  readonly #requestId = randomUUID();
  #failures = 0;
  #isPolling = false;
  #isPollRequested = false;
  #cancelTimer: (() => void) | null = null;

  constructor(
    resource: PolledResource<State>,
    options: WatchOptions,
    listeners: WatchListeners<State>,
  ) {
    this.#resource = resource;
    this.#options = options;
    this.#listeners = listeners;
  }

  add(observer: Observer<State>): void {
    this.#observers.add(observer);
    if (this.#observers.size === 1) this.requestPoll();
  }

  remove(observer: Observer<State>): void {
    if (this.#observers.delete(observer) && this.#observers.size === 0) this.#stop();
  }

  /** Hands all subscribers to a watch of the same object, and ends. */
  mergeInto(other: Watch<State>): void {
    const observers = [...this.#observers];
    this.#observers.clear();
    this.#stop();
    for (const observer of observers) observer.switchTo(other);
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
    return finalCodes.has(code) || (code === 'NOT_FOUND' && this.#resource.canBeDeleted);
  }

  #accept(state: State): void {
    const before = this.state;
    if (before === null) this.#listeners.onFirstState(state);
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
    this.#listeners.onIdle();
  }

  /** One attempt: the pauses between the polls take the place of retries. */
  #createBudget(): RequestBudget {
    return createRequestBudget({
      requestId: this.#requestId,
      signal: this.#abortController.signal,
      timeoutMs: this.#options.timeoutMs,
      maxCalls: 1,
      maxInFlight: 1,
      tracing: this.#options.tracing,
    });
  }
}
