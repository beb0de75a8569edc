import type { Config } from '../config/read-config.ts';
import type { SharedState, SharedStateOptions } from '../redis/index.ts';
import type { RateLimiter } from '../rest/client/resilience/rate-limiter.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { Metrics } from '../server/telemetry/metrics.ts';

/** What REDIS_URL and RATE_LIMIT add to a gateway. */
export interface Sharing {
  /** Null without REDIS_URL. */
  readonly shared: SharedState | null;
  /** Null without RATE_LIMIT. */
  readonly rateLimiter: RateLimiter | null;
}

type ConnectOptions = Pick<SharedStateOptions, 'baseUrl' | 'replica' | 'onWritten'>;

/** Loads the modules that only REDIS_URL and RATE_LIMIT need. The result connects to Redis. */
export async function loadSharing(
  { rateLimit, redisUrl, sharedSecret, cacheTtlMs }: Config,
  metrics: Metrics,
  log: Log,
): Promise<(options: ConnectOptions) => Sharing> {
  const redis = redisUrl === null ? null : await import('../redis/index.ts');
  const limiting =
    rateLimit === null ? null : await import('../rest/client/resilience/rate-limiter.ts');

  const connect = (options: ConnectOptions): SharedState | null => {
    if (redis === null || redisUrl === null || sharedSecret === null) return null;
    const onChange = (isUp: boolean, reason: string | null): void => {
      metrics.redisChanged(isUp);
      if (isUp) log.write('info', 'using Redis');
      else log.write('warn', 'Redis not available', { reason });
    };
    const connection = { url: redisUrl, secret: sharedSecret, cacheTtlMs, onChange };
    return redis.createSharedState({ ...options, ...connection });
  };
  const createLimiter = (shared: SharedState | null): RateLimiter | null => {
    if (limiting === null || rateLimit === null) return null;
    return limiting.createRateLimiter({
      callsPerMinute: rateLimit,
      observer: metrics.observer,
      shared: shared?.counters,
    });
  };
  return (options) => {
    const shared = connect(options);
    return { shared, rateLimiter: createLimiter(shared) };
  };
}
