import DataLoader from 'dataloader';
import {
  noRequirements,
  union,
  withoutResponse,
  type DocumentRequirements,
} from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import type { Page } from '../../model/common.ts';
import { missing, type DocumentLoader } from '../../loaders/document-loader.ts';

interface PageRead {
  readonly fullIds: ReadonlySet<string>;
  known: DocumentRequirements;
  ready: Promise<unknown>;
  readonly read: (requirements: DocumentRequirements) => Promise<Page<Document>>;
}

/**
 * Reads further properties of documents that an operation has already read: those that its deferred fragments require.
 * A page of documents is read as a page again, because the DMS has no other call that returns several documents.
 */
export class DocumentPages {
  readonly #loader: DocumentLoader;
  readonly #pages: PageRead[] = [];
  readonly #batch: DataLoader<Wanted, { readonly answer: Promise<Document | null> }>;

  constructor(loader: DocumentLoader) {
    this.#loader = loader;
    this.#batch = new DataLoader(async (wanted) => this.#dispatch(wanted), { cache: false });
  }

  add(
    documents: readonly Document[],
    known: DocumentRequirements,
    read: (requirements: DocumentRequirements) => Promise<Page<Document>>,
  ): void {
    const fullIds = new Set(documents.map(({ fullId }) => fullId));
    this.#pages.push({ fullIds, known, ready: Promise.resolve(), read });
  }

  /**
   * If at least half of the documents of a page lack requirements in the same tick, the page is read again instead of
   * each document. Responses are read with the page if they are required of all its documents, otherwise one by one.
   */
  async load(fullId: string, requirements: DocumentRequirements): Promise<Document | null> {
    const failure = this.#loader.failureFor(fullId, requirements);
    return failure ?? (await this.#batch.load({ fullId, requirements })).answer;
  }

  #dispatch(wanted: readonly Wanted[]) {
    const byId = new Map<string, DocumentRequirements>();
    for (const { fullId, requirements } of wanted) {
      byId.set(fullId, union(byId.get(fullId) ?? noRequirements, requirements));
    }
    const answers = new Map<string, Promise<Document | null>>();
    for (const page of this.#pages) {
      const ids = [...page.fullIds].filter((id) => byId.has(id) && !answers.has(id));
      const unknown = unknownOf(page, ids, byId);
      if (unknown === null) continue;
      const pageRead = this.#readAgain(page, unknown);
      for (const id of ids) answers.set(id, this.#loadAfter(pageRead, id, byId.get(id)!));
    }
    for (const [id, requirements] of byId) {
      if (answers.has(id)) continue;
      answers.set(id, this.#loadAfter(this.#pendingReads(id), id, requirements));
    }
    return wanted.map(({ fullId }) => ({ answer: answers.get(fullId)! }));
  }

  #pendingReads(id: string): Promise<unknown> {
    return Promise.all(
      this.#pages.filter(({ fullIds }) => fullIds.has(id)).map((page) => page.ready),
    );
  }

  async #loadAfter(
    reads: Promise<unknown>,
    id: string,
    requirements: DocumentRequirements,
  ): Promise<Document | null> {
    await reads;
    return this.#loader.load(id, requirements);
  }

  async #readAgain(page: PageRead, unknown: DocumentRequirements): Promise<void> {
    const { known, ready } = page;
    page.known = union(known, unknown);
    const reading = page.read(unknown).then(
      ({ items }) => this.#loader.prime(items, unknown),
      (error: unknown) => {
        page.known = known;
        throw error;
      },
    );
    page.ready = Promise.allSettled([ready, reading]);
    await Promise.all([ready, reading]);
  }
}

function unknownOf(
  { fullIds, known }: PageRead,
  ids: readonly string[],
  wanted: ReadonlyMap<string, DocumentRequirements>,
): DocumentRequirements | null {
  // A read of a response makes the DMS prepare it, so it must not concern documents whose response is not selected.
  const isForAll = [...fullIds].every((id) => wanted.get(id)?.has('response'));
  const lacking = ids
    .map((id) => (isForAll ? wanted.get(id)! : withoutResponse(wanted.get(id)!)))
    .map((requirements) => missing(requirements, known))
    .filter(({ size }) => size > 0);
  if (lacking.length < 2 || lacking.length * 2 < fullIds.size) return null;
  return lacking.reduce(union);
}

interface Wanted {
  readonly fullId: string;
  readonly requirements: DocumentRequirements;
}
