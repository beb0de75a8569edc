import { ApolloLink, ServerError, type ApolloClient } from '@apollo/client';
import { tap } from 'rxjs';
import { backOffMs } from '../../client/back-off.ts';
import { interruptionOf, type Interruption } from '../../client/failure.ts';
import { createStore } from '../../../../ui/store.ts';

export interface ConnectionState {
  readonly interruption: Interruption;
  /** When a query last succeeded, in milliseconds since 1970. Null: not yet. */
  readonly lastSuccessAt: number | null;
  /** When the failed queries are sent again. Null: now. */
  readonly retryAt: number | null;
  readonly retry: () => void;
}

/** The state of the current client. Null: no query fails because of the connection. */
export const connectionState = createStore<ConnectionState | null>(null);

let currentLink: ApolloLink | null = null;

/**
 * Watches the queries of a client. If the DMS or the gateway is not available, the active queries are sent again with a
 * growing delay, or when the gateway says, until they succeed. Mutations are never repeated.
 */
export function createConnectionLink(client: () => ApolloClient): ApolloLink {
  const failing = new Set<string>();
  let lastSuccessAt: number | null = null;
  let attempt = 0;
  let retryAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const change = (state: ConnectionState | null): void => {
    if (currentLink === link) connectionState.set(state);
  };
  const recover = (): void => {
    clearTimeout(timer);
    timer = undefined;
    attempt = 0;
    change(null);
  };
  const settle = (name: string): void => {
    if (failing.delete(name) && failing.size === 0) recover();
  };
  const fail = (name: string, interruption: Interruption, retryAfterMs: number): void => {
    failing.add(name);
    // The attempt that is planned includes this query, unless the gateway wants the client to wait for longer.
    if (timer !== undefined && Date.now() + retryAfterMs <= retryAt) return;
    const waitMs = Math.max(timer === undefined ? backOffMs(attempt++) : 0, retryAfterMs);
    clearTimeout(timer);
    timer = setTimeout(retryIfVisible, waitMs);
    retryAt = Date.now() + waitMs;
    change({ interruption, lastSuccessAt, retryAt, retry });
  };
  const retry = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (currentLink !== link) return;
    const state = connectionState.get();
    if (state) change({ ...state, retryAt: null });
    const names = [...client().getObservableQueries('active')].map(({ queryName }) => queryName);
    // A page that the user has left does not ask again.
    for (const name of failing) if (!names.includes(name)) failing.delete(name);
    if (failing.size === 0) recover();
    else
      void client()
        .refetchQueries({ include: [...failing] })
        .catch(() => {}); // reported by this link
  };
  const retryIfVisible = (): void => {
    if (!document.hidden) retry();
    else document.addEventListener('visibilitychange', retryIfVisible, { once: true });
  };
  const link = new ApolloLink((operation, forward) => {
    if (operation.operationType !== 'query') return forward(operation);
    const name = operation.operationName ?? '';
    let hasFailed = false;
    const check = (outcome: unknown): void => {
      const interruption = interruptionOf(outcome);
      if (interruption === null) return;
      hasFailed = true;
      const { response } = operation.getContext() as { response?: Response };
      fail(name, interruption, retryAfterMs(ServerError.is(outcome) ? outcome.response : response));
    };
    return forward(operation).pipe(
      tap<ApolloLink.Result>({
        next: check,
        error: (error) => {
          check(error);
          if (!hasFailed) settle(name);
        },
        complete: () => {
          if (hasFailed) return;
          lastSuccessAt = Date.now();
          settle(name);
        },
      }),
    );
  });
  currentLink = link;
  connectionState.set(null);
  return link;
}

function retryAfterMs(response: Response | undefined): number {
  return Number(response?.headers.get('retry-after') ?? 0) * 1000 || 0;
}
