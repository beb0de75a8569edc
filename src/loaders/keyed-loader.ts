import { isNotFound } from '../rest/client/rest-error.ts';

/** Returns null if the error of a read is `NOT_FOUND`. @throws every other error */
export function nullIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}

/** Reads objects by key, each key at most once per operation. Costs one upstream request per key. */
export class KeyedLoader<T> {
  readonly #read: (key: string) => Promise<T>;
  readonly #known = new Map<string, Promise<T | null>>();

  /** @internal */
  constructor(read: (key: string) => Promise<T>) {
    this.#read = read;
  }

  /** Null if there is no such object. A failure rejects all pending loads of the key and is not cached. */
  load(key: string): Promise<T | null> {
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const loading: Promise<T | null> = this.#read(key).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      if (this.#known.get(key) === loading) this.#known.delete(key);
      throw error;
    });
    this.#known.set(key, loading);
    return loading;
  }

  /**
   * Adds a value that was part of another response.
   *
   * @internal
   */
  prime(key: string, value: T): void {
    this.#known.set(key, Promise.resolve(value));
  }

  /**
   * Discards everything that was read.
   *
   * @internal
   */
  clear(): void {
    this.#known.clear();
  }
}
