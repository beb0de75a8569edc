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

/** What an action on one document has done. */
export interface ActionOutcome {
  /** Null: it succeeded. */
  readonly failure: MutationFailure | null;
  /** Whether the user can still see the document. */
  readonly isVisible: boolean;
}

/** Sends the response of the user. It does not reject. */
export async function sendResponse(
  client: ApolloClient,
  input: RespondToDocumentInput,
): Promise<ActionOutcome> {
  try {
    const { data, error } = await client.mutate({
      mutation: respondMutation,
      variables: { input },
    });
    const result = data?.respondToDocument;
    if (result?.__typename !== 'RespondToDocumentPayload') return failed(result ?? null, error);
    return { failure: null, isVisible: isVisible(result.document, error) };
  } catch (error) {
    return failed(null, error as Error);
  }
}

/** Moves a document. It does not reject. */
export async function sendMove(
  client: ApolloClient,
  input: MoveDocumentInput,
): Promise<ActionOutcome> {
  try {
    const { data, error } = await client.mutate({ mutation: moveMutation, variables: { input } });
    const result = data?.moveDocument;
    if (result?.__typename !== 'MoveDocumentPayload') return failed(result ?? null, error);
    return { failure: null, isVisible: isVisible(result.document, error) };
  } catch (error) {
    return failed(null, error as Error);
  }
}

/** Null with an error: the document could not be read again. */
function isVisible(document: object | null, error: Error | undefined): boolean {
  return document !== null || error !== undefined;
}

function failed(problem: MutationFailure['problem'], error: Error | undefined): ActionOutcome {
  return { failure: { problem, error }, isVisible: true };
}
