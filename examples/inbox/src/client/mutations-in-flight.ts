import { ApolloLink } from '@apollo/client';
import { finalize } from 'rxjs';
import { createStore } from '../../../ui/store.ts';

export const mutationsInFlight = createStore(0);

export function createMutationLink(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== 'mutation') return forward(operation);
    mutationsInFlight.set(mutationsInFlight.get() + 1);
    // The client writes the result to the cache after this link has completed.
    const end = (): void => mutationsInFlight.set(mutationsInFlight.get() - 1);
    return forward(operation).pipe(finalize(() => setTimeout(end)));
  });
}
