import {
  noRequirements,
  union,
  type DocumentRequirements,
} from '../model/document-requirements.ts';
import type { Document, RecoData } from '../model/document.ts';
import { isFullId } from '../model/id.ts';

/** The known properties of one document, and its pending reads. */
export interface DocumentEntry {
  document: Document | null;
  /** Whether a read without the response did not find the document. Later loads return null without a request. */
  isMissing: boolean;
  known: DocumentRequirements;
  pending: readonly PendingRead[];
  /** A failed read of the response. It is not repeated, because the DMS may have created the response. */
  failedResponse?: Promise<never>;
}

/** A read of a document in progress. */
interface PendingRead {
  readonly requirements: DocumentRequirements;
  /** Resolves with the document, or with null if it does not exist. */
  readonly done: Promise<unknown>;
}

const none: readonly PendingRead[] = [];

/** The entries of one operation, one per document. A short ID and the full ID of its document find the same entry. */
export class DocumentEntries {
  readonly #entries = new Map<string, DocumentEntry>();
  /** By short ID, as far as this operation has read them. */
  readonly #fullIds = new Map<string, string>();

  /** The full ID if it is known, otherwise the given ID. */
  keyOf(id: string): string {
    return this.#fullIds.get(id) ?? id;
  }

  /** Undefined if there is no entry. */
  find(id: string): DocumentEntry | undefined {
    return this.#entries.get(this.keyOf(id));
  }

  /** Returns the entry, or adds one in which nothing is known. */
  findOrAdd(id: string): DocumentEntry {
    const key = this.keyOf(id);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { document: null, isMissing: false, known: noRequirements, pending: none };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** Moves the entry of a short ID to the full ID of the document, and returns the entry of the full ID. */
  moveToFullId(id: string, fullId: string, entry: DocumentEntry): DocumentEntry {
    // An entry that was cleared meanwhile is not added again: it may hold the state before a write.
    if (isFullId(id) || this.#entries.get(id) !== entry) return entry;
    this.#fullIds.set(id, fullId);
    this.#entries.delete(id);
    const existing = this.#entries.get(fullId);
    if (existing !== undefined) return existing;
    this.#entries.set(fullId, entry);
    return entry;
  }

  /** Removes all entries. Reads in progress keep theirs. */
  clear(): void {
    this.#entries.clear();
    this.#fullIds.clear();
  }
}

/** Adds what was read, as a new object: another request may hold the old one, which must not change. */
export function addToEntry(
  entry: DocumentEntry,
  fresh: Document,
  requirements: DocumentRequirements,
): void {
  const before = entry.document;
  entry.document = before === null ? fresh : mergeDocuments(before, fresh);
  entry.isMissing = false;
  entry.known = union(entry.known, requirements);
}

/** Returns a document with what either read returned. The later one counts if both have a property. */
function mergeDocuments(before: Document, fresh: Document): Document {
  const merged = assignKnown(before, fresh);
  const { response, recoData, extra } = before;
  return {
    ...merged,
    ...(response && fresh.response && { response: mergeSame(response, fresh.response) }),
    ...(recoData && fresh.recoData && { recoData: mergeEntries(recoData, fresh.recoData) }),
    ...(extra && fresh.extra && { extra: { ...extra, ...fresh.extra } }),
  };
}

function mergeSame<T extends { readonly fullId: string }>(before: T, fresh: T): T {
  return before.fullId === fresh.fullId ? assignKnown(before, fresh) : fresh;
}

function mergeEntries(before: readonly RecoData[], fresh: readonly RecoData[]): RecoData[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  return fresh.map((entry) => {
    const old = byId.get(entry.id);
    if (old === undefined) return entry;
    const merged = assignKnown(old, entry);
    return old.result && entry.result
      ? { ...merged, result: assignKnown(old.result, entry.result) }
      : merged;
  });
}

/** A copy of `before` with every property that `fresh` has. */
function assignKnown<T extends object>(before: T, fresh: T): T {
  const merged = { ...before };
  for (const key of Object.keys(fresh) as (keyof T)[]) {
    if (fresh[key] !== undefined) merged[key] = fresh[key];
  }
  return merged;
}
