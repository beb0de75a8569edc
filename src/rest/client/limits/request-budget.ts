import type { CallInfo, CallObserver } from '../observer.ts';
import { RestError } from '../rest-error.ts';
import { Semaphore } from './semaphore.ts';

type CallSource = 'dms' | 'shared' | 'cache';

interface CallRecord {
  readonly route: string;
  readonly path: string;
  readonly fields?: readonly string[];
  readonly embed?: readonly string[];
  readonly source: CallSource;
  readonly status: number | null;
  readonly startMs: number;
  readonly ms: number;
  readonly why: string;
  readonly attempt: number;
}

interface CallOutcome
  extends Pick<CallRecord, 'source'>, Partial<Pick<CallRecord, 'status' | 'attempt'>> {
  readonly startedAt?: number | undefined;
}

export interface RequestBudgetOptions {
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxCalls: number;
  readonly maxInFlight: number;
  readonly expectedCalls?: number | null;
  readonly recordsCalls?: boolean;
  readonly observer?: CallObserver | null;
}

/**
 * The limits of one GraphQL operation or file transfer: deadline, number of calls, concurrent calls. `signal` aborts
 * when the client disconnects. Its time starts when it is created. It holds a timer and a listener only while calls are
 * running.
 */
export class RequestBudget {
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The calls, and the reads that needed none, in the order in which they ended. Undefined unless requested. */
  readonly callRecords: CallRecord[] | undefined;
  readonly observer: CallObserver | null;
  readonly startedAt = performance.now();
  deadlineAt: number;
  calls = 0;
  sharedReads = 0;
  oldestReadMs = 0;
  sentCalls = 0;
  readonly maxCalls: number;
  readonly maxInFlight: number;
  readonly expectedCalls: number | null;
  #reservedCalls = 0;
  #exceeded: RestError | undefined;
  readonly #places: Semaphore;
  readonly #endListeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RequestBudgetOptions) {
    this.requestId = options.requestId;
    this.signal = options.signal;
    this.deadlineAt = this.startedAt + options.timeoutMs;
    this.callRecords = options.recordsCalls ? [] : undefined;
    this.observer = options.observer ?? null;
    this.maxInFlight = options.maxInFlight;
    this.expectedCalls = options.expectedCalls ?? null;
    this.maxCalls = options.maxCalls;
    // The queue is bounded by maxCalls, because consumeCall() precedes this.
    this.#places = new Semaphore({ capacity: options.maxInFlight });
  }

  /**
   * Returns why no further call can start: the client has disconnected (`CANCELLED`), or the deadline has passed
   * (`UPSTREAM_TIMEOUT`). Otherwise null.
   *
   * @param request the call that cannot start; null if none is about to
   */
  endReason(request: string | null): RestError | null {
    if (this.signal.aborted) {
      return new RestError('CANCELLED', request, { expected: 'a connected client' });
    }
    if (performance.now() < this.deadlineAt) return null;
    return new RestError('UPSTREAM_TIMEOUT', request, {
      expected: 'a response before the deadline',
    });
  }

  consumeCall(request: string): void {
    this.checkCallsLeft(1, request);
    this.calls += 1;
    if (this.#reservedCalls > 0) this.#reservedCalls -= 1;
  }

  consumeRetry(): boolean {
    if (this.calls + this.#reservedCalls >= this.maxCalls) return false;
    this.calls += 1;
    return true;
  }

  /**
   * Reserves `count` calls, so that retries of some cannot prevent others. Until `releaseCalls`, each counted call is
   * one of them.
   */
  reserveCalls(count: number): void {
    this.checkCallsLeft(count);
    this.#reservedCalls = count;
  }

  releaseCalls(): void {
    this.#reservedCalls = 0;
  }

  checkCallsLeft(count: number, request: string | null = null): void {
    if (this.calls + count > this.maxCalls) throw this.#tooManyCalls(request);
  }

  /** The error `UPSTREAM_BUDGET_EXCEEDED` of calls that are not even tried. One for all: they can be thousands. */
  get exceeded(): RestError {
    return (this.#exceeded ??= this.#tooManyCalls(null));
  }

  #tooManyCalls(request: string | null): RestError {
    return new RestError('UPSTREAM_BUDGET_EXCEEDED', request, {
      expected: `at most ${this.maxCalls} upstream calls per operation`,
    });
  }

  acquirePlace(signal: AbortSignal): Promise<unknown> | undefined {
    const wait = this.#places.acquire('', signal);
    return wait === 'full' ? undefined : wait; // its queue has no limit
  }

  releasePlace(): void {
    this.#places.release('');
  }

  addEndListener(listener: () => void): void {
    // One listener and one timer serve all calls of the operation.
    if (this.#endListeners.size === 0) {
      this.signal.addEventListener('abort', this.#end);
      this.#startTimer();
    }
    this.#endListeners.add(listener);
  }

  get hasRunningCalls(): boolean {
    return this.#endListeners.size > 0;
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
    this.deadlineAt = performance.now();
  }

  recordCall(
    { method, route, label, path }: CallInfo & { readonly path: string },
    { source, startedAt, status = null, attempt = 1 }: CallOutcome,
  ): void {
    if (this.callRecords === undefined) return;
    const now = performance.now();
    this.callRecords.push({
      route: `${method} ${route}`,
      ...targetOf(path),
      source,
      status,
      startMs: (startedAt ?? now) - this.startedAt,
      ms: now - (startedAt ?? now),
      why: label,
      attempt,
    });
  }

  #startTimer(): void {
    // Rounded up: the timer must not fire before the deadline.
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

function targetOf(target: string): Pick<CallRecord, 'path' | 'fields' | 'embed'> {
  const [path = '', query = ''] = target.split('?', 2);
  const parameters = new URLSearchParams(query);
  const [fields, embed] = [parameters.get('fields'), parameters.get('embed')];
  const others = query.split('&').filter((part) => !/^(?:fields|embed)=|^$/.test(part));
  return {
    path: others.length === 0 ? path : `${path}?${others.join('&')}`,
    ...(fields !== null && { fields: fields.split(',') }),
    ...(embed !== null && { embed: embed.split(',') }),
  };
}
