import { skipToken, useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import {
  mayMove,
  phaseActionsIn,
  responseActionsIn,
  runningStatus,
} from '../../domain/workflow.ts';
import { graphql } from '../../gql/index.ts';
import type { DocumentFilter } from '../../gql/graphql.ts';
import { useSessionState } from '../session/session-context.tsx';

/** What waits for the user. To ask a document for its response would make the DMS create one. */
const awaitedDocumentsQuery = graphql(`
  query AwaitedDocuments($filter: DocumentFilter) {
    documents(view: INBOX, filter: $filter, first: 100) {
      nodes {
        id
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

export interface ActionTarget {
  readonly id: string;
  readonly state: number | null;
  readonly status: number | null;
  readonly author: { readonly systemId: string } | null;
}

export type AllowedActions = ReturnType<typeof useAllowedActions>;

/**
 * Returns what the user can do with one document. With changes, which stay open until they are sent or discarded, no
 * response is possible that would drop them: none at all if somebody else has responded.
 *
 * @param revision another one means that it must be looked up again
 */
export function useAllowedActions(
  document: ActionTarget,
  revision: number | null | undefined,
  hasChanges: boolean,
) {
  const { state, status, author } = document;
  const awaited = useAwaitedIds(
    status === runningStatus
      ? { state, status, authors: author ? [author.systemId] : null }
      : skipToken,
    revision,
  );
  const mayMoveDocument = useMayMove();
  const responses = awaited.has(document.id) ? responseActionsIn(state) : [];
  return {
    edits: hasChanges || responses.includes('APPROVE_WITH_EDITS'),
    responses: hasChanges ? responses.filter((one) => one.startsWith('APPROVE')) : responses,
    moves: mayMoveDocument(document) ? phaseActionsIn(state) : [],
    isLoading: awaited.isLoading,
  };
}

export function useAwaitedIds(
  filter: DocumentFilter | typeof skipToken,
  revision: number | null | undefined,
) {
  const { data, loading, refetch } = useQuery(
    awaitedDocumentsQuery,
    filter === skipToken
      ? skipToken
      : {
          variables: { filter },
          fetchPolicy: 'cache-and-network', // others respond, too
        },
  );
  const isActive = filter !== skipToken;
  const seenRevision = useRef(revision);
  useEffect(() => {
    if (seenRevision.current === revision) return;
    seenRevision.current = revision;
    if (isActive) refetch().catch(() => {}); // what was known stays
  }, [isActive, revision, refetch]);
  const documents = isActive ? data?.documents : null; // Apollo Client keeps those of a filter before
  const ids = new Set(documents?.nodes.map(({ id }) => id));
  // After the first hundred, nothing is known: the DMS decides.
  const isPartial = documents?.pageInfo.hasNextPage === true;
  return { has: (id: string) => isPartial || ids.has(id), isLoading: loading && !data };
}

/** Returns a function that tells whether the user may move a document. The roles are those of the sandbox's people. */
export function useMayMove(): (document: ActionTarget) => boolean {
  const { people, personId } = useSessionState();
  const person = people.find(({ systemId }) => systemId === personId);
  return ({ author }) => person === undefined || mayMove(person, author?.systemId);
}
