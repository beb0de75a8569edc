import type { CallInfo, CallObserver } from '../observer.ts';
import { RestError } from '../rest-error.ts';
import { Semaphore } from './semaphore.ts';

/**
 * Where a value came from: from a call of this operation to the DMS, from an identical call in flight of another
 * operation, or from the cache.
 */
type CallSource = 'dms' | 'shared' | 'cache';

/** The record of one upstream call of an operation, or of a read that needed none. */
interface CallRecord {
  /** Method and path template, such as `GET /api/v2/person/{id}`. */
  readonly route: string;
  /**
   * Path with its IDs, and the query without `fields` and `embed`, such as `/api/v2/person/usr-ann`: the same for all
   * reads of one object or list.
   */
  readonly path: string;
  /** The requested properties. Absent if the call does not name them. */
  readonly fields?: readonly string[];
  /** The requested embedded entities. Absent if the call does not name them. */
  readonly embed?: readonly string[];
  readonly source: CallSource;
  /** Null if this operation received no response. */
  readonly status: number | null;
  /** Start in milliseconds since the operation started. A call that waits for a connection has not started. */
  readonly startMs: number;
  readonly ms: number;
  /** The function that made the call, such as `persons.get`. */
  readonly why: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** What a record shows of a call, besides its target. */
interface CallOutcome
  extends Pick<CallRecord, 'source'>, Partial<Pick<CallRecord, 'status' | 'attempt'>> {
  /** A value of `performance.now()`. Default: now. */
  readonly startedAt?: number | undefined;
}

/** Limits of one operation or file transfer. */
export interface RequestBudgetOptions {
  readonly requestId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Time limit of the operation, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of calls, including retries. */
  readonly maxCalls: number;
  /** Maximum number of concurrent calls. */
  readonly maxInFlight: number;
  /** For a mutation: the estimated number of its calls. Default null. */
  readonly expectedCalls?: number | null;
  /** Whether to record each call. Default false. */
  readonly recordsCalls?: boolean;
  /** Default null. */
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
  /** Null if nothing observes the calls. */
  readonly observer: CallObserver | null;
  /** Start of the operation as a value of `performance.now()`. */
  readonly startedAt = performance.now();
  /** Deadline as a value of `performance.now()`. It is extended by the time that an upload takes. */
  deadlineAt: number;
  /** Number of calls so far, including retries. Cache hits and shared reads do not count. */
  calls = 0;
  /** Number of reads that joined a call of another operation of the same identity. */
  sharedReads = 0;
  /** Age of the oldest cached value that was read, in milliseconds. 0 if none was. */
  oldestReadMs = 0;
  /** Number of calls that were sent, without those that got no connection or that a circuit or RATE_LIMIT rejected. */
  sentCalls = 0;
  /** Maximum number of calls, including retries. */
  readonly maxCalls: number;
  /** Maximum number of calls in flight. */
  readonly maxInFlight: number;
  /** For a mutation: the estimated number of its calls, at least 1. RATE_LIMIT counts them together. Otherwise null. */
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

  /** Counts a call. @throws {RestError} `UPSTREAM_BUDGET_EXCEEDED` */
  consumeCall(request: string): void {
    this.checkCallsLeft(1, request);
    this.calls += 1;
    if (this.#reservedCalls > 0) this.#reservedCalls -= 1;
  }

  /** Counts a retry if a call is left besides the reserved ones. Otherwise returns false. */
  consumeRetry(): boolean {
    if (this.calls + this.#reservedCalls >= this.maxCalls) return false;
    this.calls += 1;
    return true;
  }

  /**
   * Reserves `count` calls, so that retries of some cannot prevent others. Until `releaseCalls`, each counted call is
   * one of them.
   * @throws {RestError} `UPSTREAM_BUDGET_EXCEEDED` if fewer are left
   */
  reserveCalls(count: number): void {
    this.checkCallsLeft(count);
    this.#reservedCalls = count;
  }

  releaseCalls(): void {
    this.#reservedCalls = 0;
  }

  /**
   * Checks whether `count` more calls can be sent.
   * @throws {RestError} `UPSTREAM_BUDGET_EXCEEDED`
   */
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

  /** Waits for a place among the concurrent calls: undefined if one is free. Rejects when the signal is aborted. */
  acquirePlace(signal: AbortSignal): Promise<unknown> | undefined {
    const wait = this.#places.acquire('', signal);
    return wait === 'full' ? undefined : wait; // its queue has no limit
  }

  releasePlace(): void {
    this.#places.release('');
  }

  /** Calls `listener` once when the client disconnects or the deadline passes, until `removeEndListener`. */
  addEndListener(listener: () => void): void {
    // One listener and one timer serve all calls of the operation.
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

  /** Extends the deadline by the time since `since`, a value of `performance.now()`. */
  extendDeadline(since: number): void {
    this.deadlineAt += performance.now() - since;
  }

  /** Marks the deadline as passed: a timer can fire shortly before `performance.now()` reaches it. */
  expire(): void {
    this.deadlineAt = performance.now();
  }

  /** Adds a call, or a read that needed none, to the records of the operation, if it has any. */
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
