import { hash } from 'node:crypto';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { SharedCounters } from '../rest/client/resilience/rate-limiter.ts';
import type { SharedDocuments } from '../server/graphql/persisted/registered-documents.ts';
import { resultsOf, type RedisConnection } from './redis-connection.ts';
import type { Sealing } from './sealing.ts';

/** Connection, encryption and limits of registered documents in Redis. */
export interface RedisDocumentsOptions {
  readonly redis: RedisConnection;
  readonly sealing: Sealing;
  readonly counters: SharedCounters;
  /** Base URL of the DMS. Gateways of different services share nothing. */
  readonly baseUrl: string;
  /** Maximum size of all documents that are registered in a day. Default 16 MiB. */
  readonly maxBytesPerDay?: number;
}

const daySeconds = 86_400;
/** Redis runs one command at a time, so larger texts would delay other clients. */
const maxBytes = 256 * 1024;
const overheadBytes = 500;

/**
 * Creates the store. A document expires after a day, then its clients register it again. What is registered in a day is
 * limited, in total and per caller, because anybody can register documents and a full Redis cannot be used.
 */
export function createRedisDocuments(options: RedisDocumentsOptions): SharedDocuments {
  const { redis, sealing, counters, baseUrl, maxBytesPerDay = 16 * 2 ** 20 } = options;
  const limiter = new RateLimiterRedis({
    points: maxBytesPerDay,
    duration: daySeconds,
    keyPrefix: '',
    storeClient: counters.client,
    useRedisPackage: true, // the form of `eval` of this client
  });
  const nameOf = (sha256: string): string => sealing.name('document', baseUrl, sha256);

  /** Counts the bytes of the day. Rejects if a limit is exceeded or Redis is not available. */
  const consume = async (callerKey: string, share: number, bytes: number): Promise<void> => {
    const total = sealing.name('bytes', baseUrl);
    // Checks without counting: clients can make up callers, and each would otherwise get a counter after the limit too.
    await limiter.consume(total, 0);
    // Both counters have the same limit, so the bytes of a caller are divided by its share of it.
    await limiter.consume(sealing.name('bytes', baseUrl, callerKey), Math.ceil(bytes / share));
    await limiter.consume(total, bytes);
  };
  const store = async (...[sha256, text, callerKey, share]: Parameters<SharedDocuments['set']>) => {
    const bytes = Buffer.byteLength(text);
    const name = nameOf(sha256);
    if (bytes > maxBytes) return;
    const exists = await redis.run((commands) => commands.exists(name));
    if (exists?.value !== 0) return;
    await consume(callerKey, share, bytes + overheadBytes);
    const sealed = sealing.seal(name, text);
    await redis.run((commands) => commands.set(name, sealed, 'EX', daySeconds, 'NX'));
  };

  return {
    async get(sha256) {
      const name = nameOf(sha256);
      const found = await redis.run((commands) =>
        commands.pipeline().getBuffer(name).exec().then(resultsOf),
      );
      const text = sealing.open(name, found?.value[0]);
      return text !== null && hash('sha256', text) === sha256 ? text : null;
    },
    set(...document) {
      store(...document).catch(() => {}); // a limit is exceeded, or Redis is not available
    },
  };
}
