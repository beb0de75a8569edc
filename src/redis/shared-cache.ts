import { randomUUID } from 'node:crypto';
import type { WrittenData } from '../rest/client/written-data.ts';
import type { ReferenceResource, SharedCache, SharedRead } from '../rest/client/reference-cache.ts';
import type { UpstreamResponse } from '../rest/client/upstream.ts';
import { resultsOf, type RedisConnection } from './redis-connection.ts';
import type { Sealing } from './sealing.ts';
import type { WriteMessages } from './write-messages.ts';

/** Connection, encryption and lifetime of the cache in Redis. */
export interface RedisCacheOptions {
  readonly redis: RedisConnection;
  readonly sealing: Sealing;
  /** Base URL of the DMS. Gateways of different services share nothing. */
  readonly baseUrl: string;
  /** Lifetime of a response, in milliseconds. */
  readonly ttlMs: number;
  readonly messages: WriteMessages;
}

/** The reference cache that all replicas share. */
export interface RedisCache extends SharedCache {
  /**
   * Invalidates what a write may have changed, for every identity and on every replica. Until Redis confirms it, this
   * replica uses no response of these resources from Redis. Other replicas may use theirs until they expire. A write
   * that changed no reference data is reported in the background. Never rejects.
   */
  invalidate(written: WrittenData): Promise<void>;
}

/** The value of a key. */
interface KeptResponse {
  /** The generation of the resource when the response was requested. Every write of the resource replaces it. */
  readonly generation: string;
  readonly body: unknown;
  readonly headers: UpstreamResponse['headers'];
  readonly bytes: number;
  readonly request: string;
}

/** Longer than any read, so that a read that started before a write never counts as one that started after it. */
const minGenerationMs = 3_600_000;
/** Redis runs one command at a time, so larger responses would delay other clients. */
const maxBytes = 1024 * 1024;

/**
 * Creates the cache. It contains responses of the DMS before their translation, so that replicas of different versions
 * can share them.
 *
 * A response is valid as long as its resource has the generation that it had before the response was requested. A
 * response that was requested before a write is therefore invalid after it, even if it is stored later. Generations are
 * random, so that a new one never equals one that Redis has lost.
 */
export function createRedisCache(options: RedisCacheOptions): RedisCache {
  const { redis, sealing, baseUrl, ttlMs, messages } = options;
  const generationMs = ttlMs + minGenerationMs;
  /** Resources whose last write Redis has not confirmed yet. */
  const unconfirmed = new Map<ReferenceResource, symbol>();
  const generationName = (resource: ReferenceResource): string =>
    sealing.name('generation', baseUrl, resource);
  const read = async (
    resource: ReferenceResource,
    identity: string,
    key: string,
  ): Promise<SharedRead> => {
    if (unconfirmed.has(resource)) {
      await invalidate({ resources: [resource], document: null });
      return notShared;
    }
    const name = sealing.name('reference', baseUrl, resource, key, identity);
    const generationKey = generationName(resource);
    const found = await redis.run((commands) =>
      commands.pipeline().get(generationKey).getBuffer(name).pttl(name).exec().then(resultsOf),
    );
    if (found === null) return notShared;
    const [generation, sealed, leftMs] = found.value as [string | null, Buffer | null, number];
    if (generation === null) return { kept: null, keep: await keepWithNewGeneration() };
    const kept = sealed === null || leftMs <= 0 ? null : responseFrom(sealed);
    if (kept !== null) return { kept: { response: kept, leftMs }, keep: () => {} };
    return { kept: null, keep: keepWith(generation) };

    function responseFrom(bytes: Buffer): UpstreamResponse | null {
      const text = sealing.open(name, bytes);
      const response = text === null ? null : (JSON.parse(text) as KeptResponse);
      return response?.generation === generation ? response : null;
    }

    function keepWith(current: string) {
      return ({ body, headers, bytes, request }: UpstreamResponse): void => {
        if (bytes > maxBytes) return;
        const kept: KeptResponse = {
          generation: current,
          body,
          headers: translatedHeaders(headers),
          bytes,
          request,
        };
        const value = sealing.seal(name, JSON.stringify(kept));
        void redis.run((commands) => commands.set(name, value, 'PX', ttlMs));
      };
    }

    async function keepWithNewGeneration(): Promise<SharedRead['keep']> {
      const set = await redis.run((commands) =>
        commands
          .pipeline()
          .set(generationKey, randomUUID(), 'PX', generationMs, 'NX')
          .get(generationKey) // another replica may have been faster
          .exec()
          .then(resultsOf),
      );
      const current = set?.value[1];
      return typeof current === 'string' ? keepWith(current) : () => {};
    }
  };

  const invalidate = async (written: WrittenData): Promise<void> => {
    const affected = written.resources;
    if (affected.length === 0) {
      if (written.document === null) return;
      void redis.run((commands) => commands.publish(messages.channel, messages.create(written)));
      return;
    }
    const write = Symbol('write');
    for (const resource of affected) unconfirmed.set(resource, write);
    const confirmed = await redis.run((commands) => {
      const transaction = commands.multi();
      for (const resource of affected) {
        transaction.set(generationName(resource), randomUUID(), 'PX', generationMs);
      }
      transaction.publish(messages.channel, messages.create(written));
      return transaction.exec().then(resultsOf);
    });
    if (confirmed === null) return;
    for (const resource of affected) {
      if (unconfirmed.get(resource) === write) unconfirmed.delete(resource);
    }
  };

  return { read, invalidate };
}

const notShared: SharedRead = { kept: null, keep: () => {} };

/** The translation reads no other headers, and some headers, such as cookies, belong to one connection. */
function translatedHeaders(headers: UpstreamResponse['headers']): UpstreamResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.endsWith('-total-count')),
  );
}
