import { randomUUID } from 'node:crypto';
import type { SharedCache, SharedRead, CachedResult, WriteNotification } from '../../rest/index.ts';
import type { ReferenceResource } from '../../model/resource.ts';
import { resultsOf, type RedisConnection } from './redis-connection.ts';
import type { Encryption } from './encryption.ts';
import type { WriteMessages } from './write-messages.ts';

export interface RedisCacheOptions {
  readonly redis: RedisConnection;
  readonly encryption: Encryption;
  readonly baseUrl: string;
  readonly ttlMs: number;
  readonly messages: WriteMessages;
}

interface CachedResponse {
  readonly generation: string;
  readonly storedAt: number;
  readonly body: unknown;
  readonly headers: CachedResult['headers'];
  readonly bytes: number;
  readonly request: string;
}

/** Longer than any read, so that a read that started before a write never counts as one that started after it. */
const minGenerationMs = 3_600_000;
/** Redis runs one command at a time, so larger responses would delay other clients. */
const maxBytes = 1024 * 1024;

const notShared: SharedRead = { cached: null, store: () => {} };

/**
 * Contains responses of the DMS before their translation, so that replicas of different versions can share them. A
 * response is valid as long as its resource has the generation that it had before the response was requested.
 * Generations are random, so that a new one never equals one that Redis has lost.
 */
export class RedisCache implements SharedCache {
  readonly name = 'redis';
  readonly #options: RedisCacheOptions;
  readonly #generationMs: number;
  readonly #unconfirmed = new Map<ReferenceResource, symbol>();

  constructor(options: RedisCacheOptions) {
    this.#options = options;
    this.#generationMs = options.ttlMs + minGenerationMs;
  }

  async read(resource: ReferenceResource, identity: string, key: string): Promise<SharedRead> {
    if (this.#unconfirmed.has(resource)) {
      await this.invalidate({ resources: [resource], document: null });
      return notShared;
    }
    const { redis, encryption, baseUrl } = this.#options;
    const name = encryption.name('reference', baseUrl, resource, key, identity);
    const generationName = this.#generationName(resource);
    const found = await redis.run((commands) =>
      commands.pipeline().get(generationName).getBuffer(name).pttl(name).exec().then(resultsOf),
    );
    if (found === null) return notShared;
    const [generation, encrypted, redisMs] = found.value as [string | null, unknown, number];
    if (generation === null) {
      return { cached: null, store: await this.#storeWithNewGeneration(name, generationName) };
    }
    const response = this.#open(name, encrypted, generation);
    if (response !== null) {
      const leftMs = Math.min(redisMs, this.#leftMs(response));
      if (leftMs > 0) return { cached: { response, leftMs }, store: () => {} };
    }
    return { cached: null, store: this.#storeWith(name, generation) };
  }

  /**
   * Invalidates what a write may have changed, for every identity and on every replica. Until Redis confirms it, this
   * replica uses no response of these resources from Redis. Other replicas may use theirs until they expire. A write
   * that changed no reference data is reported in the background. Never rejects.
   */
  async invalidate(written: WriteNotification): Promise<void> {
    const { redis, messages } = this.#options;
    const affected = written.resources;
    if (affected.length === 0) {
      if (written.document === null) return;
      void redis.run((commands) => commands.publish(messages.channel, messages.create(written)));
      return;
    }
    const write = Symbol('write');
    for (const resource of affected) this.#unconfirmed.set(resource, write);
    const confirmed = await redis.run((commands) => {
      // No transaction: before 7.2, Redis sends the message that this connection receives too inside of its results.
      const pipeline = commands.pipeline();
      for (const resource of affected) {
        pipeline.set(this.#generationName(resource), randomUUID(), 'PX', this.#generationMs);
      }
      pipeline.publish(messages.channel, messages.create(written));
      return pipeline.exec().then(resultsOf);
    });
    if (confirmed === null) return;
    for (const resource of affected) {
      if (this.#unconfirmed.get(resource) === write) this.#unconfirmed.delete(resource);
    }
  }

  #generationName(resource: ReferenceResource): string {
    const { encryption, baseUrl } = this.#options;
    return encryption.name('generation', baseUrl, resource);
  }

  /** Null if the response is missing, cannot be decrypted or belongs to another generation. */
  #open(name: string, encrypted: unknown, generation: string): CachedResponse | null {
    const text = this.#options.encryption.decrypt(name, encrypted);
    const response = text === null ? null : (JSON.parse(text) as CachedResponse);
    return response?.generation === generation ? response : null;
  }

  /**
   * Remaining lifetime of a response by the time that it contains. The expiry in Redis can be longer: another replica
   * has a longer lifetime, or somebody has changed it or has restored an expired response.
   */
  #leftMs({ storedAt }: CachedResponse): number {
    return this.#options.ttlMs - Math.abs(Date.now() - storedAt);
  }

  #storeWith(name: string, generation: string): SharedRead['store'] {
    const { redis, encryption, ttlMs } = this.#options;
    return ({ body, headers, bytes, request }) => {
      if (bytes > maxBytes) return;
      const cached: CachedResponse = {
        generation,
        storedAt: Date.now(),
        body,
        headers: translatedHeaders(headers),
        bytes,
        request,
      };
      const text = jsonOf(cached);
      if (text === null) return;
      const value = encryption.encrypt(name, text);
      void redis.run((commands) => commands.set(name, value, 'PX', ttlMs));
    };
  }

  async #storeWithNewGeneration(
    name: string,
    generationName: string,
  ): Promise<SharedRead['store']> {
    const set = await this.#options.redis.run((commands) =>
      commands
        .pipeline()
        .set(generationName, randomUUID(), 'PX', this.#generationMs, 'NX')
        .get(generationName) // another replica may have been faster
        .exec()
        .then(resultsOf),
    );
    const current = set?.value[1];
    return typeof current === 'string' ? this.#storeWith(name, current) : () => {};
  }
}

/** The translation reads no other headers, and some headers, such as cookies, belong to one connection. */
function translatedHeaders(headers: CachedResult['headers']): CachedResult['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.endsWith('-total-count')),
  );
}

function jsonOf(cached: CachedResponse): string | null {
  try {
    return JSON.stringify(cached);
  } catch {
    return null;
  }
}
