import { ApolloLink } from '@apollo/client';
import { tap } from 'rxjs';
import { withFullIds, type TracedOperation, type UpstreamCall } from '../../../../ui/calls.ts';
import { createStore } from '../../client/store.ts';
import { toRunnableQuery } from './runnable-query.ts';

/** What one URL of the application has sent. */
interface TracedScreen {
  /** Path with its query string. */
  readonly path: string;
  readonly operations: readonly TracedOperation[];
}

/** The last screen with its operations, the latest 50. Operations of other people are not among them. */
export const tracedScreen = createStore<TracedScreen>({ path: '', operations: [] });

/** Whether the REST calls are shown. */
export const isDrawerOpen = createStore(false);

const maxOperations = 50;
let lastId = 0;

/** Requests the calls of each operation from the gateway, which reports them unless it runs in production. */
export function createTraceLink(): ApolloLink {
  tracedScreen.set({ path: '', operations: [] }); // a new client belongs to another person
  return new ApolloLink((operation, forward) => {
    const { headers } = operation.getContext();
    operation.setContext({ headers: { ...headers, 'x-upstream-trace': '1' } });
    const { operationType: kind, operationName: name = kind, query, variables } = operation;
    const path = currentPath();
    const startMs = performance.now();
    lastId += 1;
    const id = lastId;
    const results: unknown[] = [];
    return forward(operation).pipe(
      tap((result) => {
        results.push(result);
        const calls: unknown = result.extensions?.['upstream'];
        // With @defer, only the last part has the calls. The user may have left the screen.
        if (!Array.isArray(calls) || path !== currentPath()) return;
        add(path, {
          id,
          name,
          kind,
          startMs,
          ms: performance.now() - startMs,
          calls: withFullIds(calls as UpstreamCall[], results),
          ...(kind === 'query' && { query: toRunnableQuery(query, variables) }),
        });
      }),
    );
  });
}

function currentPath(): string {
  return location.pathname + location.search;
}

/** Adds an operation to its screen. Of a subscription, the last event counts. */
function add(path: string, operation: TracedOperation): void {
  const screen = tracedScreen.get();
  const others = screen.path === path ? screen.operations : [];
  const operations = [...others.filter(({ id }) => id !== operation.id), operation];
  tracedScreen.set({ path, operations: operations.slice(-maxOperations) });
}
