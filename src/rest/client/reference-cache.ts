import { LRUCache } from 'lru-cache';
import type { HttpObserver } from './observer.ts';
import type { UpstreamResponse } from './upstream.ts';

/** The resources that are kept across requests. Documents, responses and files never are. */
export const referenceResources = [
  'forms',
  'listValues',
  'orgUnits',
  'persons',
  'organizations',
] as const;

export type ReferenceResource = (typeof referenceResources)[number];

/** Responses that this process shares with others. What fails there is a miss. */
export interface SharedCache {
  /** @param identity the whole identity (credential and run-as) */
  read(resource: ReferenceResource, identity: string, key: string): Promise<SharedRead>;
}

export interface SharedRead {
  /** What others have read, and for how many milliseconds it can still be used; null for a miss. */
  readonly kept: { readonly response: UpstreamResponse; readonly leftMs: number } | null;
  /** After a miss: keeps the response that was requested after it. Returns at once. */
  readonly keep: (response: UpstreamResponse) => void;
}

export interface ReferenceCacheOptions {
  /** Milliseconds; 0 keeps nothing. */
  readonly ttlMs: number;
  /** Maximum number of responses of one resource. */
  readonly maxEntries: number;
  /** Maximum number of bytes of one resource, by the length of the responses. */
  readonly maxBytes: number;
  /** A second level behind the memory of this process. Default: none. */
  readonly shared?: SharedCache | undefined;
}

/** What was read, and the length of what it came from. */
interface CacheEntry {
  readonly value: unknown;
  readonly bytes: number;
}

interface ResourceCache {
  readonly entries: LRUCache<string, CacheEntry>;
  /** Changes with every write of the resource: what was read before it is not kept after it. */
  generation: number;
  /** Writes of the resource that are under way. */
  pendingWrites: number;
}

/**
 * Reference data for a while, per identity. Kept values are shared by many requests: nobody changes them.
 * Failures are never kept.
 */
export class ReferenceCache {
  readonly #caches = new Map<ReferenceResource, ResourceCache>();
  readonly #options: ReferenceCacheOptions;
  readonly #observer: HttpObserver;

  constructor(options: ReferenceCacheOptions, observer: HttpObserver) {
    this.#options = options;
    this.#observer = observer;
  }

  /**
   * @param identity the whole identity (credential and run-as)
   * @param key names one answer for that identity; one key always holds one type of value
   */
  async read<T>(
    resource: ReferenceResource,
    identity: string,
    key: string,
    load: () => Promise<UpstreamResponse>,
    translate: (response: UpstreamResponse) => T,
  ): Promise<T> {
    if (this.#options.ttlMs === 0) return translate(await load());
    const cache = this.#cacheFor(resource);
    if (cache.pendingWrites > 0) {
      this.#observer.cacheRead('miss');
      return translate(await load());
    }
    // A path holds no line break, so no other identity can have this key.
    const wholeKey = `${key}\n${identity}`;
    const entry = cache.entries.get(wholeKey);
    if (entry !== undefined) {
      this.#observer.cacheRead('hit');
      // One key always holds one type of value.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return entry.value as T;
    }
    const { generation } = cache;
    let response: UpstreamResponse;
    let leftMs: number | undefined;
    let keepShared: SharedRead['keep'] | undefined;
    const { shared } = this.#options;
    if (shared === undefined) {
      this.#observer.cacheRead('miss');
      response = await load();
    } else {
      const { kept, keep } = await shared.read(resource, identity, key);
      // A write that began meanwhile may have made it invalid.
      const isValid = cache.generation === generation && cache.pendingWrites === 0;
      const found = isValid ? kept : null;
      this.#observer.cacheRead(found === null ? 'miss' : 'redis');
      response = found?.response ?? (await load());
      leftMs = found?.leftMs;
      if (found === null) keepShared = keep;
    }
    const value = translate(response);
    keepShared?.(response);
    if (cache.generation === generation) {
      const { bytes } = response;
      if (leftMs === undefined) cache.entries.set(wholeKey, { value, bytes });
      else cache.entries.set(wholeKey, { value, bytes }, { ttl: leftMs });
    }
    return value;
  }

  /** Invalidates a resource, for every identity, including what is being read just now. */
  invalidate(resource: ReferenceResource): void {
    const cache = this.#cacheFor(resource);
    cache.generation += 1;
    cache.entries.clear();
  }

  /** Until `resume`, reads of a resource are neither answered from memory nor kept: a write of it is under way. */
  suspend(resource: ReferenceResource): void {
    this.#cacheFor(resource).pendingWrites += 1;
  }

  /** Ends what one `suspend` began. What was kept before is used again, unless it was dropped. */
  resume(resource: ReferenceResource): void {
    this.#cacheFor(resource).pendingWrites -= 1;
  }

  #cacheFor(resource: ReferenceResource): ResourceCache {
    let cache = this.#caches.get(resource);
    if (cache === undefined) {
      cache = {
        generation: 0,
        pendingWrites: 0,
        entries: new LRUCache({
          max: this.#options.maxEntries,
          maxSize: this.#options.maxBytes,
          // 500 for the key and what an entry costs even when it is small.
          sizeCalculation: ({ bytes }, key) => bytes + key.length + 500,
          ttl: this.#options.ttlMs,
        }),
      };
      this.#caches.set(resource, cache);
    }
    return cache;
  }
}
