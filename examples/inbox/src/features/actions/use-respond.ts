import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { graphql } from '../../gql/index.ts';
import type { RespondToDocumentInput } from '../../gql/graphql.ts';
import type { MutationFailure, Problem } from './mutation-problem.tsx';

const respondMutation = graphql(`
  mutation Respond($input: RespondToDocumentInput!) {
    respondToDocument(input: $input) {
      __typename
      ... on RespondToDocumentPayload {
        document {
          id
          ...ChangedDocument
        }
      }
      ...MutationProblem
    }
  }
`);

interface RespondOptions {
  /** @param isVisible whether the user can still see the document */
  readonly onDone: (isVisible: boolean) => void;
  readonly onFailed: (failure: MutationFailure) => void;
}

/** Sends the response of the user, and holds why the last attempt failed. */
export function useRespond({ onDone, onFailed }: RespondOptions) {
  const [mutate, { loading, error }] = useMutation(respondMutation);
  const [problem, setProblem] = useState<Problem | null>(null);

  const send = async (input: RespondToDocumentInput): Promise<void> => {
    setProblem(null);
    const { data, error: partialError } = await mutate({ variables: { input } });
    const result = data?.respondToDocument;
    if (result?.__typename === 'RespondToDocumentPayload') {
      // Null with an error: the document could not be read again.
      onDone(result.document !== null || partialError !== undefined);
    } else {
      if (result) setProblem(result);
      onFailed({ problem: result ?? null, error: partialError });
    }
  };
  const respond = (input: RespondToDocumentInput): void =>
    void send(input).catch((failure: Error) => onFailed({ problem: null, error: failure }));
  return { respond, isSending: loading, error, problem };
}
