import DataLoader from 'dataloader';
import type { DocumentRequirements } from '../model/document-requirements.ts';
import type { Document } from '../model/document.ts';
import type { Page } from '../model/page.ts';
import type { DocumentLoader } from './document-loader.ts';
import { missing, noRequirements, union } from './requirement-set.ts';

interface PageRead {
  readonly fullIds: ReadonlySet<string>;
  /** What is known of its documents, or being read. */
  known: DocumentRequirements;
  /** Settles with the reads that are under way; never rejects. */
  ready: Promise<unknown>;
  readonly read: (requirements: DocumentRequirements) => Promise<Page<Document>>;
}

/**
 * Reads more of documents that an operation holds already: what its deferred fragments require. Documents that came with
 * a page are read with that page again, since the DMS has no other call that returns many.
 */
export class DocumentPages {
  readonly #loader: DocumentLoader;
  readonly #pages: PageRead[] = [];
  readonly #batch: DataLoader<Wanted, { readonly answer: Promise<Document | null> }>;

  constructor(loader: DocumentLoader) {
    this.#loader = loader;
    this.#batch = new DataLoader(async (wanted) => this.#dispatch(wanted), { cache: false });
  }

  /** Remembers a page of documents that were read with the given requirements, and how to read it again. */
  add(
    documents: readonly Document[],
    known: DocumentRequirements,
    read: (requirements: DocumentRequirements) => Promise<Page<Document>>,
  ): void {
    const fullIds = new Set(documents.map(({ fullId }) => fullId));
    this.#pages.push({ fullIds, known, ready: Promise.resolve(), read });
  }

  /**
   * The document with at least the given requirements; null if it does not exist any more. Costs nothing if they are
   * known. Otherwise costs one request for a page if at least half of its documents are asked for in one tick, and one
   * for each document that is not in the page any more; else one for each document.
   */
  async load(fullId: string, requirements: DocumentRequirements): Promise<Document | null> {
    return (await this.#batch.load({ fullId, requirements })).answer;
  }

  #dispatch(wanted: readonly Wanted[]) {
    const byId = new Map<string, DocumentRequirements>();
    for (const { fullId, requirements } of wanted) {
      byId.set(fullId, union(byId.get(fullId) ?? noRequirements, requirements));
    }
    const answers = new Map<string, Promise<Document | null>>();
    for (const page of this.#pages) {
      const ids = [...page.fullIds].filter((id) => byId.has(id) && !answers.has(id));
      if (ids.length < 2 || ids.length * 2 < page.fullIds.size) continue;
      const all = ids.map((id) => byId.get(id)!).reduce(union, noRequirements);
      const pageRead = this.#readAgain(page, missing(all, page.known));
      for (const id of ids) {
        const answer = pageRead.then(() => this.#loader.load(id, byId.get(id)!));
        answers.set(id, answer);
      }
    }
    for (const [id, requirements] of byId) {
      if (!answers.has(id)) answers.set(id, this.#loader.load(id, requirements));
    }
    return wanted.map(({ fullId }) => ({ answer: answers.get(fullId)! }));
  }

  async #readAgain(page: PageRead, unknown: DocumentRequirements): Promise<void> {
    const { known, ready } = page;
    if (unknown.size === 0) {
      await ready;
      return;
    }
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

interface Wanted {
  readonly fullId: string;
  readonly requirements: DocumentRequirements;
}
