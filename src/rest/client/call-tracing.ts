import type { RestErrorCode } from '../../model/error-codes.ts';

/** What a trace can contain of a call. The path is not part of it: paths contain IDs. */
export interface TracedCall {
  readonly method: string;
  /** Path template, such as `/api/v2/person/{id}`. */
  readonly route: string;
  /** The calling function, such as `persons.get`. */
  readonly label: string;
}

/**
 * Records what one operation, file transfer or poll requests from the DMS in its trace. `RequestBudget` holds it, so
 * that it reaches every call without a context of its own.
 */
export interface CallTracing {
  /** Starts the span of a request that is about to be sent. `attempt` is counted from 1. */
  startCall(call: TracedCall, attempt: number): CallSpan;
  /** Records a read of reference data that was answered from a cache: the memory of this process, or Redis. */
  cachedRead(resource: string, cache: 'memory' | 'redis'): void;
  /** Records a read that joined an identical one of another operation or of this one. Its request has a span there. */
  sharedRead(call: TracedCall): void;
}

/** The span of one request. */
export interface CallSpan {
  /** Headers that continue the trace in the DMS, as alternating names and values. */
  readonly headers: readonly string[];
  /** Ends the span with the status of the response, and with an error code if the response is missing or incomplete. */
  end(status: number | null, code: RestErrorCode | null): void;
}
