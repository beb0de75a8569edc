import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Where the query documents are kept that clients register under their hashes. */
export interface RegisteredDocuments {
  /** Resolves with the text that has this SHA-256 hash, in lower-case hexadecimal digits; null if there is none. Never rejects. */
  get(sha256: string): Promise<string | null>;
  /**
   * Keeps a text, as long as there is space. Never rejects.
   *
   * @param sha256 the hash of `text`, verified by the caller of this function
   * @param callerKey key of the `Caller` that registers it
   */
  set(sha256: string, text: string, callerKey: string): Promise<void>;
}

export interface RegisteredDocumentLimits {
  /** Default: 4000. */
  readonly maxDocuments?: number;
  /** Of all texts. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** The part of both limits that one caller can use, above 0 and up to 1. */
  readonly sharePerCaller: number;
}

interface Owner {
  readonly key: string;
  /** In the order of registration. */
  readonly hashes: Set<string>;
  bytes: number;
}

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly owner: Owner;
}

/**
 * Keeps documents in the memory of this process, and drops the least recently used ones first. A caller that has used
 * up its share replaces its own documents: to displace those of the others takes as many callers as there are shares.
 */
export function createRegisteredDocuments({
  maxDocuments = 4000,
  maxBytes = 16 * 2 ** 20,
  sharePerCaller,
}: RegisteredDocumentLimits): RegisteredDocuments {
  const owners = new Map<string, Owner>();
  const documents = new LRUCache<string, Entry>({
    max: maxDocuments,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose({ owner, bytes }, sha256) {
      owner.hashes.delete(sha256);
      owner.bytes -= bytes;
      if (owner.hashes.size === 0) owners.delete(owner.key);
    },
  });
  const maxOwned = Math.max(1, Math.floor(maxDocuments * sharePerCaller));
  const maxOwnedBytes = maxBytes * sharePerCaller;

  return {
    async get(sha256) {
      return documents.get(sha256)?.text ?? null;
    },
    async set(sha256, text, callerKey) {
      const bytes = bytesOf(text);
      if (documents.get(sha256) !== undefined || bytes > maxOwnedBytes) return;
      const key = hash('sha256', callerKey); // it may hold a credential, and be as long as a header
      const owner = owners.get(key) ?? { key, hashes: new Set<string>(), bytes: 0 };
      for (const oldest of owner.hashes) {
        if (owner.hashes.size < maxOwned && owner.bytes + bytes <= maxOwnedBytes) break;
        documents.delete(oldest);
      }
      documents.set(sha256, { text, bytes, owner });
      owner.hashes.add(sha256);
      owner.bytes += bytes;
      owners.set(key, owner);
    },
  };
}

/** What one document takes in memory, about: its text in two bytes a character, its hash, and the entries that hold it. */
function bytesOf(text: string): number {
  return text.length * 2 + 500;
}
