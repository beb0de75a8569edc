import { ApolloLink } from '@apollo/client';
import { map } from 'rxjs';
import { MissingResultError } from './failure.ts';

/**
 * Fails a mutation with a `MissingResultError` if its response has no errors, and `data` or each of its root fields is
 * null.
 */
export function createMutationResultLink(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== 'mutation') return forward(operation);
    return forward(operation).pipe(
      map((response) => {
        if (isEmpty(response)) throw new MissingResultError('The response has no result.');
        return response;
      }),
    );
  });
}

function isEmpty({ data, errors }: ApolloLink.Result): boolean {
  const hasResult = Object.values(data ?? {}).some((result) => result !== null);
  return !hasResult && (errors === undefined || errors.length === 0);
}
