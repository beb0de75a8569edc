import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { callerDigest, userKeyOf, type Caller } from '../caller.ts';
import type { HttpObserver } from '../observer.ts';
import { requestLine, RestError } from '../rest-error.ts';
import type { RequestBudget } from './request-budget.ts';

export interface CallCount {
  readonly calls: number;
  readonly msLeft: number;
}

export interface SharedCounters {
  add(caller: string, calls: number): Promise<CallCount | null>;
}

export interface RateLimiterOptions {
  readonly callsPerMinute: number;
  readonly observer?: Pick<HttpObserver, 'rateLimited'>;
  readonly shared?: SharedCounters | undefined;
  /**
   * Maximum number of callers that are counted in memory. The count of the one that has not called for longest is
   * dropped. Default 50,000: about 20 MiB.
   */
  readonly maxCallers?: number;
}

export const callWindow = { points: 1, duration: 60, keyPrefix: '' } as const;

/**
 * Counts the calls of a limited number of callers. The library would keep every caller for a minute, and clients can
 * make up credentials.
 */
export class CallCounters {
  readonly #limiter = new RateLimiterMemory(callWindow);
  readonly #callers: LRUCache<string, true>;

  constructor(maxCallers = 50_000) {
    const dispose = (_: true, caller: string): void => void this.#limiter.delete(caller);
    this.#callers = new LRUCache({ max: maxCallers, dispose });
  }

  async add(caller: string, calls: number): Promise<CallCount> {
    if (this.#callers.get(caller) === undefined) this.#callers.set(caller, true);
    return callCountFrom(await this.#limiter.penalty(caller, calls));
  }
}

export function callCountFrom({ consumedPoints, msBeforeNext }: RateLimiterRes): CallCount {
  return { calls: consumedPoints, msLeft: msBeforeNext };
}

interface MutationCalls {
  readonly counted: Promise<void>;
  left: number;
}

interface LimitedCall {
  readonly caller: Caller;
  readonly budget: RequestBudget;
  readonly method: string;
  readonly path: string;
}

export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #inMemory: CallCounters;
  readonly #mutations = new WeakMap<RequestBudget, MutationCalls>();
  readonly #keys = new WeakMap<Caller, string>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#inMemory = new CallCounters(options.maxCallers);
  }

  /**
   * Counts a call that is about to be sent, also a retry or a file transfer. The first call of a mutation counts for all
   * that it is expected to make: the others are never rejected, because a mutation must not fail after a write.
   */
  async consume(call: LimitedCall): Promise<void> {
    const { caller, budget } = call;
    const key = this.#keyOf(caller);
    const calls = budget.expectedCalls;
    if (calls === null) return this.#count(key, 1, call);
    let mutation = this.#mutations.get(budget);
    if (mutation === undefined) {
      mutation = { counted: this.#count(key, calls, call), left: calls };
      this.#mutations.set(budget, mutation);
    }
    await mutation.counted;
    if (mutation.left > 0) mutation.left -= 1;
    else await this.#add(key, 1);
  }

  #keyOf(caller: Caller): string {
    const known = this.#keys.get(caller);
    if (known !== undefined) return known;
    const key = callerDigest({ key: userKeyOf(caller) });
    this.#keys.set(caller, key);
    return key;
  }

  async #count(key: string, calls: number, call: LimitedCall): Promise<void> {
    const { callsPerMinute, observer } = this.#options;
    const count = await this.#add(key, calls);
    if (count.calls <= callsPerMinute) return;
    // One rejected call need not be reverted: the limit was reached before it.
    if (calls > 1) await this.#add(key, -calls);
    observer?.rateLimited();
    throw new RestError('RATE_LIMITED', requestLine(call), {
      expected: `at most ${callsPerMinute} upstream calls per minute`,
      // The library counts by the clock, which can be set back.
      retryAfterMs: Math.min(callWindow.duration * 1000, Math.max(1, count.msLeft)),
    });
  }

  async #add(key: string, calls: number): Promise<CallCount> {
    return (await this.#options.shared?.add(key, calls)) ?? this.#inMemory.add(key, calls);
  }
}
