import { LRUCache } from 'lru-cache';
import type { HttpObserver } from './observer.ts';
import type { Answer } from './upstream.ts';

/** The nouns that are kept across requests. Documents, responses and files never are. */
export type ReferenceNoun = 'forms' | 'listValues' | 'orgUnits' | 'persons' | 'organizations';

export interface ReferenceCacheOptions {
  /** Milliseconds; 0 keeps nothing. */
  readonly ttlMs: number;
  /** Most answers of one noun. */
  readonly maxEntries: number;
  /** Most bytes of one noun, by the length of the answers. */
  readonly maxBytes: number;
}

/** What was read, and the length of what it came from. */
interface Kept {
  readonly value: unknown;
  readonly bytes: number;
}

interface Shelf {
  readonly kept: LRUCache<string, Kept>;
  /** Changes with every write of the noun: what was read before it is not kept after it. */
  generation: number;
  /** Writes of the noun that are under way. */
  writes: number;
}

/**
 * Reference data for a while, per identity. Kept values are shared by many requests: nobody changes them.
 * Failures are never kept.
 */
export class ReferenceCache {
  readonly #shelves = new Map<ReferenceNoun, Shelf>();
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
    noun: ReferenceNoun,
    identity: string,
    key: string,
    load: () => Promise<Answer>,
    translate: (answer: Answer) => T,
  ): Promise<T> {
    if (this.#options.ttlMs === 0) return translate(await load());
    const shelf = this.#shelf(noun);
    if (shelf.writes > 0) {
      this.#observer.cacheRead('miss');
      return translate(await load());
    }
    // A path holds no line break, so no other identity can have this key.
    const wholeKey = `${key}\n${identity}`;
    const kept = shelf.kept.get(wholeKey);
    this.#observer.cacheRead(kept === undefined ? 'miss' : 'hit');
    // One key always holds one type of value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (kept !== undefined) return kept.value as T;
    const { generation } = shelf;
    const answer = await load();
    const value = translate(answer);
    if (shelf.generation === generation) shelf.kept.set(wholeKey, { value, bytes: answer.bytes });
    return value;
  }

  /** Forgets a noun, for every identity, including what is being read just now. */
  drop(noun: ReferenceNoun): void {
    const shelf = this.#shelf(noun);
    shelf.generation += 1;
    shelf.kept.clear();
  }

  /** Until `resume`, reads of a noun are neither answered from memory nor kept: a write of it is under way. */
  suspend(noun: ReferenceNoun): void {
    this.#shelf(noun).writes += 1;
  }

  /** Ends what one `suspend` began. What was kept before is used again, unless it was dropped. */
  resume(noun: ReferenceNoun): void {
    this.#shelf(noun).writes -= 1;
  }

  #shelf(noun: ReferenceNoun): Shelf {
    let shelf = this.#shelves.get(noun);
    if (shelf === undefined) {
      shelf = {
        generation: 0,
        writes: 0,
        kept: new LRUCache({
          max: this.#options.maxEntries,
          maxSize: this.#options.maxBytes,
          // 500 for the key and what an entry costs even when it is small.
          sizeCalculation: ({ bytes }, key) => bytes + key.length + 500,
          ttl: this.#options.ttlMs,
        }),
      };
      this.#shelves.set(noun, shelf);
    }
    return shelf;
  }
}
