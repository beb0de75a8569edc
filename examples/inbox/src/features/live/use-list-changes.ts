import { useApolloClient } from '@apollo/client/react';
import { useEffect, useEffectEvent } from 'react';
import { graphql } from '../../gql/index.ts';
import type {
  WatchDocumentsSubscription,
  WatchDocumentsSubscriptionVariables,
} from '../../gql/graphql.ts';
import { watch } from './watch.ts';

const watchDocumentsSubscription = graphql(`
  subscription WatchDocuments($view: DocumentView!, $filter: DocumentFilter, $first: Int!) {
    documentsChanged(view: $view, filter: $filter, first: $first) {
      added {
        id
        meta {
          revision
        }
      }
      changed {
        id
        meta {
          revision
        }
      }
      removedIds
      totalCount
    }
  }
`);

const maxWatched = 100;

export interface ListChange {
  readonly updatedIds: readonly string[];
  readonly removedIds: readonly string[];
}

interface ListState {
  readonly revisions: ReadonlyMap<string, number | null>;
  readonly totalCount: number | null;
}

export function useListChanges(
  { view, filter, first }: WatchDocumentsSubscriptionVariables,
  onChange: (change: ListChange) => void,
): void {
  const client = useApolloClient();
  const report = useEffectEvent(onChange);
  const filterText = JSON.stringify(filter);
  useEffect(() => {
    let known: ListState | null = null;
    return watch(client, {
      query: watchDocumentsSubscription,
      variables: {
        view,
        filter: JSON.parse(filterText) as typeof filter & {},
        first: Math.min(first, maxWatched),
      },
      onEvent({ documentsChanged: event }, isFirst) {
        const before = known;
        known = stateAfter(isFirst ? null : before, event);
        const change = before && changeBetween(before, known);
        if (change) report(change);
        return true;
      },
    });
  }, [client, view, filterText, first]);
}

type Event = WatchDocumentsSubscription['documentsChanged'];

function stateAfter(before: ListState | null, event: Event): ListState {
  const revisions = new Map(before?.revisions);
  for (const id of event.removedIds) revisions.delete(id);
  for (const { id, meta } of [...event.added, ...event.changed]) {
    revisions.set(id, meta?.revision ?? null);
  }
  return { revisions, totalCount: event.totalCount };
}

function changeBetween(before: ListState, after: ListState): ListChange | null {
  const changedIds: string[] = [];
  const addedIds: string[] = [];
  for (const [id, revision] of after.revisions) {
    if (!before.revisions.has(id)) addedIds.push(id);
    else if (before.revisions.get(id) !== revision) changedIds.push(id);
  }
  const removedIds = [...before.revisions.keys()].filter((id) => !after.revisions.has(id));
  const isSame = addedIds.length + changedIds.length + removedIds.length === 0;
  if (isSame && before.totalCount === after.totalCount) return null;
  // A document can enter the watched part because another one has left it.
  const isNew = (after.totalCount ?? Infinity) > (before.totalCount ?? 0);
  const isShorter = (after.totalCount ?? 0) < (before.totalCount ?? Infinity);
  return {
    updatedIds: isNew ? [...addedIds, ...changedIds] : changedIds,
    removedIds: isShorter ? removedIds : [],
  };
}
