import {
  callCountFrom,
  callWindow,
  type SharedCounters,
  type WriteNotification,
} from '../../rest/index.ts';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { RedisConnection, type RedisOptions } from './redis-connection.ts';
import { Encryption } from './encryption.ts';
import { RedisCache } from './shared-cache.ts';
import { WriteMessages } from './write-messages.ts';

/** Address of Redis, and the secret and DMS that determine what is shared. */
export interface SharedStateOptions extends RedisOptions {
  /** SHARED_SECRET. Must be the same on all replicas. */
  readonly secret: string;
  /** Base URL of the DMS. Gateways of different services share nothing. */
  readonly baseUrl: string;
  /** Lifetime of cached reference data, in milliseconds. */
  readonly cacheTtlMs: number;
  /** Identifies the processes that notify each other of writes without Redis. */
  readonly replica: string;
  /** Called with what another replica wrote, and with all reference data if messages may have been missed. */
  readonly onWritten: (written: WriteNotification) => void;
}

/** Connects in the background and never throws. Nothing is shared while Redis is unavailable. */
export function createSharedState(options: SharedStateOptions) {
  const { baseUrl, cacheTtlMs: ttlMs, replica, onWritten } = options;
  const redis = new RedisConnection(options);
  const encryption = new Encryption(options.secret);
  const messages = new WriteMessages({ redis, encryption, baseUrl, replica, onWritten });
  const limiter = new RateLimiterRedis({
    ...callWindow,
    useRedisPackage: true, // the form of `eval` of this client
    storeClient: {
      async eval(script: string, call: { keys: string[]; arguments: string[] }) {
        const { keys, arguments: values } = call;
        const result = await redis.run((commands) =>
          commands.eval(script, keys.length, ...keys, ...values),
        );
        if (result === null) throw new Error('Redis cannot be used.');
        return result.value;
      },
    },
  });
  const counters: SharedCounters = {
    add: (caller, calls) =>
      limiter
        .penalty(encryption.name('rate', baseUrl, caller), calls)
        .then(callCountFrom, () => null),
  };
  return {
    cache: new RedisCache({ redis, encryption, baseUrl, ttlMs, messages }),
    counters,
    close: (): void => redis.close(),
  };
}
