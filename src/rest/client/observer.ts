import type { RestErrorCode } from '../../model/error-codes.ts';

/** A number that changes with every call. The metrics read it when they are requested. */
interface Gauge {
  value: number;
}

/**
 * Receives the events that the metrics count. No argument contains client input, so the number of label values is
 * bounded.
 */
export interface HttpObserver {
  /** The number of requests in progress. */
  readonly callsInFlight: Gauge;
  /** The number of calls and transfers that wait for a connection. */
  readonly callsWaiting: Gauge;
  /** A request ended, with a status or with an error code. `route` is the path template. */
  callFinished(method: string, route: string, outcome: number | RestErrorCode, ms: number): void;
  /** A call or transfer got no connection: the queue was full (`full`), or the wait was too long (`late`). */
  callRefused(reason: 'full' | 'late'): void;
  /** A call or transfer was not sent, because its caller has reached RATE_LIMIT. */
  rateLimited(): void;
  /** A read is about to be retried. `route` is method and path template, such as `GET /api/v2/person/{id}`. */
  retried(route: string): void;
  /** The number of endpoints with an open circuit changed. */
  circuitsChanged(open: number): void;
  /**
   * A read of reference data was a hit in memory (`hit`), a hit in a shared cache (its name) or a `miss`, or it joined an
   * identical read in flight (`shared`).
   */
  cacheRead(outcome: string): void;
  /** A file transfer moved this many bytes. */
  bytesMoved(direction: 'upload' | 'download', bytes: number): void;
}

const noopObserver: Omit<HttpObserver, 'callsInFlight' | 'callsWaiting'> = {
  callFinished() {},
  callRefused() {},
  rateLimited() {},
  retried() {},
  circuitsChanged() {},
  cacheRead() {},
  bytesMoved() {},
};

/** Adds what is missing: methods that do nothing, and numbers that nobody reads. */
export function completeObserver(observer: Partial<HttpObserver>): HttpObserver {
  return { callsInFlight: { value: 0 }, callsWaiting: { value: 0 }, ...noopObserver, ...observer };
}

/** What a `CallObserver` learns of a call. The path is not part of it: paths contain IDs. */
export interface CallInfo {
  readonly method: string;
  /** Path template, such as `/api/v2/person/{id}`. */
  readonly route: string;
  /** The calling function, such as `persons.get`. */
  readonly label: string;
}

/**
 * Observes what one operation, file transfer or poll requests from the DMS. `RequestBudget` holds it, so that it reaches
 * every call without a context of its own.
 */
export interface CallObserver {
  /** A request is about to be sent. `attempt` is counted from 1. */
  startCall(call: CallInfo, attempt: number): ObservedCall;
  /** A read of reference data was answered from a cache: `memory`, or the name of a shared one. */
  cachedRead(resource: string, cache: string): void;
  /** A read joined an identical one of another operation or of this one, which observes its request. */
  sharedRead(call: CallInfo): void;
}

/** One request to the DMS. */
export interface ObservedCall {
  /** Headers to send with it, as alternating names and values. */
  readonly headers: readonly string[];
  /** It ended with the status of the response, and with an error code if the response is missing or incomplete. */
  end(status: number | null, code: RestErrorCode | null): void;
}
