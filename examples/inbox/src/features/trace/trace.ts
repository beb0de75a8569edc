import { ApolloLink } from '@apollo/client';
import { tap } from 'rxjs';
import { createStore } from '../../client/store.ts';
import { countCallsWithout } from './calls-without-gateway.ts';
import { toRunnableQuery } from './runnable-query.ts';

/** A REST call behind an operation, as the gateway reports it in `extensions.upstream`. */
export interface UpstreamCall {
  /** Method and path template. */
  readonly route: string;
  /** The requested properties. Absent if the call does not name them. */
  readonly fields?: readonly string[];
  /** The requested embedded entities. Absent if the call does not name them. */
  readonly embed?: readonly string[];
  /** `shared`: an identical call of another operation. `cache`: no call was necessary. */
  readonly source: 'dms' | 'shared' | 'cache';
  /** Null if the operation received no response. */
  readonly status: number | null;
  /** Milliseconds since the operation started. */
  readonly startMs: number;
  readonly ms: number;
  /** Counted from 1. */
  readonly attempt: number;
}

/** An operation with its calls. An event of a subscription is an operation of its own. */
export interface TracedOperation {
  readonly id: number;
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Whether it has nothing to do with the content of the page, such as the numbers in the navigation. */
  readonly isBackground: boolean;
  /** In the order of their start. */
  readonly calls: readonly UpstreamCall[];
  /** Number of REST calls that a front end would send for the same result. */
  readonly callsWithout: number;
  /** The operation as a query document that runs without variables. */
  readonly query: string;
}

/** Context of an operation that has nothing to do with the content of the page. */
export const backgroundContext = { isBackground: true };

/** The last operations, the latest first. Operations of other people are not among them. */
export const tracedOperations = createStore<readonly TracedOperation[]>([]);

const maxOperations = 20;
let lastId = 0;

/** Requests the calls of each operation from the gateway, which reports them unless it runs in production. */
export function createTraceLink(): ApolloLink {
  tracedOperations.set([]); // a new client belongs to another person
  return new ApolloLink((operation, forward) => {
    const { headers, isBackground } = operation.getContext();
    operation.setContext({ headers: { ...headers, 'x-upstream-trace': '1' } });
    const kind = operation.operationType;
    const name = operation.operationName ?? kind;
    let callsWithout = 0;
    return forward(operation).pipe(
      tap((result) => {
        callsWithout += countCallsWithout(result);
        const calls: unknown = result.extensions?.['upstream'];
        // With @defer, only the last part has the calls.
        if (!Array.isArray(calls)) return;
        lastId += 1;
        const traced: TracedOperation = {
          id: lastId,
          name,
          kind,
          isBackground: isBackground === true,
          calls: (calls as UpstreamCall[]).toSorted((a, b) => a.startMs - b.startMs),
          callsWithout,
          query: toRunnableQuery(operation.query, operation.variables),
        };
        tracedOperations.set([traced, ...tracedOperations.get()].slice(0, maxOperations));
      }),
    );
  });
}
