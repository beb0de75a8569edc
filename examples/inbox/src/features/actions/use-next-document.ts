import { useApolloClient } from '@apollo/client/react';
import { useNavigate } from 'react-router';
import { pathOfDocument } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import { useNeighbours } from '../views/last-view.tsx';

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
  const { following, isAnswered } = useNeighbours(routeId);
  return async () => {
    const next = following.find(({ globalId }) => !isAnswered(globalId));
    if (next) return navigate(next.value);
    const { data } = await client
      .query({ query: nextDocumentsQuery, fetchPolicy: 'network-only' })
      .catch(() => ({ data: undefined }));
    const other = data?.documents?.nodes.find(
      ({ id, shortId, fullId }) => (shortId ?? fullId) !== routeId && !isAnswered(id),
    );
    return navigate(other ? pathOfDocument(other, 'inbox') : '/app/views/inbox');
  };
}
