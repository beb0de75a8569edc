import DataLoader from 'dataloader';
import {
  covers,
  noRequirements,
  union,
  withoutResponse,
  type DocumentRequirement,
  type DocumentRequirements,
} from '../model/document-requirements.ts';
import type { Document, RecoData } from '../model/document.ts';
import { isFullId } from '../model/resource.ts';
import { isNotFound, nullIfNotFound } from '../rest/index.ts';

type ReadDocument = (id: string, requirements: DocumentRequirements) => Promise<Document>;

interface LoadRequest {
  readonly id: string;
  readonly requirements: DocumentRequirements;
}

/** The requirements of several load requests by document: by full ID if it is known, otherwise by short ID. */
type MergedRequests = ReadonlyMap<string, DocumentRequirements>;

type Answer = Promise<Document | null>;

export class DocumentLoader {
  readonly #read: ReadDocument;
  readonly #entries = new DocumentEntries();
  /** Batches the loads of one tick. Each load has a promise of its own, so that no load waits for another document. */
  readonly #batch = new DataLoader<LoadRequest, { readonly answer: Answer }>(
    async (requests) => this.#answerAll(requests),
    { cache: false },
  );

  /**
   * @internal
   * @param read costs one upstream request and rejects with `NOT_FOUND` if the document does not exist
   */
  constructor(read: ReadDocument) {
    this.#read = read;
  }

  /**
   * Returns the document with at least the required properties. Null if it does not exist.
   *
   * Loads within one tick are merged into one request per document, whether they use its full or its short ID. A later
   * load costs a request only for properties that are not known yet.
   */
  async load(id: string, requirements: DocumentRequirements): Answer {
    // Failed before loads are merged, so that those without the response succeed.
    const failure = this.failureFor(id, requirements);
    return failure ?? (await this.#batch.load({ id, requirements })).answer;
  }

  /**
   * Rejects if the requirements contain a response that could not be read before. Otherwise undefined.
   *
   * @internal
   */
  failureFor(id: string, requirements: DocumentRequirements): Promise<never> | undefined {
    return requirements.has('response') ? this.#entries.find(id)?.failedResponse : undefined;
  }

  /**
   * Adds documents of a page that was read with the given requirements.
   *
   * @internal
   */
  prime(documents: readonly Document[], requirements: DocumentRequirements): void {
    for (const document of documents) {
      addToEntry(this.#entries.findOrAdd(document.fullId), document, requirements);
    }
  }

  /**
   * Discards everything that was read. Called after a write, which may have changed any document.
   *
   * @internal
   */
  clear(): void {
    this.#entries.clear();
  }

  #answerAll(requests: readonly LoadRequest[]): { readonly answer: Answer }[] {
    const [only] = requests;
    if (requests.length === 1 && only !== undefined) {
      return [{ answer: this.#fetch(this.#entries.keyOf(only.id), only.requirements) }];
    }
    const answers = this.#fetchAll(this.#merge(requests));
    return requests.map(({ id }) => ({ answer: answers.get(this.#entries.keyOf(id))! }));
  }

  #merge(requests: readonly LoadRequest[]): MergedRequests {
    const merged = new Map<string, DocumentRequirements>();
    for (const { id, requirements } of requests) {
      const key = this.#entries.keyOf(id);
      merged.set(key, union(merged.get(key) ?? noRequirements, requirements));
    }
    return merged;
  }

  #fetchAll(merged: MergedRequests): ReadonlyMap<string, Answer> {
    const shortIds = [...merged.keys()].filter((id) => !isFullId(id));
    if (shortIds.length > 0 && shortIds.length < merged.size) {
      return this.#fetchShortIdsFirst(merged, shortIds);
    }
    return new Map([...merged].map(([id, requirements]) => [id, this.#fetch(id, requirements)]));
  }

  /**
   * A short ID can denote a document that is also requested by its full ID, and only the DMS knows. Short IDs are
   * therefore read first, with the requirements of the full IDs added. A full ID that turns out to denote the same
   * document costs no request of its own. `response` is not added, because reading it makes the DMS create a response.
   */
  #fetchShortIdsFirst(
    merged: MergedRequests,
    shortIds: readonly string[],
  ): ReadonlyMap<string, Answer> {
    const byFullId = [...merged].filter(([id]) => isFullId(id));
    const added = withoutResponse(
      byFullId.reduce((all, [, requirements]) => union(all, requirements), noRequirements),
    );
    const answers = new Map<string, Answer>();
    for (const id of shortIds) answers.set(id, this.#fetch(id, union(merged.get(id)!, added)));
    const settled = Promise.allSettled(answers.values());
    for (const [id, requirements] of byFullId) {
      const answer = settled.then(() => this.#fetch(id, requirements));
      answers.set(id, answer);
    }
    return answers;
  }

  #fetch(key: string, requirements: DocumentRequirements): Answer {
    const entry = this.#entries.findOrAdd(key);
    if (entry.document !== null && covers(entry.known, requirements)) {
      return Promise.resolve(entry.document);
    }
    if (entry.isMissing) return Promise.resolve(null);
    const unknown = missing(requirements, entry.known);
    return entry.pending.length === 0
      ? this.#start(key, entry, unknown)
      : this.#wait(key, entry, unknown);
  }

  async #wait(key: string, entry: DocumentEntry, wanted: DocumentRequirements): Answer {
    let unknown = wanted;
    const waits: Promise<unknown>[] = [];
    for (const pendingRead of entry.pending) {
      if (unknown.size > 0 && unknown.isDisjointFrom(pendingRead.requirements)) continue;
      waits.push(pendingRead.done);
      unknown = missing(unknown, pendingRead.requirements);
    }
    if (unknown.size > 0 || waits.length === 0) waits.push(this.#start(key, entry, unknown));
    const results = await Promise.all(waits);
    if (results.includes(null)) return null;
    return this.#entries.find(key)?.document ?? entry.document;
  }

  #start(key: string, entry: DocumentEntry, requirements: DocumentRequirements): Answer {
    const ended = (): void => {
      entry.pending = entry.pending.filter((one) => one !== pendingRead);
    };
    const done = this.#read(key, requirements).then(
      (document) => {
        ended();
        const target = this.#entries.moveToFullId(key, document.fullId, entry);
        addToEntry(target, document, requirements);
        return target.document;
      },
      (error: unknown) => {
        ended();
        const isOfResponse = requirements.has('response');
        // A read of the response does not find the document either if only the response does not exist.
        if (!isOfResponse) entry.isMissing ||= isNotFound(error);
        else if (!isNotFound(error)) keepFailure(entry, error);
        return nullIfNotFound(error);
      },
    );
    const pendingRead = { requirements, done };
    entry.pending = [...entry.pending, pendingRead];
    return done;
  }
}

function keepFailure(entry: DocumentEntry, error: unknown): void {
  entry.failedResponse = Promise.reject(error);
  entry.failedResponse.catch(() => {});
}

interface DocumentEntry {
  document: Document | null;
  isMissing: boolean;
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

class DocumentEntries {
  readonly #entries = new Map<string, DocumentEntry>();
  readonly #fullIds = new Map<string, string>();

  /** The full ID if it is known, otherwise the given ID. */
  keyOf(id: string): string {
    return this.#fullIds.get(id) ?? id;
  }

  find(id: string): DocumentEntry | undefined {
    return this.#entries.get(this.keyOf(id));
  }

  findOrAdd(id: string): DocumentEntry {
    const key = this.keyOf(id);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { document: null, isMissing: false, known: noRequirements, pending: none };
      this.#entries.set(key, entry);
    }
    return entry;
  }

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

  clear(): void {
    this.#entries.clear();
    this.#fullIds.clear();
  }
}

/** Adds what was read, as a new object: another request may hold the old one, which must not change. */
function addToEntry(
  entry: DocumentEntry,
  fresh: Document,
  requirements: DocumentRequirements,
): void {
  const before = entry.document;
  entry.document = before === null ? fresh : mergeDocuments(before, fresh);
  entry.isMissing = false;
  entry.known = union(entry.known, requirements);
}

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

function assignKnown<T extends object>(before: T, fresh: T): T {
  const merged = { ...before };
  for (const key of Object.keys(fresh) as (keyof T)[]) {
    if (fresh[key] !== undefined) merged[key] = fresh[key];
  }
  return merged;
}

export function missing(
  wanted: DocumentRequirements,
  known: DocumentRequirements,
): DocumentRequirements {
  if (wanted === known || wanted.size === 0) return noRequirements;
  if (known.size === 0) return wanted;
  const rest = wanted.difference(known);
  // The DMS returns a property only with the entity that contains it, so the entity is required again. The loop also
  // visits what it adds.
  for (const requirement of rest) {
    const dot = requirement.lastIndexOf('.');
    if (dot > 0) rest.add(requirement.slice(0, dot) as DocumentRequirement);
  }
  return rest;
}
