import { isNotFound, type Found } from './found.ts';

/** Reads by key: each key at most once in a request, whoever asks. */
export interface PerKey<T> {
  /** Null where there is no such thing. A failure reaches everyone who waits and is then forgotten. */
  load(key: string): Promise<T | null>;
  /** Remembers what came along with another read. */
  prime(key: string, value: T): void;
  /** Forgets everything that was read. */
  clear(): void;
}

/** A PerKey over one upstream read; costs one upstream request per key. */
export function perKey<T>(read: (key: string) => Promise<T>): PerKey<T> {
  const known = new Map<string, Promise<Found<T>>>();
  return {
    load(key) {
      const before = known.get(key);
      if (before !== undefined) return before;
      const loading: Promise<Found<T>> = read(key).catch((error: unknown) => {
        if (isNotFound(error)) return null;
        if (known.get(key) === loading) known.delete(key);
        throw error;
      });
      known.set(key, loading);
      return loading;
    },
    prime(key, value) {
      known.set(key, Promise.resolve(value));
    },
    clear: () => known.clear(),
  };
}
