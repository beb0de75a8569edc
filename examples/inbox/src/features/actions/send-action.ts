import type { ApolloClient } from '@apollo/client';
import { graphql } from '../../gql/index.ts';
import type { MoveDocumentInput, RespondToDocumentInput } from '../../gql/graphql.ts';
import type { MutationFailure } from './mutation-problem.tsx';

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

const moveMutation = graphql(`
  mutation Move($input: MoveDocumentInput!) {
    moveDocument(input: $input) {
      __typename
      ... on MoveDocumentPayload {
        document {
          id
          ...ChangedDocument
        }
      }
      ...MutationProblem
    }
  }
`);

/** Sends the response of the user. Resolves with why it failed, or with null; it does not reject. */
export function sendResponse(
  client: ApolloClient,
  input: RespondToDocumentInput,
): Promise<MutationFailure | null> {
  return settle(async () => {
    const { data, error } = await client.mutate({
      mutation: respondMutation,
      variables: { input },
    });
    const result = data?.respondToDocument;
    return result?.__typename === 'RespondToDocumentPayload'
      ? null
      : { problem: result ?? null, error };
  });
}

/** Moves a document. Resolves with why it failed, or with null; it does not reject. */
export function sendMove(
  client: ApolloClient,
  input: MoveDocumentInput,
): Promise<MutationFailure | null> {
  return settle(async () => {
    const { data, error } = await client.mutate({ mutation: moveMutation, variables: { input } });
    const result = data?.moveDocument;
    return result?.__typename === 'MoveDocumentPayload' ? null : { problem: result ?? null, error };
  });
}

async function settle(
  send: () => Promise<MutationFailure | null>,
): Promise<MutationFailure | null> {
  return send().catch((error: Error) => ({ problem: null, error }));
}
