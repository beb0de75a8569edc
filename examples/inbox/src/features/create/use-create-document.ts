import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { uploadContext } from '../../app/gateway-link.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { graphql } from '../../gql/index.ts';
import type { CreateDocumentInput } from '../../gql/graphql.ts';
import type { Problem } from '../actions/mutation-problem.tsx';
import { explainFailure, type UploadFailure } from './upload-failure.ts';

/** The DMS returns these properties on creation, so they cost no further call. */
const createMutation = graphql(`
  mutation Create($input: CreateDocumentInput!) {
    createDocument(input: $input) {
      __typename
      ... on CreateDocumentPayload {
        workflowError
        document {
          id
          fullId
          shortId
        }
      }
      ...MutationProblem
    }
  }
`);

export interface Progress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface CreatedDocument {
  readonly documentId: string;
  /** Why the DMS did not take the workflow action. */
  readonly workflowError: string | null;
}

type Outcome =
  | { readonly kind: 'created'; readonly created: CreatedDocument }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly failure: UploadFailure };

export function useCreateDocument() {
  const client = useApolloClient();
  const t = useText();
  const format = useFormat();
  /** Of the request that runs. Null: none. */
  const [progress, setProgress] = useState<Progress | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  /** Resolves with the outcome; it does not reject. */
  const create = async (input: CreateDocumentInput): Promise<Outcome> => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    let isSent = false;
    setProgress({ sentBytes: 0, totalBytes: 0 });
    const onProgress = (sentBytes: number, totalBytes: number): void => {
      isSent = sentBytes === totalBytes;
      setProgress({ sentBytes, totalBytes });
    };
    const failed = (error: unknown): Outcome => {
      const state = { isSent, isCancelled: signal.aborted };
      return { kind: 'failed', failure: explainFailure(error, state, { t, format }) };
    };
    try {
      const { data, error } = await client.mutate({
        mutation: createMutation,
        variables: { input },
        context: uploadContext(signal, onProgress),
      });
      const result = data?.createDocument;
      if (!result) return failed(error);
      if (result.__typename !== 'CreateDocumentPayload') {
        return { kind: 'problem', problem: result };
      }
      const { document, workflowError } = result;
      const documentId = document.shortId ?? document.fullId;
      return { kind: 'created', created: { documentId, workflowError } };
    } catch (error) {
      return failed(error);
    } finally {
      setProgress(null);
    }
  };
  return { progress, create, cancel: () => abort.current?.abort() };
}
