import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { graphql } from '../../gql/index.ts';
import { watch } from './watch.ts';

const watchDocumentSubscription = graphql(`
  subscription WatchDocument($id: ID!) {
    documentChanged(id: $id) {
      id
      meta {
        revision
      }
    }
  }
`);

/** The state of a document in the DMS. Null: not known yet. */
type LiveState = { readonly isGone: boolean; readonly revision: number | null } | null;

export function useDocumentChanges(id: string): LiveState {
  const client = useApolloClient();
  const [live, setLive] = useState<{ id: string; state: LiveState }>({ id, state: null });
  useEffect(
    () =>
      watch(client, {
        query: watchDocumentSubscription,
        variables: { id },
        onEvent({ documentChanged: changed }) {
          const revision = changed?.meta?.revision ?? null;
          setLive({ id, state: { isGone: changed === null, revision } });
          return changed !== null;
        },
      }),
    [client, id],
  );
  return live.id === id ? live.state : null;
}
