import type { CancelToken } from './cancel-token.ts';

export interface FairSemaphoreOptions {
  readonly capacity: number;
  /**
   * A caller that holds n slots takes another one only while n is less than `share` times the free slots: alone it can
   * hold share / (share + 1) of all, and the rest is free for the first calls of others. Its waiting calls and
   * `maxWaiting` are related in the same way. Infinity: no limit, for where everybody is one caller.
   */
  readonly share: number;
  /** Maximum number of waiting calls, of all callers together. */
  readonly maxWaiting: number;
  /** Maximum time that a call waits, in milliseconds; up to a tenth more, because one timer serves them all. */
  readonly maxWaitMs: number;
  /** Receives the change of the number of waiting calls. */
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
  /** First come, first served. */
  readonly waiting: Set<Waiter>;
}

/**
 * A semaphore that is shared fairly between callers, whatever number of calls each of them makes.
 *
 * A free slot goes to the waiting caller that holds the fewest, and in turn among those that hold equally many. The
 * limit for one caller moves with the slots that are free (the "dynamic thresholds" of switches with shared
 * buffers): it costs a comparison, needs no list of active callers, and leaves a slot for a newcomer nearly always. Up
 * to `share` slots there is none to spare, and one caller can hold them all.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** Those that hold a slot or wait for one. */
  readonly #callers = new Map<string, CallerShare>();
  /** Those that wait; whoever was admitted last is last. */
  readonly #waitingCallers = new Set<CallerShare>();
  #free: number;
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.capacity;
  }

  /**
   * Takes a slot: at once (undefined), after a wait (true), or not at all, because too many calls wait already
   * (`'full'`) or this one waited too long (false). The wait rejects when it is cancelled. Each slot taken is
   * given back with one `release`.
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

  /** The caller whose call is admitted next. No more callers than slots hold any, so the search is short. */
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
