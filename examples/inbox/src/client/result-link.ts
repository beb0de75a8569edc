import { ApolloLink } from '@apollo/client';
import { getMainDefinition } from '@apollo/client/utilities';
import { map } from 'rxjs';
import { MissingResultError } from './failure.ts';

/**
 * Fails an operation with a `MissingResultError` if its response has neither errors nor a result: a mutation without a
 * root field that is not null, and a query without `data` or one of its root fields. A root field of a query can be
 * null: the object does not exist.
 */
export function createResultLink(): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const { operationType } = operation;
    if (operationType === 'subscription') return forward(operation);
    const isMissing = operationType === 'mutation' ? isMutationResultMissing : isQueryResultMissing;
    return forward(operation).pipe(
      map((response, index) => {
        // A later part of an incremental response has only what was deferred.
        const isWhole = index === 0 && !response.errors?.length;
        if (isWhole && isMissing(response, operation)) {
          throw new MissingResultError('The response has no result.');
        }
        return response;
      }),
    );
  });
}

function isMutationResultMissing({ data }: ApolloLink.Result): boolean {
  return Object.values(data ?? {}).every((result) => result === null);
}

function isQueryResultMissing(
  { data }: ApolloLink.Result,
  { query }: ApolloLink.Operation,
): boolean {
  if (!data) return true;
  const { selections } = getMainDefinition(query).selectionSet;
  return selections.some(
    (selection) =>
      selection.kind === 'Field' &&
      !selection.directives?.length && // with @include or @skip, it can be absent
      data[(selection.alias ?? selection.name).value] === undefined,
  );
}
