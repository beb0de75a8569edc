import type { CancelToken } from './cancel-token.ts';
import type { Disconnect } from '../disconnect.ts';
import { RestError } from '../rest-error.ts';
import { Semaphore } from './semaphore.ts';

/** One upstream call that an operation made. */
interface CallRecord {
  /** Method and path template, such as `GET /api/v2/person/{id}`. */
  readonly route: string;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly ms: number;
  /** What asked for it, such as `persons.get`. */
  readonly why: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/**
 * The bounds of one GraphQL operation or file transfer: deadline, number of calls, calls in flight. `signal` aborts when
 * the client disconnects.
 */
export interface RequestBudget {
  readonly requestId: string;
  readonly signal: Disconnect;
  /** On the clock of `performance.now()`. An upload stops this clock while it runs. */
  readonly deadlineAt: number;
  /** Calls made so far, repeated ones included; cache hits and shared calls are not. */
  readonly calls: number;
  /** Maximum number of calls in flight. */
  readonly maxInFlight: number;
  /** For a mutation: the calls that it is expected to make, which RATE_LIMIT counts together. Else null. */
  readonly expectedCalls: number | null;
  /** The calls in the order they ended; undefined where it was not asked for. */
  readonly trace: readonly CallRecord[] | undefined;

  /** Why no further call may start: the client has disconnected or the deadline has passed. */
  endReason(request: string): RestError | null;
  /** Counts a call. @throws {RestError} `UPSTREAM_BUDGET_EXCEEDED` */
  consumeCall(request: string): void;
  /** Counts the repetition of a call, if one is left beside the reserved ones; else returns false. */
  consumeRetry(): boolean;
  /**
   * Reserves `count` calls, so that repetitions of some cannot prevent the others. Each call that is counted from now on is
   * one of them, until `releaseCalls`.
   * @throws {RestError} `UPSTREAM_BUDGET_EXCEEDED` if fewer are left
   */
  reserveCalls(count: number, request: string): void;
  releaseCalls(): void;
  /** Takes one of the slots for calls in flight. */
  acquireSlot(cancelToken: CancelToken): Promise<void> | undefined;
  releaseSlot(): void;
  /** Calls `listener` once when the budget ends, until `removeEndListener`. */
  addEndListener(listener: () => void): void;
  removeEndListener(listener: () => void): void;
  /** Lets as much time pass as `since` is ago without using up the deadline. */
  extendDeadline(since: number): void;
  /** Says that the deadline has passed: a timer can fire shortly before `performance.now()` reaches it. */
  expire(): void;
  recordCall(call: CallRecord): void;
}

export interface RequestBudgetOptions {
  readonly requestId: string;
  /** Aborts when the client goes away. */
  readonly signal: Disconnect;
  /** Milliseconds for everything together. */
  readonly timeoutMs: number;
  /** Most calls, repeated ones included. */
  readonly maxCalls: number;
  /** Most calls at a time. */
  readonly maxInFlight: number;
  /** For a mutation: the calls that it is expected to make. Default null. */
  readonly expectedCalls?: number | null;
  /** Whether to keep a record of each call. Default false. */
  readonly trace?: boolean;
}

export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  return new TimedRequestBudget(options);
}

class TimedRequestBudget implements RequestBudget {
  readonly requestId: string;
  readonly signal: Disconnect;
  readonly trace: CallRecord[] | undefined;
  deadlineAt: number;
  calls = 0;
  readonly maxInFlight: number;
  readonly expectedCalls: number | null;
  readonly #maxCalls: number;
  #reservedCalls = 0;
  readonly #semaphore: Semaphore;
  readonly #endListeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RequestBudgetOptions) {
    this.requestId = options.requestId;
    this.signal = options.signal;
    this.deadlineAt = performance.now() + options.timeoutMs;
    this.trace = options.trace ? [] : undefined;
    this.maxInFlight = options.maxInFlight;
    this.expectedCalls = options.expectedCalls ?? null;
    this.#maxCalls = options.maxCalls;
    // maxCalls bounds the queue: a call that waits here has passed consumeCall().
    this.#semaphore = new Semaphore(options.maxInFlight);
  }

  endReason(request: string): RestError | null {
    if (this.signal.aborted) {
      return new RestError('CANCELLED', request, { expected: 'a connected client' });
    }
    if (performance.now() < this.deadlineAt) return null;
    return new RestError('UPSTREAM_TIMEOUT', request, {
      expected: 'a response before the deadline',
    });
  }

  consumeCall(request: string): void {
    this.#checkCallsLeft(1, request);
    this.calls += 1;
    if (this.#reservedCalls > 0) this.#reservedCalls -= 1;
  }

  consumeRetry(): boolean {
    if (this.calls + this.#reservedCalls >= this.#maxCalls) return false;
    this.calls += 1;
    return true;
  }

  reserveCalls(count: number, request: string): void {
    this.#checkCallsLeft(count, request);
    this.#reservedCalls = count;
  }

  releaseCalls(): void {
    this.#reservedCalls = 0;
  }

  #checkCallsLeft(count: number, request: string): void {
    if (this.calls + count <= this.#maxCalls) return;
    throw new RestError('UPSTREAM_BUDGET_EXCEEDED', request, {
      expected: `at most ${this.#maxCalls} upstream calls per operation`,
    });
  }

  acquireSlot(cancelToken: CancelToken): Promise<void> | undefined {
    return this.#semaphore.acquire(cancelToken);
  }

  releaseSlot(): void {
    this.#semaphore.release();
  }

  addEndListener(listener: () => void): void {
    // One listener and one timer for all calls of the operation, and only while it has any.
    if (this.#endListeners.size === 0) {
      this.signal.addEventListener('abort', this.#end);
      this.#startTimer();
    }
    this.#endListeners.add(listener);
  }

  removeEndListener(listener: () => void): void {
    this.#endListeners.delete(listener);
    if (this.#endListeners.size > 0) return;
    this.signal.removeEventListener('abort', this.#end);
    clearTimeout(this.#timer);
  }

  extendDeadline(since: number): void {
    this.deadlineAt += performance.now() - since;
  }

  expire(): void {
    this.deadlineAt = Math.min(this.deadlineAt, performance.now());
  }

  recordCall(call: CallRecord): void {
    this.trace?.push(call);
  }

  #startTimer(): void {
    // Rounded up: a timer must never fire before the clock has reached the deadline.
    const ms = Math.max(1, Math.ceil(this.deadlineAt - performance.now()));
    this.#timer = setTimeout(() => {
      if (performance.now() < this.deadlineAt) this.#startTimer();
      else this.#end();
    }, ms);
  }

  readonly #end = (): void => {
    const listeners = [...this.#endListeners];
    this.#endListeners.clear();
    this.signal.removeEventListener('abort', this.#end);
    clearTimeout(this.#timer);
    for (const listener of listeners) listener();
  };
}
