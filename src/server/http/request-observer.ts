import type { IncomingMessage } from 'node:http';
import type { CallObserver } from '../../rest/index.ts';

/** Observes the requests of a gateway and the calls that they make, from start to end. Its methods must not throw. */
export interface RequestObserver {
  /**
   * A request has arrived.
   *
   * @param route path template; null if it is not known yet
   */
  startRequest(req: IncomingMessage, route: string | null): ObservedRequest;
  /** Observes calls that belong to no request. */
  readonly otherCalls: CallObserver;
}

/** One request. */
export interface ObservedRequest {
  /** What the log lines of the request also contain. */
  readonly logFields: Readonly<Record<string, string>>;
  /** Observes the calls of a file download. */
  readonly calls: CallObserver;
  /** The path template of a file request is known, such as `/files/documents/{document}/{file}`. */
  setRoute(route: string): void;
  /**
   * A GraphQL operation starts, and an earlier one has ended.
   *
   * @param earlierOutcome `OK`, or the code of the first error so far
   * @returns observes the calls of the operation
   */
  startOperation(operation: OperationInfo, earlierOutcome: string): CallObserver;
  /** A part of an incremental response is sent. */
  partSent(): void;
  /** An event of a subscription is executed. */
  startEvent(operation: OperationInfo): ObservedEvent;
  /**
   * The request has ended, or the response of a subscription has begun. Can be called again.
   *
   * @param status status of the response; null if none was sent
   * @param outcome `OK`, or the code of the first error
   * @param isComplete false if the connection closed before the end of the response
   */
  end(status: number | null, outcome: string, isComplete: boolean): void;
}

/** What an observer learns of a GraphQL operation. The client chooses the name, of at most 64 characters. */
export interface OperationInfo {
  readonly operationName: string | null;
  readonly operationType: 'query' | 'mutation' | 'subscription' | null;
}

/** One event of a subscription. */
export interface ObservedEvent {
  readonly calls: CallObserver;
  /** @param outcome `OK`, or the code of the first error */
  end(outcome: string): void;
}
