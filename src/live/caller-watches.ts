import type { Document, DocumentFilter, DocumentView } from '../model/document.ts';
import { isFullId } from '../model/id.ts';
import type { Caller } from '../rest/client/caller.ts';
import type { HttpClient } from '../rest/client/http-client.ts';
import { createDms } from '../rest/dms.ts';
import {
  isSamePage,
  pageStateOf,
  polledRequirements,
  versionOf,
  type PageState,
} from './document-state.ts';
import { Watch, type WatchOptions } from './watch.ts';

/** The first documents of a view. `first`: 1 to 100. */
export interface LivePage {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly first: number;
}

interface DocumentWatch {
  readonly watch: Watch<Document>;
  /** The IDs under which it is found: if it was subscribed to by its short ID, also the full ID. */
  readonly ids: string[];
}

/** Maximum number of IDs per document. Further ones are not remembered. */
const maxIds = 8;

/** The watches of one caller. All its subscribers to a document or a page share one. */
export class CallerWatches {
  readonly #http: HttpClient;
  readonly #options: WatchOptions;
  readonly #onChange: (change: 1 | -1) => void;
  readonly #documents = new Map<string, DocumentWatch>();
  /** By view, filter and length. */
  readonly #pages = new Map<string, Watch<PageState>>();

  /** @param onChange called after the number of watches has changed */
  constructor(http: HttpClient, options: WatchOptions, onChange: (change: 1 | -1) => void) {
    this.#http = http;
    this.#options = options;
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#documents.size === 0 && this.#pages.size === 0;
  }

  /** @param caller the credentials of the polls if this is the first subscriber */
  ofDocument(id: string, caller: Caller): Watch<Document> {
    return (this.#documents.get(id) ?? this.#addDocument(id, caller)).watch;
  }

  /** @param caller the credentials of the polls if this is the first subscriber */
  ofPage(page: LivePage, caller: Caller): Watch<PageState> {
    const key = JSON.stringify([page.view, page.filter, page.first]);
    return this.#pages.get(key) ?? this.#addPage(key, page, caller);
  }

  /** Polls at once what a write to a document may affect. Null: a new document. */
  documentWritten(id: string | null): void {
    for (const watch of this.#pages.values()) watch.requestPoll();
    if (id === null) return;
    for (const { watch, ids } of new Set(this.#documents.values())) {
      if (mayBeDocument(ids, id)) watch.requestPoll();
    }
  }

  #addDocument(id: string, caller: Caller): DocumentWatch {
    const watch = new Watch<Document>(
      {
        read: (budget) =>
          createDms(this.#http, caller, budget).documents.get(id, polledRequirements),
        isEqual: (a, b) => versionOf(a) === versionOf(b),
        canBeDeleted: true,
      },
      this.#options,
      {
        onFirstState: ({ fullId }) => this.#addFullId(own, fullId),
        onIdle: () => {
          for (const each of own.ids) this.#documents.delete(each);
          this.#onChange(-1);
        },
      },
    );
    const own: DocumentWatch = { watch, ids: [id] };
    this.#documents.set(id, own);
    this.#onChange(1);
    return own;
  }

  /** A document that was subscribed to by a short ID and by its full one is polled once, from the first answer on. */
  #addFullId(own: DocumentWatch, fullId: string): void {
    const other = this.#documents.get(fullId);
    if (other === own) return;
    if (other === undefined) {
      own.ids.push(fullId);
      this.#documents.set(fullId, own);
      return;
    }
    for (const each of own.ids.splice(0)) {
      this.#documents.delete(each);
      if (other.ids.length === maxIds) continue;
      this.#documents.set(each, other);
      other.ids.push(each);
    }
    own.watch.mergeInto(other.watch);
  }

  #addPage(key: string, { view, filter, first }: LivePage, caller: Caller): Watch<PageState> {
    const query = { view, filter, page: { first: 0, pageSize: first } };
    const watch = new Watch<PageState>(
      {
        read: async (budget) => {
          const { documents } = createDms(this.#http, caller, budget);
          return pageStateOf(await documents.inView(query, polledRequirements));
        },
        isEqual: isSamePage,
        canBeDeleted: false,
      },
      this.#options,
      {
        onFirstState: () => {},
        onIdle: () => {
          this.#pages.delete(key);
          this.#onChange(-1);
        },
      },
    );
    this.#pages.set(key, watch);
    this.#onChange(1);
    return watch;
  }
}

/** Whether a write to a document may be seen by the watch of these IDs: short and full IDs are not comparable. */
function mayBeDocument(ids: readonly string[], writtenId: string): boolean {
  if (!isFullId(writtenId) || ids.includes(writtenId)) return true;
  return !ids.some(isFullId);
}
