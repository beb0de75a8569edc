import type { Document, DocumentFilter, DocumentView } from '../model/document.ts';
import { isFullId } from '../model/id.ts';
import type { CallTracing } from '../rest/client/call-tracing.ts';
import type { Caller } from '../rest/client/caller.ts';
import { callerDigest, type DocumentWrite } from '../rest/client/document-write.ts';
import type { HttpClient } from '../rest/client/http-client.ts';
import { createDms, type Dms } from '../rest/dms.ts';
import type { RequestBudget } from '../rest/client/resilience/request-budget.ts';
import { systemClock, type LiveClock } from './clock.ts';
import {
  isSamePage,
  pageChangeBetween,
  pageStateOf,
  polledRequirements,
  versionOf,
  type PageChange,
  type PageState,
} from './document-state.ts';
import { EventStream } from './event-stream.ts';
import type { LiveEvent } from './live-event.ts';
import { Watch, type PolledResource } from './watch.ts';

/** How often watched resources are polled, and how many subscriptions are allowed. */
export interface LiveOptions {
  /** Milliseconds between two polls of one resource. */
  readonly livePollMs: number;
  /** Milliseconds for one poll. */
  readonly timeoutMs: number;
  /** Maximum number of subscriptions of one caller. */
  readonly maxSubscriptions: number;
  /** Records the polls in traces. Default null. */
  readonly tracing?: CallTracing | null;
  /** Default: the system's timers. */
  readonly clock?: LiveClock;
}

/** Receives what changed in number, for metrics. */
export interface LiveObserver {
  subscriptionsChanged(change: 1 | -1): void;
  watchesChanged(change: 1 | -1): void;
}

/** The first documents of a view. `first`: 1 to 100. */
export interface LivePage {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly first: number;
}

/** What one caller can watch. The streams start with the current state and end only if access is lost. */
export interface LiveDocuments {
  /**
   * A document by full or short id, with `meta` as the only property: now, and after each new revision. Ends with an
   * error, `NOT_FOUND` if the document does not exist (any more).
   */
  document(id: string): AsyncIterable<LiveEvent<Document>>;
  /** What changes among the first documents of a view; in the first event all of them are added. */
  page(page: LivePage): AsyncIterable<LiveEvent<PageChange>>;
}

/** Why a subscription is rejected: the limit that it would exceed. */
export type ExceededLimit = 'caller' | 'process';

/** Polls the DMS for subscriptions. One for the whole process. */
export interface Live {
  /** Counts a subscription of this caller. @returns gives the place back; or which limit is reached */
  reserve(caller: Caller): (() => void) | ExceededLimit;
  documentsFor(caller: Caller): LiveDocuments;
  /**
   * Polls the watches of the caller that a write may affect, at once. For writes of this process, of other workers, and
   * of other replicas.
   */
  documentWritten(write: DocumentWrite): void;
}

/** Maximum number of subscriptions of one process. */
export const maxProcessSubscriptions = 2000;

interface CallerWatches {
  subscriptions: number;
  readonly watches: Map<string, AnyWatch>;
}

interface AnyWatch {
  readonly watch: unknown;
  /** The keys under which it is found: of a document that was subscribed to by its short id, also that of its full id. */
  readonly keys: string[];
  readonly requestPoll: () => void;
  /** Whether a write to this document (null: a new one) can be seen by the watch. */
  readonly isAffectedBy: (documentId: string | null) => boolean;
}

const documentKey = (id: string): string => `document ${id}`;
/** Per watch: ids by which the DMS finds the same document; further ones are not remembered. */
const maxKeys = 8;

const noWatches: Pick<CallerWatches, 'watches'> = { watches: new Map() };

/** Creates the watches of all callers of this process. Nothing is polled until the first subscription. */
export function createLive(
  http: HttpClient,
  options: LiveOptions,
  observer: LiveObserver = { subscriptionsChanged() {}, watchesChanged() {} },
): Live {
  const { livePollMs, timeoutMs, maxSubscriptions, tracing = null, clock = systemClock } = options;
  const watchOptions = { intervalMs: livePollMs, timeoutMs, tracing, clock };
  const callers = new Map<string, CallerWatches>();
  let subscriptions = 0;

  const entryFor = (digest: string): CallerWatches => {
    let entry = callers.get(digest);
    if (entry === undefined) {
      entry = { subscriptions: 0, watches: new Map() };
      callers.set(digest, entry);
    }
    return entry;
  };
  const removeIfUnused = (digest: string, entry: CallerWatches): void => {
    if (entry.subscriptions === 0 && entry.watches.size === 0) callers.delete(digest);
  };

  /** The watch under this key; all subscribers of one caller share it. `onFirstState`: see `WatchListeners`. */
  const watchFor = <State>(
    caller: Caller,
    key: string,
    resource: Omit<PolledResource<State>, 'read'> & { readonly read: (dms: Dms) => Promise<State> },
    isAffectedBy: (keys: readonly string[], documentId: string | null) => boolean,
    onFirstState: (watches: CallerWatches['watches'], own: AnyWatch, state: State) => void,
  ): Watch<State> => {
    const digest = callerDigest(caller);
    const entry = entryFor(digest);
    const existing = entry.watches.get(key);
    // One key always stands for one type of state.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (existing !== undefined) return existing.watch as Watch<State>;
    const read = (budget: RequestBudget): Promise<State> =>
      resource.read(createDms(http, caller, budget));
    const watch = new Watch<State>({ ...resource, read }, watchOptions, {
      onFirstState: (state) => onFirstState(entry.watches, own, state),
      onIdle() {
        observer.watchesChanged(-1);
        for (const each of own.keys) entry.watches.delete(each);
        removeIfUnused(digest, entry);
      },
    });
    const own: AnyWatch = {
      watch,
      keys: [key],
      requestPoll: () => watch.requestPoll(),
      isAffectedBy: (documentId) => isAffectedBy(own.keys, documentId),
    };
    entry.watches.set(key, own);
    observer.watchesChanged(1);
    return watch;
  };

  return {
    reserve(caller) {
      const digest = callerDigest(caller);
      if (subscriptions >= maxProcessSubscriptions) return 'process';
      if ((callers.get(digest)?.subscriptions ?? 0) >= maxSubscriptions) return 'caller';
      const entry = entryFor(digest);
      entry.subscriptions += 1;
      subscriptions += 1;
      observer.subscriptionsChanged(1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        entry.subscriptions -= 1;
        subscriptions -= 1;
        observer.subscriptionsChanged(-1);
        removeIfUnused(digest, entry);
      };
    },

    documentsFor: (caller) => ({
      document(id) {
        const resource = {
          read: (dms: Dms) => dms.documents.get(id, polledRequirements),
          isEqual: (a: Document, b: Document) => versionOf(a) === versionOf(b),
        };
        const watch = watchFor(caller, documentKey(id), resource, mayBeDocument, addFullId);
        return new EventStream(watch, (_before, now) => now);
      },
      page({ view, filter, first }) {
        const key = `page ${JSON.stringify([view, filter, first])}`;
        const query = { view, filter, page: { first: 0, pageSize: first } };
        const resource = {
          read: async (dms: Dms) =>
            pageStateOf(await dms.documents.inView(query, polledRequirements)),
          isEqual: isSamePage,
        };
        const watch = watchFor<PageState>(
          caller,
          key,
          resource,
          () => true,
          () => {},
        );
        return new EventStream(watch, pageChangeBetween);
      },
    }),

    documentWritten({ caller, documentId }) {
      const { watches } = callers.get(caller) ?? noWatches;
      for (const { isAffectedBy, requestPoll } of new Set(watches.values())) {
        if (isAffectedBy(documentId)) requestPoll();
      }
    },
  };
}

/** Whether a write to a document may be seen by the watch under these keys: short and full ids are not comparable. */
function mayBeDocument(keys: readonly string[], documentId: string | null): boolean {
  if (documentId === null) return false;
  if (!isFullId(documentId) || keys.includes(documentKey(documentId))) return true;
  return !keys.some((key) => isFullId(key.slice(documentKey('').length)));
}

/** A document that was subscribed to by a short id and by its full one is polled once, from the first answer on. */
function addFullId(watches: CallerWatches['watches'], own: AnyWatch, { fullId }: Document): void {
  const key = documentKey(fullId);
  const other = watches.get(key);
  if (other === own) return;
  if (other === undefined) {
    own.keys.push(key);
    watches.set(key, own);
    return;
  }
  for (const each of own.keys.splice(0)) {
    watches.delete(each);
    if (other.keys.length === maxKeys) continue;
    watches.set(each, other);
    other.keys.push(each);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both are watches of documents, by their keys
  (own.watch as Watch<Document>).mergeInto(other.watch as Watch<Document>);
}
