import { hash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { HttpObserver } from '../observer.ts';
import { RestError } from '../rest-error.ts';
import { requestLine, type UpstreamCall } from '../upstream-call.ts';
import type { RequestBudget } from './request-budget.ts';

/** Limits the upstream calls of each caller per minute. */
export interface RateLimiter {
  /**
   * Counts a call that is about to be sent; repeated ones and file transfers too.
   *
   * The first call of a mutation counts for all calls that the mutation is expected to make, and the others are never
   * refused: otherwise a mutation could be refused after its write.
   * @throws {RestError} `RATE_LIMITED` with `retryAfterMs`; then the call must not be sent
   */
  consume(call: UpstreamCall): Promise<void>;
}

/** Where several processes count together. */
export interface SharedCounters {
  /** The name of a user's counter, in which the identity cannot be read. */
  name(identity: string): string;
  /** Runs a script of Redis. Rejects at once while Redis cannot be used. */
  eval(script: string, keys: readonly string[], values: readonly string[]): Promise<unknown>;
}

export interface RateLimiterOptions {
  /** Maximum number of calls of one caller in a minute, which begins with the first of them. */
  readonly callsPerMinute: number;
  readonly observer?: Pick<HttpObserver, 'rateLimited'>;
  /** While these cannot be used, each process counts in its own memory, from 0. Default: it always does. */
  readonly shared?: SharedCounters | undefined;
}

/** A limiter that counts in the memory of this process, or for several processes in Redis. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { callsPerMinute: points, shared } = options;
  const window = { points, duration: windowSeconds, keyPrefix: '' };
  const inMemory = new RateLimiterMemory(window);
  if (shared === undefined) return new CallRateLimiter(inMemory, options);
  const limiter = new RateLimiterRedis({
    ...window,
    storeClient: {
      eval: (script: string, call: { readonly keys: string[]; readonly arguments: string[] }) =>
        shared.eval(script, call.keys, call.arguments),
    },
    useRedisPackage: true, // the form of `eval` above
    insuranceLimiter: inMemory,
  });
  return new CallRateLimiter(limiter, options);
}

const windowSeconds = 60;

/** The calls that the first call of a mutation counted for. */
interface MutationCalls {
  /** Rejects if the mutation is refused. */
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
    // Of one length, however long a credential is.
    const key = this.#options.shared?.name(caller.key) ?? hash('sha256', caller.key, 'base64url');
    if (budget.expectedCalls === null) return this.#count(key, 1, call);
    let mutation = this.#mutations.get(budget);
    if (mutation === undefined) {
      const calls = Math.max(1, budget.expectedCalls);
      mutation = { counted: this.#count(key, calls, call), left: calls };
      this.#mutations.set(budget, mutation);
    }
    await mutation.counted;
    if (mutation.left > 0) mutation.left -= 1;
    else await this.#limiter.penalty(key, 1);
  }

  /** All of the calls or none. */
  async #count(key: string, calls: number, call: UpstreamCall): Promise<void> {
    try {
      await this.#limiter.consume(key, calls);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // The library has counted them all the same. A single call is left: then there was no place for any.
      if (calls > 1) await this.#limiter.reward(key, calls);
      this.#options.observer?.rateLimited();
      throw new RestError('RATE_LIMITED', requestLine(call), {
        expected: `at most ${this.#options.callsPerMinute} upstream calls per minute`,
        retryAfterMs: Math.max(1, error.msBeforeNext),
      });
    }
  }
}
