import type { RestErrorCode } from '../../model/error-codes.ts';

export interface HttpObserver {
  callsInFlight(change: number): void;
  callsWaiting(change: number): void;
  callFinished(method: string, route: string, outcome: number | RestErrorCode, ms: number): void;
  callRefused(reason: 'full' | 'late'): void;
  /** A call or transfer was not sent, because its caller has reached RATE_LIMIT. */
  rateLimited(): void;
  retried(route: string): void;
  circuitsChanged(open: number): void;
  cacheRead(outcome: string): void;
  bytesMoved(direction: 'upload' | 'download', bytes: number): void;
}

const noopObserver: HttpObserver = {
  callsInFlight() {},
  callsWaiting() {},
  callFinished() {},
  callRefused() {},
  rateLimited() {},
  retried() {},
  circuitsChanged() {},
  cacheRead() {},
  bytesMoved() {},
};

export function completeObserver(observer: Partial<HttpObserver>): HttpObserver {
  return { ...noopObserver, ...observer };
}

export interface CallInfo {
  readonly method: string;
  readonly route: string;
  readonly label: string;
}

/**
 * Observes what one operation, file transfer or poll requests from the DMS. `RequestBudget` holds it, so that it reaches
 * every call without a context of its own.
 */
export interface CallObserver {
  startCall(call: CallInfo, attempt: number): ObservedCall;
  cachedRead(resource: string, cache: string): void;
  sharedRead(call: CallInfo): void;
}

export interface ObservedCall {
  readonly headers: readonly string[];
  end(status: number | null, code: RestErrorCode | null): void;
}
