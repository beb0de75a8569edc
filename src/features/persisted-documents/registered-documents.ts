import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface RegisteredDocumentLimits {
  readonly maxDocuments?: number;
  readonly maxBytes?: number;
  readonly sharePerCaller: number;
}

export type RegisteredDocuments = ReturnType<typeof createRegisteredDocuments>;

interface Owner {
  readonly key: string;
  readonly hashes: Set<string>;
  bytes: number;
}

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly owner: Owner;
}

/**
 * Stores query documents that clients register under their hashes, in the memory of this process, and drops the least
 * recently used ones first. A caller that has used up its share replaces its own documents, so that one caller cannot
 * displace those of the others.
 */
export function createRegisteredDocuments({
  maxDocuments = 4000,
  maxBytes = 16 * 2 ** 20,
  sharePerCaller,
}: RegisteredDocumentLimits) {
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
    get: (sha256: string): string | null => documents.get(sha256)?.text ?? null,
    set(sha256: string, text: string, callerKey: string): void {
      const bytes = text.length * 2 + 500; // approximately: two bytes per character, the hash and the entries
      if (documents.get(sha256) !== undefined || bytes > maxOwnedBytes) return;
      const key = hash('sha256', callerKey); // it can contain a credential and be as long as a header
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
