import type { Document, DocumentFilter, DocumentView } from '../../model/document.ts';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import { isFullId } from '../../model/resource.ts';
import type { Page } from '../../model/common.ts';
import { type Caller, Dms, type HttpClient } from '../../rest/index.ts';
import { Watch, type PolledResource, type WatchOptions } from './watch.ts';

export interface LivePage {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly first: number;
}

export class CallerWatches {
  readonly #http: HttpClient;
  readonly #options: WatchOptions;
  readonly #onChange: (change: 1 | -1) => void;
  readonly #documents = new Map<string, Watch<Document>>();
  readonly #pages = new Map<string, Watch<PageState>>();

  constructor(http: HttpClient, options: WatchOptions, onChange: (change: 1 | -1) => void) {
    this.#http = http;
    this.#options = options;
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#documents.size === 0 && this.#pages.size === 0;
  }

  ofDocument(id: string, caller: Caller): Watch<Document> {
    return this.#watch(this.#documents, id, {
      read: (budget) => new Dms(this.#http, caller, budget).documents.get(id, polledRequirements),
      isEqual: (a, b) => versionOf(a) === versionOf(b),
      canBeDeleted: true,
    });
  }

  ofPage({ view, filter, first }: LivePage, caller: Caller): Watch<PageState> {
    const query = { view, filter, page: { first: 0, pageSize: first } };
    return this.#watch(this.#pages, JSON.stringify([view, filter, first]), {
      read: async (budget) => {
        const { documents } = new Dms(this.#http, caller, budget);
        return pageStateOf(await documents.inView(query, polledRequirements));
      },
      isEqual: isSamePage,
      canBeDeleted: false,
    });
  }

  documentWritten(id: string | null): void {
    for (const watch of this.#pages.values()) watch.requestPoll();
    if (id === null) return;
    for (const [watched, watch] of this.#documents) {
      if (mayBeDocument(watch.state?.fullId ?? watched, id)) watch.requestPoll();
    }
  }

  #watch<State>(
    watches: Map<string, Watch<State>>,
    key: string,
    resource: PolledResource<State>,
  ): Watch<State> {
    const known = watches.get(key);
    if (known !== undefined) return known;
    const watch = new Watch(resource, this.#options, () => {
      watches.delete(key);
      this.#onChange(-1);
    });
    watches.set(key, watch);
    this.#onChange(1);
    return watch;
  }
}

/** Whether two IDs can be of the same document. A short ID cannot be compared with a full one. */
function mayBeDocument(id: string, other: string): boolean {
  return id === other || isFullId(id) !== isFullId(other);
}

const polledRequirements: DocumentRequirements = new Set(['meta'] as const);

export interface PageState {
  readonly totalCount: number | null;
  readonly versions: ReadonlyMap<string, string>;
}

export interface PageChange {
  readonly totalCount: number | null;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Returns a text that changes with each write to the document: its revision and the time of the last change. The time
 * is for a DMS that omits the revision. If the DMS omits both, changes are not detected.
 */
export function versionOf({ meta }: Document): string {
  return `${meta?.revision ?? ''} ${meta?.modifiedAt ?? ''}`;
}

function pageStateOf({ items, totalCount }: Page<Document>): PageState {
  return { totalCount, versions: new Map(items.map((one) => [one.fullId, versionOf(one)])) };
}

function isSamePage(a: PageState, b: PageState): boolean {
  if (a.totalCount !== b.totalCount || a.versions.size !== b.versions.size) return false;
  const others = b.versions.entries();
  for (const [id, version] of a.versions) {
    const [otherId, otherVersion] = others.next().value ?? [];
    if (id !== otherId || version !== otherVersion) return false;
  }
  return true;
}

/**
 * Returns the change since the state that a subscriber received last. Null if there is none. A new total count is a
 * change. A new order of the same documents is not.
 */
export function pageChangeBetween(before: PageState | null, now: PageState): PageChange | null {
  const { totalCount, versions } = now;
  if (before === null) return { totalCount, added: [...versions.keys()], changed: [], removed: [] };
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, version] of versions) {
    const known = before.versions.get(id);
    if (known === undefined) added.push(id);
    else if (known !== version) changed.push(id);
  }
  const removed = [...before.versions.keys()].filter((id) => !versions.has(id));
  const isUnchanged = added.length === 0 && changed.length === 0 && removed.length === 0;
  if (isUnchanged && totalCount === before.totalCount) return null;
  return { totalCount, added, changed, removed };
}
