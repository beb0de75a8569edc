import { useApolloClient } from '@apollo/client/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useText } from '../../language/text.ts';
import { useListChanges } from '../live/use-list-changes.ts';
import { toDocumentFilter } from './filter-state.ts';
import { pageSize, type ListPosition } from './use-document-list.ts';

/** What someone else has done with a document: changed it, or so that it no longer belongs to the view. */
export type RowChange = 'updated' | 'leaving';

interface RowChanges {
  readonly key: string;
  readonly byId: ReadonlyMap<string, RowChange>;
  readonly isLeaving: boolean;
}

/** Time that a row has to say that it leaves, in milliseconds. */
const leavingMs = 5000;

const none: RowChanges = { key: '', byId: new Map(), isLeaving: false };

export function useRowChanges(
  key: string,
  { view, filter, order, page }: ListPosition,
  shownIds: readonly string[],
  reload: () => Promise<void>,
): ReadonlyMap<string, RowChange> {
  const t = useText();
  const announce = useAnnounce();
  const client = useApolloClient();
  const [state, setState] = useState(none);
  const { byId } = state.key === key ? state : none;
  const isLeaving = state.key === key && state.isLeaving;
  const removeRows = useEffectEvent((): void => {
    setState({ ...state, isLeaving: false });
    void reload();
  });
  useEffect(() => {
    if (!isLeaving) return undefined;
    const timer = setTimeout(() => removeRows(), leavingMs);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  // A subscription follows the order of the DMS: of a sorted list it watches as many documents as it can.
  const first = order === null ? page * pageSize : Infinity;
  const watched = { view: view.value, filter: toDocumentFilter(filter), first };
  useListChanges(watched, ({ updatedIds, removedIds }) => {
    const isOwn = mutationsInFlight.get() > 0;
    const leavingIds = isOwn ? [] : removedIds.filter((id) => shownIds.includes(id));
    if (leavingIds.length === 0) void reload();
    if (isOwn) return;
    void client.refetchQueries({ include: ['ViewCounts'] }).catch(() => {}); // the old numbers stay
    setState({
      key,
      isLeaving: isLeaving || leavingIds.length > 0,
      byId: new Map([
        ...byId,
        ...updatedIds.map((id) => [id, 'updated'] as const),
        ...leavingIds.map((id) => [id, 'leaving'] as const),
      ]),
    });
    announce(
      t(
        leavingIds.length === 0
          ? 'The list was updated.'
          : 'Documents were changed, and leave this view.',
      ),
    );
  });
  return byId;
}
