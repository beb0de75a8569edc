import DataLoader from 'dataloader';
import type { DocumentRequirement, DocumentRequirements } from '../model/document-requirements.ts';
import type { Document, RecoData } from '../model/document.ts';
import { nullIfNotFound } from './nullable.ts';
import { isFullId } from '../model/id.ts';
import { covers, missing, noRequirements, union } from './requirement-set.ts';

/** Reads documents by id, each as deep as was asked for. */
export interface DocumentLoader {
  /**
   * The document with at least the needed properties; null where there is none.
   *
   * All that is asked for within one tick becomes one request per document, whichever id it is asked by;
   * a later ask costs a request only for what is still unknown.
   */
  load(id: string, requirements: DocumentRequirements): Promise<Document | null>;
  /** Remembers documents that came with a page and were read with the given requirements. */
  prime(documents: readonly Document[], requirements: DocumentRequirements): void;
  /** Forgets everything that was read: after a write it may no longer be true. */
  clear(): void;
}

interface LoadRequest {
  readonly id: string;
  readonly requirements: DocumentRequirements;
}

/** What is known of one document, and what is on its way. */
interface Entry {
  document: Document | null;
  known: DocumentRequirements;
  pending: readonly PendingRead[];
}

interface PendingRead {
  readonly requirements: DocumentRequirements;
  readonly done: Promise<unknown>;
}

const none: readonly PendingRead[] = [];

export function createDocumentLoader(
  read: (id: string, requirements: DocumentRequirements) => Promise<Document>,
): DocumentLoader {
  let entries = new Map<string, Entry>();
  let fullIds = new Map<string, string>(); // by short id, as far as this request has learned them

  /** Collects the asks of one tick. Each is answered by a promise of its own, so that none waits for another. */
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
   * A short id may name a document that is also asked for by its full id, and only the DMS knows. So the
   * short ids go first and carry the requirements of the full ones; a full id that turns out to be one of them
   * costs no call of its own. A response is never asked for on suspicion: asking makes the DMS create one.
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

  /** What others are reading already is waited for, and what is still unknown then is read beside it. */
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
        return nullIfNotFound(error);
      },
    );
    const pendingRead = { requirements, done };
    entry.pending = [...entry.pending, pendingRead];
    return done;
  }

  /** The entry that a document read by a short id belongs to: that of its full id, from now on. */
  function adopt(id: string, fullId: string, entry: Entry): Entry {
    // An entry that was forgotten meanwhile stays apart, or it would bring back what a write made untrue.
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

  return {
    load: async (id, requirements) => (await batch.load({ id, requirements })).answer,
    prime(documents, requirements) {
      for (const document of documents) merge(entryOf(document.fullId), document, requirements);
    },
    clear() {
      entries = new Map();
      fullIds = new Map();
    },
  };
}

function withoutResponse(requirements: DocumentRequirements): DocumentRequirements {
  if (!requirements.has('response')) return requirements;
  const rest = new Set<DocumentRequirement>();
  for (const requirement of requirements)
    if (requirement !== 'response' && !requirement.startsWith('response.')) rest.add(requirement);
  return rest;
}

/** Adds what was read, as a new object: whoever holds the old one, maybe another request, keeps it as it was. */
function merge(entry: Entry, fresh: Document, requirements: DocumentRequirements): void {
  const before = entry.document;
  entry.document = before === null ? fresh : mergeDocuments(before, fresh);
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

/** The old object with every property that the fresh one knows. */
function assignKnown<T extends object>(before: T, fresh: T): T {
  const merged = { ...before };
  for (const key of Object.keys(fresh) as (keyof T)[]) {
    if (fresh[key] !== undefined) merged[key] = fresh[key];
  }
  return merged;
}
