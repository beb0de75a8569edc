type StorageName = 'localStorage' | 'sessionStorage';

/** Returns what the browser remembers. Null if there is nothing, or if the browser blocks the storage. */
export function readStorage(storage: StorageName, key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null; // even reading the property can throw
  }
}

/** Remembers a value, or with null forgets it. Without effect if the storage is blocked or full. */
export function writeStorage(storage: StorageName, key: string, value: string | null): void {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    // What was written holds until the page is loaded again.
  }
}
