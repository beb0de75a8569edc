import type { CancelToken } from '../transport/cancellation.ts';

/** Capacity and limits of a `FairSemaphore`. */
export interface FairSemaphoreOptions {
  readonly capacity: number;
  /**
   * A caller that holds n slots gets another one only while n is less than `share` times the number of free slots. A
   * single caller can therefore hold share / (share + 1) of all slots, and the rest is available for the first calls of
   * others. The same relation applies to its waiting calls and `maxWaiting`. Infinity: no limit, if there is only one
   * caller.
   */
  readonly share: number;
  /** Maximum number of waiting calls of all callers together. */
  readonly maxWaiting: number;
  /**
   * Maximum time that a call waits, in milliseconds. Can be exceeded by a tenth, because one timer serves all calls.
   */
  readonly maxWaitMs: number;
  /** Called with the change of the number of waiting calls. */
  readonly onWaiting: (change: number) => void;
}

interface Waiter {
  readonly cancelToken: CancelToken;
  readonly expiresAt: number;
  readonly settle: (isAdmitted: boolean) => void;
}

interface CallerShare {
  readonly key: string;
  held: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiter>;
}

/**
 * A semaphore that is shared fairly among callers, however many calls each of them makes.
 *
 * A free slot goes to the waiting caller that holds the fewest, in turn among callers that hold equally many. The limit
 * of one caller depends on the number of free slots, like the "dynamic thresholds" of switches with shared buffers: it
 * costs one comparison, needs no list of active callers, and nearly always leaves a slot for a new caller. With a
 * capacity of up to `share`, one caller can hold all slots.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** Callers that hold or wait for a slot. */
  readonly #callers = new Map<string, CallerShare>();
  /** Callers that wait, the one that was admitted last at the end. */
  readonly #waitingCallers = new Set<CallerShare>();
  #free: number;
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.capacity;
  }

  /**
   * Acquires a slot: immediately (undefined) or after a wait (resolves with true). It is not acquired if too many calls
   * are waiting (`'full'`) or the wait is too long (resolves with false). The promise rejects when cancelled. Each
   * acquired slot is returned with one `release`.
   */
  acquire(key: string, cancelToken: CancelToken): Promise<boolean> | 'full' | undefined {
    let caller = this.#callers.get(key);
    if (caller === undefined) {
      caller = { key, held: 0, waiting: new Set() };
      this.#callers.set(key, caller);
    }
    if (this.#mayTake(caller)) {
      this.#free -= 1;
      caller.held += 1;
      return undefined;
    }
    const { share, maxWaiting } = this.#options;
    if (caller.waiting.size < share * (maxWaiting - this.#waiting)) {
      return this.#wait(caller, cancelToken);
    }
    this.#forgetIdle(caller);
    return 'full';
  }

  /** Returns one slot of a caller, and admits waiting calls. */
  release(key: string): void {
    const caller = this.#callers.get(key)!;
    this.#free += 1;
    caller.held -= 1;
    if (this.#waiting > 0) this.#admit();
    this.#forgetIdle(caller);
  }

  #mayTake({ held }: CallerShare): boolean {
    return this.#free > 0 && held < this.#options.share * this.#free;
  }

  #wait(caller: CallerShare, cancelToken: CancelToken): Promise<boolean> {
    const { maxWaitMs, onWaiting } = this.#options;
    return new Promise((settle, reject) => {
      const waiter = { cancelToken, expiresAt: performance.now() + maxWaitMs, settle };
      caller.waiting.add(waiter);
      this.#waitingCallers.add(caller);
      this.#waiting += 1;
      onWaiting(1);
      this.#timer ??= setInterval(() => this.#expire(), maxWaitMs / 10).unref();
      cancelToken.setListener((reason) => {
        this.#remove(caller, waiter);
        this.#forgetIdle(caller);
        reject(reason);
      });
    });
  }

  #remove(caller: CallerShare, waiter: Waiter): void {
    caller.waiting.delete(waiter);
    if (caller.waiting.size === 0) this.#waitingCallers.delete(caller);
    this.#waiting -= 1;
    this.#options.onWaiting(-1);
    if (this.#waiting > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #admit(): void {
    for (let caller = this.#next(); caller !== null; caller = this.#next()) {
      const [waiter] = caller.waiting;
      if (waiter === undefined) return;
      this.#remove(caller, waiter);
      this.#free -= 1;
      caller.held += 1;
      if (this.#waitingCallers.delete(caller)) this.#waitingCallers.add(caller);
      waiter.cancelToken.setListener(null);
      waiter.settle(true);
    }
  }

  /**
   * The caller whose call is admitted next. The search is short: at most as many callers hold slots as there are slots.
   */
  #next(): CallerShare | null {
    let next: CallerShare | null = null;
    for (const caller of this.#waitingCallers) {
      if (next === null || caller.held < next.held) next = caller;
      if (next.held === 0) break;
    }
    return next !== null && this.#mayTake(next) ? next : null;
  }

  #expire(): void {
    const now = performance.now();
    for (const caller of this.#waitingCallers) {
      for (const waiter of caller.waiting) {
        if (waiter.expiresAt > now) break;
        this.#remove(caller, waiter);
        waiter.cancelToken.setListener(null);
        waiter.settle(false);
      }
      this.#forgetIdle(caller);
    }
  }

  #forgetIdle({ key, held, waiting }: CallerShare): void {
    if (held === 0 && waiting.size === 0) this.#callers.delete(key);
  }
}
