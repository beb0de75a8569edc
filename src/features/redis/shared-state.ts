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

export interface SharedStateOptions extends RedisOptions {
  readonly secret: string;
  readonly baseUrl: string;
  readonly cacheTtlMs: number;
  readonly replica: string;
  readonly onWritten: (written: WriteNotification) => void;
}

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
