import type { CallTracing } from '../../rest/client/call-tracing.ts';

/** The position of a request in its trace, for log lines: hexadecimal, as in the header `traceparent`. */
export interface TracePosition {
  readonly traceId: string;
  readonly spanId: string;
  /** `01` if the trace is sampled, otherwise `00`. */
  readonly traceFlags: '00' | '01';
}

/** What a trace contains of a GraphQL operation. The client chooses the name, of at most 64 characters. */
export interface TracedOperation {
  readonly operationName: string | null;
  readonly operationType: 'query' | 'mutation' | 'subscription' | null;
}

/**
 * The trace of one request. It contains no values, IDs or credentials of the client: only the name of its operation,
 * and its `tracestate`.
 */
export interface RequestTrace {
  readonly position: TracePosition;
  /** Records upstream calls directly below the request, for file downloads. */
  readonly calls: CallTracing;
  /** Sets the path template of a file request, such as `/files/documents/{document}/{file}`. */
  setRoute(route: string): void;
  /** Starts the span of the GraphQL operation. @returns records the upstream calls of the operation */
  startOperation(operation: TracedOperation): CallTracing;
  /** Records that a part of an incremental response is sent. */
  partSent(): void;
  /** Starts the trace of one event of a subscription. It is a trace of its own with a link to the request. */
  startEvent(operation: TracedOperation): EventTrace;
  /**
   * Ends the spans of the request and its operation. Only the first call has an effect.
   *
   * @param status status of the response; null if none was sent
   * @param outcome `OK`, or the code of the first error
   * @param isComplete false if the connection closed before the end of the response
   */
  end(status: number | null, outcome: string, isComplete: boolean): void;
}

/** The trace of one event of a subscription. */
export interface EventTrace {
  /** Records the upstream calls of the event. */
  readonly calls: CallTracing;
  /** Ends the span of the event. @param outcome `OK`, or the code of the first error */
  end(outcome: string): void;
}
