import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import type { Subscription } from 'rxjs';
import { backOffMs } from '../../client/back-off.ts';
import { codesOf } from '../../client/failure.ts';
import { connectionState } from '../connection/connection.ts';

interface WatchOptions<TData, TVariables extends OperationVariables> {
  readonly query: TypedDocumentNode<TData, TVariables>;
  readonly variables: TVariables;
  readonly onEvent: (data: TData, isFirst: boolean) => boolean;
}

/** Codes after which the same subscription would fail again. */
const finalCodes = ['BAD_USER_INPUT', 'FORBIDDEN', 'GRAPHQL_VALIDATION_FAILED'];

/**
 * Subscribes while the tab is visible, and subscribes again with a growing delay if the stream ends or fails: the
 * gateway polls the DMS for each subscription, so that a hidden tab must not have one. The events are not written to
 * the cache, because a form sends the revision that its user has seen.
 *
 * @returns a function that ends it
 */
export function watch<TData, TVariables extends OperationVariables>(
  client: ApolloClient,
  { query, variables, onEvent }: WatchOptions<TData, TVariables>,
): () => void {
  let subscription: Subscription | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let isEnded = false;

  const disconnect = (): void => {
    clearTimeout(timer);
    subscription?.unsubscribe();
    subscription = null;
  };
  const connectLater = (): void => {
    disconnect();
    if (!isEnded) timer = setTimeout(connect, backOffMs(attempt++));
  };
  const connect = (): void => {
    disconnect();
    if (isEnded || document.hidden) return;
    let isFirst = true;
    subscription = client
      .subscribe<TData, TVariables>({
        query,
        variables,
        fetchPolicy: 'no-cache',
        errorPolicy: 'all',
      })
      .subscribe({
        next({ data, error }) {
          if (codesOf(error).some((code) => finalCodes.includes(code))) isEnded = true;
          if (!data) return;
          attempt = 0;
          if (!onEvent(data, isFirst)) isEnded = true;
          isFirst = false;
        },
        complete: connectLater,
        error: connectLater,
      });
  };
  const connectNow = (): void => {
    attempt = 0;
    connect();
  };
  document.addEventListener('visibilitychange', connectNow);
  window.addEventListener('online', connectNow);
  const stopWaiting = connectionState.subscribe(() => {
    if (connectionState.get() === null) connectNow(); // the gateway polls a DMS that was not available less often
  });
  connect();
  return () => {
    isEnded = true;
    disconnect();
    stopWaiting();
    document.removeEventListener('visibilitychange', connectNow);
    window.removeEventListener('online', connectNow);
  };
}
