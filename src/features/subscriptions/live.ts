import type { Document } from '../../model/document.ts';
import {
  type Caller,
  callerDigest,
  type CallObserver,
  type DocumentWrite,
  type HttpClient,
  userKeyOf,
} from '../../rest/index.ts';
import {
  CallerWatches,
  pageChangeBetween,
  type LivePage,
  type PageChange,
} from './caller-watches.ts';
import { EventStream, type LiveEvent } from './event-stream.ts';
import { systemClock, type LiveClock, type WatchOptions } from './watch.ts';

export interface LiveOptions {
  readonly livePollMs: number;
  readonly timeoutMs: number;
  readonly maxSubscriptions: number;
  readonly callObserver?: CallObserver | null;
  readonly clock?: LiveClock;
}

export interface LiveObserver {
  subscriptionsChanged(change: 1 | -1): void;
  watchesChanged(change: 1 | -1): void;
}

export interface LiveDocuments {
  /**
   * Watches a document by its full or short ID. Each event contains the document with `meta` as the only property. The
   * first event follows the first poll, and the others follow each new revision. Ends with an error: `NOT_FOUND` if the
   * document does not exist or was deleted.
   */
  document(id: string): AsyncIterable<LiveEvent<Document>>;
  page(page: LivePage): AsyncIterable<LiveEvent<PageChange>>;
}

export const liveDocuments = new WeakMap<object, LiveDocuments>();

/** Why a subscription is rejected: the limit that it would exceed. */
export type ExceededLimit = 'caller' | 'process';

export const maxProcessSubscriptions = 2000;

interface CallerEntry {
  subscriptions: number;
  readonly watches: CallerWatches;
}

export class Live {
  readonly #http: HttpClient;
  readonly #maxSubscriptions: number;
  readonly #watchOptions: WatchOptions;
  readonly #observer: LiveObserver;
  readonly #callers = new Map<string, CallerEntry>();
  #subscriptions = 0;

  constructor(
    http: HttpClient,
    options: LiveOptions,
    observer: LiveObserver = { subscriptionsChanged() {}, watchesChanged() {} },
  ) {
    const {
      livePollMs,
      timeoutMs,
      maxSubscriptions,
      callObserver = null,
      clock = systemClock,
    } = options;
    this.#http = http;
    this.#maxSubscriptions = maxSubscriptions;
    this.#watchOptions = { intervalMs: livePollMs, timeoutMs, callObserver, clock };
    this.#observer = observer;
  }

  reserve(caller: Caller): (() => void) | ExceededLimit {
    const digest = callerDigest({ key: userKeyOf(caller) });
    if (this.#subscriptions >= maxProcessSubscriptions) return 'process';
    const used = this.#callers.get(digest)?.subscriptions ?? 0;
    if (used >= this.#maxSubscriptions) return 'caller';
    const entry = this.#entryFor(digest);
    this.#countSubscription(entry, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#countSubscription(entry, -1);
      this.#removeIfUnused(digest, entry);
    };
  }

  documentsFor(caller: Caller): LiveDocuments {
    const watches = (): CallerWatches => this.#entryFor(callerDigest(caller)).watches;
    return {
      document: (id) =>
        new EventStream(watches().ofDocument(id, caller), (_before, now) => now).events,
      page: (page) => new EventStream(watches().ofPage(page, caller), pageChangeBetween).events,
    };
  }

  /**
   * Polls the watches of the caller that a write may affect, at once. For writes of this process, of other workers, and
   * of other replicas.
   */
  readonly documentWritten = (written: DocumentWrite): void => {
    if (this.#callers.size === 0) return; // nearly always, and the digest need not be computed
    this.#callers.get(written.caller)?.watches.documentWritten(written.documentId);
  };

  #entryFor(digest: string): CallerEntry {
    return this.#callers.get(digest) ?? this.#addEntry(digest);
  }

  #addEntry(digest: string): CallerEntry {
    const watches = new CallerWatches(this.#http, this.#watchOptions, (change) => {
      this.#observer.watchesChanged(change);
      this.#removeIfUnused(digest, entry);
    });
    const entry: CallerEntry = { subscriptions: 0, watches };
    this.#callers.set(digest, entry);
    return entry;
  }

  #countSubscription(entry: CallerEntry, change: 1 | -1): void {
    entry.subscriptions += change;
    this.#subscriptions += change;
    this.#observer.subscriptionsChanged(change);
  }

  #removeIfUnused(digest: string, { subscriptions, watches }: CallerEntry): void {
    if (subscriptions === 0 && watches.isEmpty) this.#callers.delete(digest);
  }
}
