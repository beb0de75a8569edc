import type { ReferenceResource } from '../rest/client/reference-cache.ts';
import type { SharedCounters } from '../rest/client/resilience/rate-limiter.ts';
import { connectToRedis, type RedisOptions } from './redis-connection.ts';
import { createSealing } from './sealing.ts';
import { createRedisCache, type RedisCache } from './shared-cache.ts';

/** Address of Redis, and the secret and DMS that determine what is shared. */
export interface SharedStateOptions extends RedisOptions {
  /** SHARED_SECRET. Must be the same on all replicas. */
  readonly secret: string;
  /** Base URL of the DMS. Gateways of different services share nothing. */
  readonly baseUrl: string;
  /** Lifetime of cached reference data, in milliseconds. */
  readonly cacheTtlMs: number;
  /**
   * Called with the resources that another replica changed, and with all resources if messages may have been missed.
   */
  readonly onInvalidated: (affected: readonly ReferenceResource[]) => void;
}

/** The state that replicas share through Redis. */
export interface SharedState {
  readonly cache: RedisCache;
  readonly counters: SharedCounters;
  close(): void;
}

/** Connects in the background and never throws. Nothing is shared while Redis is unavailable. */
export function createSharedState(options: SharedStateOptions): SharedState {
  const { baseUrl, cacheTtlMs: ttlMs, onInvalidated } = options;
  const redis = connectToRedis(options);
  const sealing = createSealing(options.secret);
  return {
    cache: createRedisCache({ redis, sealing, baseUrl, ttlMs, onInvalidated }),
    counters: {
      name: (identity) => sealing.name('rate', baseUrl, identity),
      async eval(script, keys, values) {
        const result = await redis.run((commands) =>
          commands.eval(script, keys.length, ...keys, ...values),
        );
        if (result === null) throw new Error('Redis cannot be used.');
        return result.value;
      },
    },
    close: () => redis.close(),
  };
}
