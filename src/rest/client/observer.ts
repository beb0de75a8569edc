import type { RestErrorCode } from './rest-error.ts';

/** What the HTTP client reports for metrics. No value comes from a client. */
export interface HttpObserver {
  /** A request is about to go out. */
  callStarted(): void;
  /** It ended: with a status, or without one and a code says why. `route` is the path template. */
  callFinished(method: string, route: string, outcome: number | RestErrorCode, ms: number): void;
  /** The number of calls and transfers that wait for a connection changed by this much. */
  waitingChanged(change: number): void;
  /** A call or transfer got no connection: too many were waiting (`full`), or it waited too long (`late`). */
  callRefused(reason: 'full' | 'late'): void;
  /** A call or transfer was not sent, because its caller has used up the calls of this minute. */
  rateLimited(): void;
  /** A read is about to be repeated. `route` is method and path template, such as `GET /api/v2/person/{id}`. */
  retried(route: string): void;
  /** Of the whole DMS: `open` while it counts as away. */
  breakerChanged(state: 'closed' | 'open' | 'halfOpen'): void;
  /** How many endpoints of the DMS have an open circuit now. */
  circuitsChanged(open: number): void;
  /** A read of reference data was answered from memory, from Redis or not; a read joined one that was already under way. */
  cacheRead(outcome: 'hit' | 'redis' | 'miss' | 'shared'): void;
  bytesMoved(direction: 'upload' | 'download', bytes: number): void;
}

const noopObserver: HttpObserver = {
  callStarted() {},
  callFinished() {},
  waitingChanged() {},
  callRefused() {},
  rateLimited() {},
  retried() {},
  breakerChanged() {},
  circuitsChanged() {},
  cacheRead() {},
  bytesMoved() {},
};

export function completeObserver(observer: Partial<HttpObserver>): HttpObserver {
  return { ...noopObserver, ...observer };
}
