import DataLoader from 'dataloader';
import type { DocumentRequirements } from '../model/document-requirements.ts';
import type { Document } from '../model/document.ts';
import { isNotFound } from '../rest/client/rest-error.ts';
import { mergeDocuments } from './merge-documents.ts';
import { nullIfNotFound } from './nullable.ts';
import { isFullId } from '../model/id.ts';
import { covers, missing, noRequirements, union, withoutResponse } from './requirement-set.ts';

/** Reads documents by ID, each with the properties that its fields require. */
export interface DocumentLoader {
  /**
   * Returns the document with at least the required properties. Null if it does not exist.
   *
   * Loads within one tick are merged into one request per document, whether they use its full or its short ID. A later
   * load costs a request only for properties that are not known yet.
   */
  load(id: string, requirements: DocumentRequirements): Promise<Document | null>;
  /** Rejects if the requirements contain a response that could not be read before. Otherwise undefined. */
  failureFor(id: string, requirements: DocumentRequirements): Promise<never> | undefined;
  /** Adds documents of a page that was read with the given requirements. */
  prime(documents: readonly Document[], requirements: DocumentRequirements): void;
  /** Discards everything that was read. Called after a write, which may have changed any document. */
  clear(): void;
}

interface LoadRequest {
  readonly id: string;
  readonly requirements: DocumentRequirements;
}

/** The known properties of one document, and its pending reads. */
interface Entry {
  document: Document | null;
  known: DocumentRequirements;
  pending: readonly PendingRead[];
  /** A failed read of the response. It is not repeated, because the DMS may have created the response. */
  failedResponse?: Promise<never>;
}

interface PendingRead {
  readonly requirements: DocumentRequirements;
  readonly done: Promise<unknown>;
}

const none: readonly PendingRead[] = [];

/**
 * Creates the document loader of one operation.
 *
 * @param read costs one upstream request and rejects with `NOT_FOUND` if the document does not exist
 */
export function createDocumentLoader(
  read: (id: string, requirements: DocumentRequirements) => Promise<Document>,
): DocumentLoader {
  let entries = new Map<string, Entry>();
  let fullIds = new Map<string, string>(); // by short ID, as far as this operation has read them

  /** Batches the loads of one tick. Each load has a promise of its own, so that no load waits for another document. */
  const batch = new DataLoader<LoadRequest, { readonly answer: Promise<Document | null> }>(
    async (requests) => dispatch(requests),
    { cache: false },
  );

  function dispatch(requests: readonly LoadRequest[]) {
    const [only] = requests;
    if (requests.length === 1 && only !== undefined)
      return [{ answer: fetch(only.id, only.requirements) }];
    const wanted = new Map<string, DocumentRequirements>();
    for (const { id, requirements } of requests) {
      const key = fullIds.get(id) ?? id;
      wanted.set(key, union(wanted.get(key) ?? noRequirements, requirements));
    }
    const answers = new Map<string, Promise<Document | null>>();
    const shortIds = [...wanted.keys()].filter((id) => !isFullId(id));
    if (shortIds.length > 0 && shortIds.length < wanted.size) {
      dispatchMixed(wanted, shortIds, answers);
    } else {
      for (const [id, requirements] of wanted) answers.set(id, fetch(id, requirements));
    }
    return requests.map(({ id }) => ({ answer: answers.get(fullIds.get(id) ?? id)! }));
  }

  /**
   * A short ID can denote a document that is also requested by its full ID, and only the DMS knows. Short IDs are
   * therefore read first, with the requirements of the full IDs added. A full ID that turns out to denote the same
   * document costs no request of its own. `response` is not added, because reading it makes the DMS create a response.
   */
  function dispatchMixed(
    wanted: ReadonlyMap<string, DocumentRequirements>,
    shortIds: readonly string[],
    answers: Map<string, Promise<Document | null>>,
  ): void {
    let shared = noRequirements;
    for (const [id, requirements] of wanted) if (isFullId(id)) shared = union(shared, requirements);
    const withoutSideEffects = withoutResponse(shared);
    for (const id of shortIds)
      answers.set(id, fetch(id, union(wanted.get(id)!, withoutSideEffects)));
    const settled = Promise.allSettled(shortIds.map((id) => answers.get(id)!));
    for (const [id, requirements] of wanted) {
      if (isFullId(id))
        answers.set(
          id,
          settled.then(() => fetch(id, requirements)),
        );
    }
  }

  function fetch(id: string, requirements: DocumentRequirements): Promise<Document | null> {
    const key = fullIds.get(id) ?? id;
    const entry = entryOf(key);
    if (entry.document !== null && covers(entry.known, requirements))
      return Promise.resolve(entry.document);
    const unknown = missing(requirements, entry.known);
    return entry.pending.length === 0 ? start(key, entry, unknown) : wait(key, entry, unknown);
  }

  /** Waits for pending reads that cover some of the required properties, and reads the remaining ones in parallel. */
  async function wait(
    id: string,
    entry: Entry,
    wanted: DocumentRequirements,
  ): Promise<Document | null> {
    let unknown = wanted;
    const waits: Promise<unknown>[] = [];
    for (const pendingRead of entry.pending) {
      if (unknown.size > 0 && unknown.isDisjointFrom(pendingRead.requirements)) continue;
      waits.push(pendingRead.done);
      unknown = missing(unknown, pendingRead.requirements);
    }
    if (unknown.size > 0 || waits.length === 0) waits.push(start(id, entry, unknown));
    const results = await Promise.all(waits);
    return results.includes(null) ? null : current(id, entry);
  }

  function start(
    id: string,
    entry: Entry,
    requirements: DocumentRequirements,
  ): Promise<Document | null> {
    const ended = (): void => {
      entry.pending = entry.pending.filter((one) => one !== pendingRead);
    };
    const done = read(id, requirements).then(
      (document) => {
        ended();
        const target = adopt(id, document.fullId, entry);
        merge(target, document, requirements);
        return target.document;
      },
      (error: unknown) => {
        ended();
        if (requirements.has('response') && !isNotFound(error)) {
          entry.failedResponse = Promise.reject(error);
          entry.failedResponse.catch(() => {});
        }
        return nullIfNotFound(error);
      },
    );
    const pendingRead = { requirements, done };
    entry.pending = [...entry.pending, pendingRead];
    return done;
  }

  /** Moves the entry of a short ID to the full ID of the document, and returns the entry of the full ID. */
  function adopt(id: string, fullId: string, entry: Entry): Entry {
    // An entry that was cleared meanwhile is not added again: it may hold the state before a write.
    if (isFullId(id) || entries.get(id) !== entry) return entry;
    fullIds.set(id, fullId);
    entries.delete(id);
    const existing = entries.get(fullId);
    if (existing !== undefined) return existing;
    entries.set(fullId, entry);
    return entry;
  }

  function current(id: string, entry: Entry): Document | null {
    return entries.get(fullIds.get(id) ?? id)?.document ?? entry.document;
  }

  function entryOf(id: string): Entry {
    let entry = entries.get(id);
    if (entry === undefined) {
      entry = { document: null, known: noRequirements, pending: none };
      entries.set(id, entry);
    }
    return entry;
  }

  function failureFor(id: string, requirements: DocumentRequirements): Promise<never> | undefined {
    if (!requirements.has('response')) return undefined;
    return entries.get(fullIds.get(id) ?? id)?.failedResponse;
  }

  return {
    // Failed before loads are merged, so that those without the response succeed.
    load: async (id, requirements) =>
      failureFor(id, requirements) ?? (await batch.load({ id, requirements })).answer,
    failureFor,
    prime(documents, requirements) {
      for (const document of documents) merge(entryOf(document.fullId), document, requirements);
    },
    clear() {
      entries = new Map();
      fullIds = new Map();
    },
  };
}

/** Adds what was read, as a new object: another request may hold the old one, which must not change. */
function merge(entry: Entry, fresh: Document, requirements: DocumentRequirements): void {
  const before = entry.document;
  entry.document = before === null ? fresh : mergeDocuments(before, fresh);
  entry.known = union(entry.known, requirements);
}
