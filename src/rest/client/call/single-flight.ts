import type { RequestBudget } from '../limits/request-budget.ts';
import type { HttpObserver } from '../observer.ts';
import { requestLine, RestError } from '../rest-error.ts';
import type { Call, CallResult } from './call.ts';
import type { Flight } from './read.ts';

type Send = (read: Flight) => Promise<CallResult>;

export class SingleFlight {
  readonly #isEnabled: boolean;
  readonly #observer: HttpObserver;
  /**
   * By caller, then by path. A Map of all reads would never be empty under load. Each time that a Map outgrows its
   * table, the previous table keeps everything alive that it contained, until a major garbage collection.
   * bench/NOTES.md
   */
  #inFlight = new Map<string, Map<string, PendingRead>>();

  constructor(isEnabled: boolean, observer: HttpObserver) {
    this.#isEnabled = isEnabled;
    this.#observer = observer;
  }

  read(call: Call, canShare: boolean, send: Send): Promise<CallResult> {
    if (!this.#isEnabled || !canShare) return new PendingRead(call, null, send).join(call.budget);
    const shared = this.#inFlight.get(call.caller.key)?.get(call.path);
    if (shared === undefined) {
      return new PendingRead(call, this.#inFlight, send).join(call.budget);
    }
    const endReason = call.budget.endReason(requestLine(call));
    if (endReason !== null) throw endReason;
    this.#observer.cacheRead('shared');
    call.budget.sharedReads += 1;
    call.budget.observer?.sharedRead(call);
    return recordShared(call, shared.join(call.budget));
  }

  stopSharing(): void {
    this.#inFlight = new Map();
  }
}

function recordShared<T>(call: Call, response: Promise<T>): Promise<T> {
  if (call.budget.callRecords === undefined) return response;
  const startedAt = performance.now();
  const record = (): void => call.budget.recordCall(call, { source: 'shared', startedAt });
  response.then(record, record);
  return response;
}

interface Waiter {
  readonly budget: RequestBudget;
  readonly leave: () => void;
  readonly resolve: (response: CallResult) => void;
  readonly reject: (error: unknown) => void;
}

class PendingRead implements Flight {
  deadlineAt: number;
  readonly #call: Call;
  readonly #controller = new AbortController();
  /** In which others find this read while they can join. Null if they cannot. */
  #inFlight: Map<string, Map<string, PendingRead>> | null = null;
  #waiting: Waiter[] = [];

  constructor(call: Call, inFlight: Map<string, Map<string, PendingRead>> | null, send: Send) {
    this.#call = call;
    this.deadlineAt = call.budget.deadlineAt;
    const response = send(this);
    if (inFlight !== null) this.#share(inFlight);
    response.then(
      (value) => this.#release().forEach(({ resolve }) => resolve(value)),
      (error: unknown) => this.#release().forEach(({ reject }) => reject(error)),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  join(budget: RequestBudget): Promise<CallResult> {
    this.deadlineAt = Math.max(this.deadlineAt, budget.deadlineAt);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const line = requestLine(this.#call);
        const reason = budget.endReason(line) ?? new RestError('CANCELLED', line);
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(reason);
        if (this.#waiting.length > 0) return;
        this.#stopSharing();
        this.#controller.abort(reason);
      };
      const waiter = { budget, leave, resolve, reject };
      this.#waiting.push(waiter);
      budget.addEndListener(leave);
    });
  }

  #share(inFlight: Map<string, Map<string, PendingRead>>): void {
    this.#inFlight = inFlight;
    const { caller, path } = this.#call;
    const ofCaller = inFlight.get(caller.key);
    if (ofCaller !== undefined) ofCaller.set(path, this);
    else inFlight.set(caller.key, new Map<string, PendingRead>().set(path, this));
  }

  #stopSharing(): void {
    const inFlight = this.#inFlight;
    if (inFlight === null) return;
    this.#inFlight = null;
    const { caller, path } = this.#call;
    const ofCaller = inFlight.get(caller.key)!;
    ofCaller.delete(path);
    if (ofCaller.size === 0) inFlight.delete(caller.key);
  }

  #release(): readonly Waiter[] {
    this.#stopSharing();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { budget, leave } of waiting) budget.removeEndListener(leave);
    return waiting;
  }
}
