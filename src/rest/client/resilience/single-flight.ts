import type { RequestBudget } from './request-budget.ts';
import { CancelToken } from './cancel-token.ts';
import { RestError } from '../rest-error.ts';

interface Waiter<T> {
  readonly budget: RequestBudget;
  readonly leave: () => void;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One read in flight that any number of operations share. Each of them waits until its own budget ends. When none is
 * left, the read is cancelled.
 */
export class SingleFlight<T> {
  readonly cancelToken = new CancelToken();
  readonly #inFlight: Map<string, SingleFlight<T>> | null;
  readonly #key: string;
  #waiting: readonly Waiter<T>[] = [];
  #deadlineAt = 0;

  /** @param inFlight registry in which others find this read by `key` while they can join; null if it is not shared */
  constructor(inFlight: Map<string, SingleFlight<T>> | null, key: string) {
    this.#inFlight = inFlight;
    this.#key = key;
    inFlight?.set(key, this);
  }

  /** The latest deadline of the waiting operations. */
  get deadlineAt(): number {
    return this.#deadlineAt;
  }

  /** Sets the promise of the read. Called once, before any operation joins. */
  start(read: Promise<T>): void {
    read.then(
      (value) => this.#settle((waiter) => waiter.resolve(value)),
      (error: unknown) => this.#settle((waiter) => waiter.reject(error)),
    );
  }

  /** Waits for the result until `budget` ends. @throws {RestError} `CANCELLED` or `UPSTREAM_TIMEOUT` when it ends */
  join(budget: RequestBudget, request: string): Promise<T> {
    this.#deadlineAt = Math.max(this.#deadlineAt, budget.deadlineAt);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const reason = budget.endReason(request) ?? new RestError('CANCELLED', request);
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(reason);
        if (this.#waiting.length > 0) return;
        this.#stopSharing();
        this.cancelToken.cancel(reason);
      };
      const waiter = { budget, leave, resolve, reject };
      this.#waiting = [...this.#waiting, waiter];
      budget.addEndListener(leave);
    });
  }

  /** Prevents others from joining: the read has ended or was cancelled. */
  #stopSharing(): void {
    if (this.#inFlight?.get(this.#key) === this) this.#inFlight.delete(this.#key);
  }

  #settle(settleWaiter: (waiter: Waiter<T>) => void): void {
    this.#stopSharing();
    for (const waiter of this.#waiting) {
      waiter.budget.removeEndListener(waiter.leave);
      settleWaiter(waiter);
    }
    this.#waiting = [];
  }
}
