/**
 * Replaces `localStorage` with an empty storage in memory if the browser blocks it. GraphiQL does not render without a
 * storage. Queries are then kept until the page is left.
 */
export function replaceBlockedStorage() {
  try {
    void window.localStorage.length;
  } catch {
    Object.defineProperty(window, 'localStorage', { value: createStorage() });
  }
}

/** @returns {Storage} */
function createStorage() {
  /** @type {Map<string, string>} */
  const items = new Map();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}

const schemaKey = 'playground:schema';

/**
 * Returns the stored result by which GraphiQL reads the schema. Undefined if there is none for this schema.
 *
 * @param {string | null} hash of the schema
 * @returns {import('./fetcher.js').Result | undefined}
 */
export function storedSchema(hash) {
  const text = localStorage.getItem(schemaKey);
  if (hash === null || text === null) return undefined;
  const stored = /** @type {{ hash: string, result: object }} */ (JSON.parse(text));
  return stored.hash === hash ? stored.result : undefined;
}

/**
 * Stores the result by which GraphiQL reads the schema.
 *
 * @param {string | null} hash of the schema; null: nothing is stored
 * @param {import('./fetcher.js').Result} result
 */
export function storeSchema(hash, result) {
  if (hash === null || result.errors !== undefined) return;
  try {
    localStorage.setItem(schemaKey, JSON.stringify({ hash, result }));
  } catch {
    // The storage is full. The schema is read again on the next visit.
  }
}
