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
  /** The IDs by which subscriptions find the watch. Includes the full ID if the first one used the short ID. */
  readonly ids: string[];
}

/** Maximum number of IDs per watch. Further ones are not stored. */
const maxIds = 8;

/** The watches of one caller. All its subscriptions to the same document or page share one. */
export class CallerWatches {
  readonly #http: HttpClient;
  readonly #options: WatchOptions;
  readonly #onChange: (change: 1 | -1) => void;
  readonly #documents = new Map<string, DocumentWatch>();
  /** By view, filter and number of documents. */
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

  /** @param caller its credentials are used for the polls if this is the first subscription */
  ofDocument(id: string, caller: Caller): Watch<Document> {
    return (this.#documents.get(id) ?? this.#addDocument(id, caller)).watch;
  }

  /** @param caller its credentials are used for the polls if this is the first subscription */
  ofPage(page: LivePage, caller: Caller): Watch<PageState> {
    const key = JSON.stringify([page.view, page.filter, page.first]);
    return this.#pages.get(key) ?? this.#addPage(key, page, caller);
  }

  /** Polls at once what a write may affect. @param id of the written document; null if the write created it */
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

  /** Merges the watches of a short and of the full ID of a document, so that it is polled once. */
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

/**
 * Whether a watch with these IDs may be of the written document. Also true if that is unknown, because a short ID
 * cannot be compared with a full one.
 */
function mayBeDocument(ids: readonly string[], writtenId: string): boolean {
  if (!isFullId(writtenId) || ids.includes(writtenId)) return true;
  return !ids.some(isFullId);
}
