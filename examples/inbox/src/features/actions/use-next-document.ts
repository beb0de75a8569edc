import { useApolloClient } from '@apollo/client/react';
import { useNavigate } from 'react-router';
import { pathOfDocument } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import { useLastDocuments } from '../views/last-view.tsx';

const nextDocumentsQuery = graphql(`
  query NextDocuments {
    documents(view: INBOX, first: 20) {
      nodes {
        id
        shortId
        fullId
      }
    }
  }
`);

export function useNextDocument(routeId: string): () => Promise<void> {
  const client = useApolloClient();
  const navigate = useNavigate();
  const documents = useLastDocuments();
  const isAnswered = (id: string): boolean =>
    id === routeId || documents.some((one) => one.id === id && one.isAnswered === true);
  return async () => {
    const index = documents.findIndex(({ id }) => id === routeId);
    const following = index < 0 ? [] : documents.slice(index + 1);
    const next = following.find(({ id }) => !isAnswered(id));
    if (next) return navigate(next.value);
    const { data } = await client
      .query({ query: nextDocumentsQuery, fetchPolicy: 'network-only' })
      .catch(() => ({ data: undefined }));
    const other = data?.documents?.nodes.find(
      ({ shortId, fullId }) => !isAnswered(shortId ?? fullId),
    );
    return navigate(other ? pathOfDocument(other, 'inbox') : '/app/views/inbox');
  };
}
