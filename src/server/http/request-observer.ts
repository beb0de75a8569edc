import type { IncomingMessage } from 'node:http';
import type { CallObserver } from '../../rest/index.ts';

/** Observes the requests of a gateway and the calls that they make, from start to end. Its methods must not throw. */
export interface RequestObserver {
  startRequest(req: IncomingMessage, route: string | null): ObservedRequest;
  readonly otherCalls: CallObserver;
}

export interface ObservedRequest {
  readonly logFields: Readonly<Record<string, string>>;
  readonly calls: CallObserver;
  setRoute(route: string): void;
  /**
   * A GraphQL operation starts, and an earlier one has ended.
   *
   * @param earlierOutcome `OK`, or the code of the first error so far
   * @returns observes the calls of the operation
   */
  startOperation(operation: OperationInfo, earlierOutcome: string): CallObserver;
  partSent(): void;
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

export interface ObservedEvent {
  readonly calls: CallObserver;
  end(outcome: string): void;
}

export function joinObservers(observers: readonly RequestObserver[]): RequestObserver | null {
  const [first, ...others] = observers;
  if (first === undefined || others.length === 0) return first ?? null;
  return {
    startRequest: (req, route) =>
      joinRequests(observers.map((one) => one.startRequest(req, route))),
    otherCalls: joinCalls(observers.map(({ otherCalls }) => otherCalls)),
  };
}

function joinRequests(requests: readonly ObservedRequest[]): ObservedRequest {
  return {
    logFields: Object.assign(
      {},
      ...requests.map(({ logFields }) => logFields),
    ) as ObservedRequest['logFields'],
    calls: joinCalls(requests.map(({ calls }) => calls)),
    setRoute: (route) => requests.forEach((one) => one.setRoute(route)),
    startOperation: (...args) => joinCalls(requests.map((one) => one.startOperation(...args))),
    partSent: () => requests.forEach((one) => one.partSent()),
    startEvent(operation) {
      const events = requests.map((one) => one.startEvent(operation));
      return {
        calls: joinCalls(events.map(({ calls }) => calls)),
        end: (outcome) => events.forEach((one) => one.end(outcome)),
      };
    },
    end: (...args) => requests.forEach((one) => one.end(...args)),
  };
}

function joinCalls(observers: readonly CallObserver[]): CallObserver {
  return {
    startCall(...args) {
      const calls = observers.map((one) => one.startCall(...args));
      return {
        headers: calls.flatMap(({ headers }) => headers),
        end: (...outcome) => calls.forEach((one) => one.end(...outcome)),
      };
    },
    cachedRead: (...args) => observers.forEach((one) => one.cachedRead(...args)),
    sharedRead: (call) => observers.forEach((one) => one.sharedRead(call)),
  };
}
