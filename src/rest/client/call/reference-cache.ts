import { LRUCache } from 'lru-cache';
import type { ReferenceResource } from '../../../model/resource.ts';
import type { HttpObserver } from '../observer.ts';
import type { Call, CallResult } from './call.ts';

export type CachedResult = Omit<CallResult, 'status'>;

export interface SharedCache {
  readonly name: string;
  read(resource: ReferenceResource, identity: string, key: string): Promise<SharedRead>;
}

export interface SharedRead {
  readonly cached: { readonly response: CachedResult; readonly leftMs: number } | null;
  readonly store: (response: CachedResult) => void;
}

export interface ReferenceCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly shared?: SharedCache | undefined;
}

interface CacheEntry {
  readonly value: unknown;
  readonly bytes: number;
}

interface AddedEntry {
  readonly value: unknown;
  readonly response: CachedResult;
  readonly ttl: number;
  readonly start: number;
  readonly storeShared: SharedRead['store'] | null;
}

interface ResourceCache {
  readonly entries: LRUCache<string, CacheEntry>;
  readonly added: Map<string, AddedEntry>;
  generation: number;
  pendingWrites: number;
}

const maxIdentityBytes = 4 * 2 ** 20;
const unknownNumber = 0;

/**
 * Caches reference data per identity for a limited time. Values are shared by many requests and must not be modified.
 * Failures are not cached.
 */
export class ReferenceCache {
  readonly #caches = new Map<ReferenceResource, ResourceCache>();
  /**
   * The number of each identity, which the keys of its entries contain: an identity contains a credential, which can be
   * long. No number is used again. An identity that is forgotten gets another one, and its entries are found no longer.
   */
  readonly #numbers = new LRUCache<string, number>({
    maxSize: maxIdentityBytes,
    sizeCalculation: (_number, identity) => identity.length + 100,
  });
  #lastNumber = unknownNumber;
  readonly #options: ReferenceCacheOptions;
  readonly #observer: HttpObserver;

  constructor(options: ReferenceCacheOptions, observer: HttpObserver) {
    this.#options = options;
    this.#observer = observer;
  }

  async read<T>(
    resource: ReferenceResource,
    call: Call,
    key: string,
    load: () => Promise<CachedResult>,
    translate: (response: CachedResult) => T,
  ): Promise<T> {
    if (this.#options.ttlMs === 0) return translate(await load());
    const cache = this.#cacheFor(resource);
    if (cache.pendingWrites > 0) {
      this.#observer.cacheRead('miss');
      return translate(await load());
    }
    const identity = call.caller.key;
    const wholeKey = `${this.#numbers.get(identity) ?? unknownNumber} ${key}`;
    const added = cache.added.get(wholeKey);
    const entry = added ?? cache.entries.get(wholeKey);
    if (entry !== undefined) {
      this.#observer.cacheRead('hit');
      const leftMs = added?.ttl ?? cache.entries.getRemainingTTL(wholeKey);
      this.#recordHit(call, resource, 'memory', leftMs);
      // A key always has the same type of value.
      return entry.value as T;
    }
    const { generation } = cache;
    let response: CachedResult;
    let ttl = this.#options.ttlMs;
    let storeShared: SharedRead['store'] | null = null;
    const { shared } = this.#options;
    if (shared === undefined) {
      this.#observer.cacheRead('miss');
      response = await load();
    } else {
      const startedAt = performance.now();
      const { cached, store } = await shared.read(resource, identity, key);
      // A write that started in the meantime may have invalidated it.
      const isValid = cache.generation === generation && cache.pendingWrites === 0;
      const found = isValid ? cached : null;
      this.#observer.cacheRead(found === null ? 'miss' : shared.name);
      if (found !== null) this.#recordHit(call, resource, shared.name, found.leftMs, startedAt);
      response = found?.response ?? (await load());
      if (found === null) storeShared = store;
      else ttl = found.leftMs;
    }
    const value = translate(response);
    if (cache.generation === generation) {
      // Only now: clients whose reads fail must not displace the numbers of others.
      const addedKey = `${this.#numberOf(identity)} ${key}`;
      const start = performance.now();
      cache.added.set(addedKey, { value, response, ttl, start, storeShared });
      setImmediate(moveAdded, cache, addedKey);
    }
    return value;
  }

  #numberOf(identity: string): number {
    const known = this.#numbers.get(identity);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(identity, this.#lastNumber);
    return this.#lastNumber;
  }

  #recordHit(
    call: Call,
    resource: ReferenceResource,
    cache: string,
    leftMs: number,
    startedAt?: number,
  ): void {
    const { budget } = call;
    budget.observer?.cachedRead(resource, cache);
    budget.oldestReadMs = Math.max(budget.oldestReadMs, this.#options.ttlMs - leftMs);
    budget.recordCall(call, { source: 'cache', startedAt });
  }

  get ttlMs(): number {
    return this.#options.ttlMs;
  }

  invalidate(resource: ReferenceResource): void {
    const cache = this.#cacheFor(resource);
    cache.generation += 1;
    cache.added.clear();
    cache.entries.clear();
  }

  suspend(resource: ReferenceResource): void {
    this.#cacheFor(resource).pendingWrites += 1;
  }

  resume(resource: ReferenceResource): void {
    this.#cacheFor(resource).pendingWrites -= 1;
  }

  #cacheFor(resource: ReferenceResource): ResourceCache {
    let cache = this.#caches.get(resource);
    if (cache === undefined) {
      cache = {
        generation: 0,
        pendingWrites: 0,
        added: new Map(),
        entries: new LRUCache({
          max: this.#options.maxEntries,
          maxSize: this.#options.maxBytes,
          // 500 bytes for the overhead of an entry.
          sizeCalculation: ({ bytes }, key) => bytes + key.length + 500,
          ttl: this.#options.ttlMs,
        }),
      };
      this.#caches.set(resource, cache);
    }
    return cache;
  }
}

function moveAdded({ added, entries }: ResourceCache, key: string): void {
  const entry = added.get(key);
  if (entry === undefined) return; // invalidated
  added.delete(key);
  const { value, response, ttl, start, storeShared } = entry;
  entries.set(key, { value, bytes: response.bytes }, { ttl, start });
  storeShared?.(response);
}
