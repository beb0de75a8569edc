import type { RestErrorCode } from '../../model/error-codes.ts';

/**
 * Receives the events that the metrics count. No argument contains client input, so the number of label values is
 * bounded.
 */
export interface HttpObserver {
  /** A request is about to be sent. */
  callStarted(): void;
  /** A request ended, with a status or with an error code. `route` is the path template. */
  callFinished(method: string, route: string, outcome: number | RestErrorCode, ms: number): void;
  /** The number of calls and transfers that wait for a connection changed by `change`. */
  waitingChanged(change: number): void;
  /** A call or transfer got no connection: the queue was full (`full`), or the wait was too long (`late`). */
  callRefused(reason: 'full' | 'late'): void;
  /** A call or transfer was not sent, because its caller has reached RATE_LIMIT. */
  rateLimited(): void;
  /** A read is about to be retried. `route` is method and path template, such as `GET /api/v2/person/{id}`. */
  retried(route: string): void;
  /** The circuit of the whole DMS changed. It is `open` while the DMS counts as unavailable. */
  breakerChanged(state: 'closed' | 'open' | 'halfOpen'): void;
  /** The number of endpoints with an open circuit changed. */
  circuitsChanged(open: number): void;
  /**
   * A read of reference data was a hit in memory, a hit in Redis or a miss, or it joined an identical read in flight.
   */
  cacheRead(outcome: 'hit' | 'redis' | 'miss' | 'shared'): void;
  /** A file transfer moved this many bytes. */
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

/** Adds methods that do nothing for the missing ones. */
export function completeObserver(observer: Partial<HttpObserver>): HttpObserver {
  return { ...noopObserver, ...observer };
}
