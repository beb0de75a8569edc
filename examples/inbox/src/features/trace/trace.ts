import { ApolloLink } from '@apollo/client';
import { tap } from 'rxjs';
import { withFullIds, type TracedOperation, type UpstreamCall } from '../../../../ui/calls.ts';
import { createStore } from '../../../../ui/store.ts';
import { operationOf } from './operation.ts';

interface TracedScreen {
  readonly id: number;
  readonly operations: readonly TracedOperation[];
}

export const tracedScreen = createStore<TracedScreen>({ id: -1, operations: [] });

export const isDrawerOpen = createStore(false);

const maxOperations = 50;
let lastId = 0;

/** Requests the calls of each operation from the gateway, which reports them unless it runs in production. */
export function createTraceLink(): ApolloLink {
  tracedScreen.set({ id: -1, operations: [] }); // a new client belongs to another person
  return new ApolloLink((operation, forward) => {
    const { headers } = operation.getContext();
    operation.setContext({ headers: { ...headers, 'x-upstream-trace': '1' } });
    const { operationType: kind, operationName: name = kind, query, variables } = operation;
    const screenId = currentScreenId();
    const startMs = performance.now();
    const id = (lastId += 1);
    const results: unknown[] = [];
    return forward(operation).pipe(
      tap((result) => {
        results.push(result);
        const calls: unknown = result.extensions?.['upstream'];
        // With @defer, only the last part has the calls. The user may have left the screen.
        if (!Array.isArray(calls)) return;
        add(screenId, {
          id,
          name,
          kind,
          startMs,
          ms: performance.now() - startMs,
          calls: withFullIds(calls as UpstreamCall[], results),
          ...(kind === 'query' && { operation: operationOf(query, variables) }),
        });
      }),
    );
  });
}

export async function fetchFile(path: string, options: RequestInit): Promise<Response> {
  const add = addFile(path, options.method);
  const response = await fetch(path, options);
  add(response.status);
  return response;
}

export function addFile(path: string, method = 'GET') {
  const screenId = currentScreenId();
  const startMs = performance.now();
  const [pathname = ''] = path.split('?');
  const id = (lastId += 1);
  return (status: number | null): void => {
    const ms = performance.now() - startMs;
    const route = `${method} /files/{file}`;
    const call = {
      route,
      path: pathname,
      source: 'dms',
      status,
      startMs: 0,
      ms,
      attempt: 1,
    } as const;
    add(screenId, { id, name: '', kind: 'file', startMs, ms, calls: [call] });
  };
}

export function currentScreenId(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}

/** Adds an operation to its screen, unless the user has left it. Of a subscription, the last event counts. */
function add(id: number, operation: TracedOperation): void {
  if (id !== currentScreenId()) return;
  const screen = tracedScreen.get();
  const before = screen.id === id ? screen.operations : [];
  const operations = [...before.filter((one) => one.id !== operation.id), operation];
  tracedScreen.set({ id, operations: operations.slice(-maxOperations) });
}
