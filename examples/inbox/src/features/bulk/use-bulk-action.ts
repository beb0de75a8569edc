import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { SignInError } from '../../../../ui/session.ts';
import { uncertainCodes } from '../../client/failure.ts';
import { explain, type Explanation } from '../../components/explanation.tsx';
import { useText, type Translate } from '../../language/text.ts';
import { graphql } from '../../gql/index.ts';
import type { PhaseAction } from '../../gql/graphql.ts';
import { explainMutation, explainMutationError } from '../actions/explain-mutation.ts';
import type { ResponseForAll } from '../actions/use-allowed-for-all.ts';

/** Only the type of a payload is selected: other properties would cost a call of the DMS per document. */
const respondToAllMutation = graphql(`
  mutation RespondToAll($input: RespondToDocumentsInput!) {
    respondToDocuments(input: $input) {
      results {
        __typename
        ... on Error {
          message
        }
        ... on ForbiddenError {
          requiredRole
        }
      }
    }
  }
`);

const moveAllMutation = graphql(`
  mutation MoveAll($input: MoveDocumentsInput!) {
    moveDocuments(input: $input) {
      results {
        __typename
        ... on Error {
          message
        }
        ... on ForbiddenError {
          requiredRole
        }
      }
    }
  }
`);

export type BulkAction =
  | ({ readonly kind: 'respond'; readonly content: string } & Pick<
      ResponseForAll,
      'label' | 'actions'
    >)
  | { readonly kind: 'move'; readonly label: string; readonly action: PhaseAction };

export interface BulkTarget {
  readonly id: string;
  readonly revision: number | null;
}

export interface BulkResult extends Explanation {
  readonly isDone: boolean;
}

const unknownOutcome =
  'The outcome is unknown: the document may have been changed. Open it before you try again.';

/**
 * Returns a function that takes an action on 1 to 100 documents, in one request, and resolves with one result per
 * document, by global ID. It does not reject: a failed request is a result of each document.
 */
export function useBulkAction() {
  const t = useText();
  const client = useApolloClient();

  const send = async (
    targets: readonly BulkTarget[],
    bulkAction: BulkAction,
  ): Promise<readonly BulkResult[]> => {
    const items = targets.map(({ id, revision }) => ({ document: id, expectedRevision: revision }));
    if (bulkAction.kind === 'respond') {
      const { actions, content } = bulkAction;
      const responses = items.map((item) => ({
        ...item,
        action: actions.get(item.document)!,
        content: content === '' ? null : content,
      }));
      const { data, error } = await client.mutate({
        mutation: respondToAllMutation,
        variables: { input: { responses } },
      });
      return toResults(targets.length, data?.respondToDocuments.results, error, t);
    }
    const moves = items.map((item) => ({ ...item, action: bulkAction.action }));
    const { data, error } = await client.mutate({
      mutation: moveAllMutation,
      variables: { input: { moves } },
    });
    return toResults(targets.length, data?.moveDocuments.results, error, t);
  };
  return async (
    targets: readonly BulkTarget[],
    action: BulkAction,
  ): Promise<ReadonlyMap<string, BulkResult>> => {
    const results = await send(targets, action).catch((error: unknown) =>
      toResults(targets.length, null, error as ErrorLike, t),
    );
    return new Map(targets.map(({ id }, index) => [id, results[index]!]));
  };
}

type Item = {
  readonly __typename: string;
  readonly message?: string;
  readonly requiredRole?: string | null;
} | null;

function toResults(
  count: number,
  items: readonly Item[] | null | undefined,
  error: ErrorLike | undefined,
  t: Translate,
): BulkResult[] {
  return Array.from({ length: count }, (_, index) => {
    const item = items?.[index];
    if (!item) return { isDone: false, ...explainMissing(index, error, t) };
    const { message } = item;
    if (message === undefined) return { isDone: true, text: t('Done') };
    return { isDone: false, ...explainMutationError({ ...item, message }, t) };
  });
}

function explainMissing(index: number, error: ErrorLike | undefined, t: Translate): Explanation {
  if (error instanceof SignInError) return explainMutation(error, t);
  if (!CombinedGraphQLErrors.is(error)) return { text: t(unknownOutcome) }; // the response is lost
  const own = error.errors.find(({ path }) => path?.[2] === index) ?? error.errors[0]!;
  if (uncertainCodes.includes(own.extensions?.['code'])) return { text: t(unknownOutcome) };
  const reason = explain(new CombinedGraphQLErrors({ data: null, errors: [own] }), t);
  return { ...reason, text: t('Not executed. {reason}', { reason: reason.text }) };
}
