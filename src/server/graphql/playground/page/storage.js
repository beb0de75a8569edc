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
