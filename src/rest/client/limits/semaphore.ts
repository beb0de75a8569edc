export interface SemaphoreOptions {
  readonly capacity: number;
  /**
   * A caller that holds n slots gets another one only while n is less than `share` times the number of free slots. A
   * single caller can therefore hold share / (share + 1) of all slots, and the rest is available for the first calls of
   * others. The same relation applies to its waiting calls and `maxWaiting`. Default Infinity: no limit.
   */
  readonly share?: number;
  readonly maxWaiting?: number;
  /**
   * Maximum time that a call waits, in milliseconds. Can be exceeded by a tenth, because one timer serves all calls.
   * Default: no limit.
   */
  readonly maxWaitMs?: number;
  readonly onWaiting?: (change: number) => void;
}

interface Waiter {
  readonly signal: AbortSignal;
  readonly onAbort: () => void;
  readonly expiresAt: number;
  readonly settle: (isAdmitted: boolean) => void;
}

interface CallerShare {
  readonly key: string;
  held: number;
  readonly waiting: Set<Waiter>;
}

/**
 * A semaphore that is shared fairly among callers. A free slot goes to the waiting caller that holds the fewest.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #callers = new Map<string, CallerShare>();
  readonly #waitingCallers = new Set<CallerShare>();
  #free: number;
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #share: number;
  readonly #onWaiting: (change: number) => void;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#free = options.capacity;
    this.#share = options.share ?? Infinity;
    this.#onWaiting = options.onWaiting ?? (() => {});
  }

  /**
   * Undefined: acquired at once; true: after a wait; `'full'` and false: not acquired. The signal must not be aborted
   * yet.
   */
  acquire(key: string, signal: AbortSignal): Promise<boolean> | 'full' | undefined {
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
    const { maxWaiting = Infinity } = this.#options;
    if (caller.waiting.size < this.#share * (maxWaiting - this.#waiting)) {
      return this.#wait(caller, signal);
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
    return this.#free > 0 && held < this.#share * this.#free;
  }

  #wait(caller: CallerShare, signal: AbortSignal): Promise<boolean> {
    const { maxWaitMs } = this.#options;
    return new Promise((settle, reject) => {
      const onAbort = (): void => {
        this.#remove(caller, waiter);
        this.#forgetIdle(caller);
        reject(signal.reason);
      };
      const expiresAt = performance.now() + (maxWaitMs ?? Infinity);
      const waiter = { signal, onAbort, expiresAt, settle };
      signal.addEventListener('abort', onAbort);
      caller.waiting.add(waiter);
      this.#waitingCallers.add(caller);
      this.#waiting += 1;
      this.#onWaiting(1);
      if (maxWaitMs !== undefined) {
        this.#timer ??= setInterval(() => this.#expire(), maxWaitMs / 10).unref();
      }
    });
  }

  #remove(caller: CallerShare, waiter: Waiter): void {
    waiter.signal.removeEventListener('abort', waiter.onAbort);
    caller.waiting.delete(waiter);
    if (caller.waiting.size === 0) this.#waitingCallers.delete(caller);
    this.#waiting -= 1;
    this.#onWaiting(-1);
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
      waiter.settle(true);
    }
  }

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
        waiter.settle(false);
      }
      this.#forgetIdle(caller);
    }
  }

  #forgetIdle({ key, held, waiting }: CallerShare): void {
    if (held === 0 && waiting.size === 0) this.#callers.delete(key);
  }
}
