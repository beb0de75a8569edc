import type { Operation } from './request-budget.ts';
import { Cancel } from './cancel-token.ts';
import { RestError } from '../rest-error.ts';

interface Waiter<T> {
  readonly operation: Operation;
  readonly leave: () => void;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One read under way and everyone who waits for it. Each waits as long as its own operation lasts; when the
 * last has gone, the read is cancelled.
 */
export class Flight<T> {
  readonly cancel = new Cancel();
  readonly #flights: Map<string, Flight<T>> | null;
  readonly #key: string;
  #waiting: readonly Waiter<T>[] = [];
  #deadlineAt = 0;

  /** @param flights where others find it by `key`, as long as they can join; null: nobody can. */
  constructor(flights: Map<string, Flight<T>> | null, key: string) {
    this.#flights = flights;
    this.#key = key;
    flights?.set(key, this);
  }

  /** The latest deadline of those who wait. */
  get deadlineAt(): number {
    return this.#deadlineAt;
  }

  /** The read itself; once, before anyone joins. */
  carry(read: Promise<T>): void {
    read.then(
      (value) => this.#land((waiter) => waiter.resolve(value)),
      (error: unknown) => this.#land((waiter) => waiter.reject(error)),
    );
  }

  join(operation: Operation, request: string): Promise<T> {
    this.#deadlineAt = Math.max(this.#deadlineAt, operation.deadlineAt);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const reason = operation.over(request) ?? new RestError('CANCELLED', request);
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(reason);
        if (this.#waiting.length > 0) return;
        this.#close();
        this.cancel.cancel(reason);
      };
      const waiter = { operation, leave, resolve, reject };
      this.#waiting = [...this.#waiting, waiter];
      operation.watch(leave);
    });
  }

  /** From here on nobody can join: the read has ended, or nobody waited for it. */
  #close(): void {
    if (this.#flights?.get(this.#key) === this) this.#flights.delete(this.#key);
  }

  #land(tell: (waiter: Waiter<T>) => void): void {
    this.#close();
    for (const waiter of this.#waiting) {
      waiter.operation.unwatch(waiter.leave);
      tell(waiter);
    }
    this.#waiting = [];
  }
}
