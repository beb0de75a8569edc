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

type Action = { readonly response: RespondToDocumentInput } | { readonly move: MoveDocumentInput };

/** Sends an action of the user. Resolves with why it failed, or with null; it does not reject. */
export async function sendAction(
  client: ApolloClient,
  action: Action,
): Promise<MutationFailure | null> {
  try {
    const { data, error } =
      'response' in action
        ? await client.mutate({ mutation: respondMutation, variables: { input: action.response } })
        : await client.mutate({ mutation: moveMutation, variables: { input: action.move } });
    const [result = null] = Object.values(data ?? {});
    return result && 'document' in result ? null : { problem: result, error };
  } catch (error) {
    return { problem: null, error: error as Error };
  }
}
