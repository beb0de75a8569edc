import { shortKeyWarnings } from '../../config/read-config.ts';
import { isPercentEncoded, optional, secret, text } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

export const redis = defineFeature({
  name: 'redis',
  settings: {
    redisUrl: secret(
      optional(
        'REDIS_URL',
        readUrl,
        'URL of the Redis that replicas share: redis:// or rediss://, optionally with user name, password and database.',
        'for several replicas',
      ),
    ),
    sharedSecret: secret(
      text(
        'SHARED_SECRET',
        null,
        'Secret that encrypts what is in Redis. Must be the same on all replicas.',
        'with REDIS_URL',
      ),
    ),
    redisCaFile: text(
      'REDIS_CA_FILE',
      null,
      'As DMS_CA_FILE, for Redis.',
      'for a private certificate authority',
    ),
    redisClientCertFile: text(
      'REDIS_CLIENT_CERT_FILE',
      null,
      'As DMS_CLIENT_CERT_FILE, for Redis.',
      'if Redis requires a client certificate',
    ),
    redisClientKeyFile: text(
      'REDIS_CLIENT_KEY_FILE',
      null,
      'As DMS_CLIENT_KEY_FILE, for Redis. Must not be encrypted.',
      'with REDIS_CLIENT_CERT_FILE',
    ),
  },
  tlsServices: {
    redis: {
      service: 'Redis',
      url: 'redisUrl',
      scheme: 'rediss://',
      keys: { ca: 'redisCaFile', certificate: 'redisClientCertFile', key: 'redisClientKeyFile' },
    },
  },
  problems(_values, isSet) {
    if (!isSet('REDIS_URL') || isSet('SHARED_SECRET')) return [];
    return ['SHARED_SECRET is required with REDIS_URL'];
  },
  warnings({ redisUrl, sharedSecret }) {
    return redisUrl === null
      ? []
      : shortKeyWarnings('SHARED_SECRET', sharedSecret, 'one key of Redis');
  },
  async *check({ redisUrl }, { tls }) {
    if (redisUrl === null) return;
    const { checkRedis } = await import('./check-redis.ts');
    yield await checkRedis(redisUrl, tls['redis']);
  },
  async open({ redisUrl, sharedSecret, cacheTtlMs }, host) {
    const { log, metrics, dmsUrl, tls, replica, onWritten } = host;
    const unavailable = metrics.create.gauge(
      'gateway_redis_unavailable',
      '1 while REDIS_URL is set and Redis cannot be used, otherwise 0.',
    );
    if (redisUrl === null || sharedSecret === null) return null;
    const { createSharedState } = await import('./shared-state.ts');
    const { cache, counters, close } = createSharedState({
      url: redisUrl,
      secret: sharedSecret,
      baseUrl: dmsUrl,
      cacheTtlMs,
      tls: tls.redis,
      replica,
      onWritten,
      onChange(isUp, reason) {
        unavailable.set(isUp ? 0 : 1);
        if (isUp) log.write('info', 'using Redis');
        else log.write('warn', 'Redis not available', { reason });
      },
    });
    return {
      provides: { cache, counters },
      hooks: { onWrite: (written) => cache.invalidate(written), onStop: close },
    };
  },
});

/** Error messages never contain the URL. */
function readUrl(value: string): string {
  const url = URL.parse(value);
  const isRedis = url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  if (!isRedis || url.search || url.hash || !/^\/?\d*$/.test(url.pathname)) {
    throw new Error(
      'must be a redis:// or rediss:// URL without query and fragment, such as redis://host:6379/0',
    );
  }
  if (!isPercentEncoded(`${url.username}:${url.password}`)) {
    throw new Error('must have a percent-encoded user name and password: write %25 for %');
  }
  return url.href;
}
