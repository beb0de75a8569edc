import { LRUCache } from 'lru-cache';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { callerDigest } from '../document-write.ts';
import type { HttpObserver } from '../observer.ts';
import { RestError } from '../rest-error.ts';
import { requestLine, type UpstreamCall } from '../upstream-call.ts';
import type { RequestBudget } from './request-budget.ts';

/** Limits the upstream calls of each caller per minute. */
export interface RateLimiter {
  /**
   * Counts a call that is about to be sent, including retries and file transfers.
   *
   * The first call of a mutation counts for all calls that the mutation is expected to make. Its other calls are never
   * rejected, because a mutation must not fail after a write.
   * @throws {RestError} `RATE_LIMITED` with `retryAfterMs`; then the call must not be sent
   */
  consume(call: UpstreamCall): Promise<void>;
}

/** Counters that several processes share. */
export interface SharedCounters {
  /** Returns the name of a user's counter. It does not reveal the identity. */
  name(identity: string): string;
  /** A client as rate-limiter-flexible uses it. Rejects at once while Redis is unavailable. */
  readonly client: {
    eval(
      script: string,
      call: { readonly keys: string[]; readonly arguments: string[] },
    ): Promise<unknown>;
  };
}

/** The limit, and the counters behind it. */
export interface RateLimiterOptions {
  /** Maximum number of calls of one caller in a minute. The minute starts with the first call. */
  readonly callsPerMinute: number;
  readonly observer?: Pick<HttpObserver, 'rateLimited'>;
  /** While these are unavailable, each process counts in its own memory, from 0. Default: always in memory. */
  readonly shared?: SharedCounters | undefined;
  /**
   * Maximum number of callers that are counted in memory. The count of the one that has not called for longest is
   * dropped. Default 50,000: about 20 MiB.
   */
  readonly maxCallers?: number;
}

/** Creates a limiter that counts in the memory of this process, or in Redis for several processes. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { callsPerMinute: points, shared } = options;
  const window = { points, duration: windowSeconds, keyPrefix: '' };
  const inMemory = new BoundedRateLimiter(window, options.maxCallers ?? 50_000);
  if (shared === undefined) return new CallRateLimiter(inMemory, options);
  const limiter = new RateLimiterRedis({
    ...window,
    storeClient: shared.client,
    useRedisPackage: true, // the form of `eval` of this client
    insuranceLimiter: inMemory,
  });
  return new CallRateLimiter(limiter, options);
}

const windowSeconds = 60;

/**
 * Counts a limited number of callers. The library would keep every caller for a minute, and clients can make up
 * credentials.
 */
class BoundedRateLimiter extends RateLimiterMemory {
  readonly #callers: LRUCache<string, true>;

  constructor(options: ConstructorParameters<typeof RateLimiterMemory>[0], maxCallers: number) {
    super(options);
    this.#callers = new LRUCache({ max: maxCallers, dispose: (_, key) => void this.delete(key) });
  }

  override consume(key: string, points?: number): Promise<RateLimiterRes> {
    if (this.#callers.get(key) === undefined) this.#callers.set(key, true);
    return super.consume(key, points);
  }
}

/** The calls that the first call of a mutation counted for. */
interface MutationCalls {
  /** Rejects if the mutation is rejected. */
  readonly counted: Promise<void>;
  left: number;
}

class CallRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterAbstract;
  readonly #options: RateLimiterOptions;
  readonly #mutations = new WeakMap<RequestBudget, MutationCalls>();

  constructor(limiter: RateLimiterAbstract, options: RateLimiterOptions) {
    this.#limiter = limiter;
    this.#options = options;
  }

  async consume(call: UpstreamCall): Promise<void> {
    const { caller, budget } = call;
    // The hash has a fixed length, however long the credential is.
    const key = this.#options.shared?.name(caller.key) ?? callerDigest(caller);
    const calls = budget.expectedCalls;
    if (calls === null) return this.#count(key, 1, call);
    let mutation = this.#mutations.get(budget);
    if (mutation === undefined) {
      mutation = { counted: this.#count(key, calls, call), left: calls };
      this.#mutations.set(budget, mutation);
    }
    await mutation.counted;
    if (mutation.left > 0) mutation.left -= 1;
    else await this.#limiter.penalty(key, 1);
  }

  /** Counts all of the calls or none. */
  async #count(key: string, calls: number, call: UpstreamCall): Promise<void> {
    try {
      await this.#limiter.consume(key, calls);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // The library has counted the rejected calls. One rejected call need not be reverted: the limit was reached
      // before it.
      if (calls > 1) await this.#limiter.reward(key, calls);
      this.#options.observer?.rateLimited();
      throw new RestError('RATE_LIMITED', requestLine(call), {
        expected: `at most ${this.#options.callsPerMinute} upstream calls per minute`,
        retryAfterMs: Math.max(1, error.msBeforeNext),
      });
    }
  }
}
