import type { IncomingMessage } from 'node:http';
import type { CallTracing } from '../../rest/client/call-tracing.ts';
import type { RequestTrace } from '../http/request-trace.ts';

/** Distributed tracing of one process. The gateway has none if tracing is off. docs/tracing.md lists the spans. */
export interface Tracing {
  /**
   * Starts the span of a request. It continues the trace of the client's `traceparent` header, if that is valid.
   *
   * @param route path template; null if it is not known yet
   */
  startRequest(req: IncomingMessage, route: string | null): RequestTrace;
  /** Records the polls of subscriptions, which belong to no request: each is a trace of its own. */
  readonly polls: CallTracing;
  /** Exports the spans that have ended, for at most `timeoutMs`. Never rejects. */
  stop(timeoutMs: number): Promise<void>;
}
