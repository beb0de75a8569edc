import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useText } from '../../language/text.ts';
import { useListChanges } from '../live/use-list-changes.ts';
import { toDocumentFilter } from './filter-state.ts';
import { pageSize, type ListPosition } from './use-document-list.ts';

/** Documents that have changed since a list was opened. */
interface Updated {
  readonly key: string;
  readonly ids: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * Reads a list again after each change, and returns the global IDs of the documents that others have changed since it was
 * opened.
 *
 * @param key identifies the view, its filter and the page
 */
export function useUpdatedIds(
  key: string,
  { view, filter, order, page }: ListPosition,
  reload: () => Promise<void>,
): ReadonlySet<string> {
  const t = useText();
  const announce = useAnnounce();
  const client = useApolloClient();
  const [updated, setUpdated] = useState<Updated>({ key: '', ids: none });
  const updatedIds = updated.key === key ? updated.ids : none;
  // A subscription follows the order of the DMS: of a sorted list it watches as many documents as it can.
  const first = order === null ? page * pageSize : Infinity;
  const watched = { view: view.value, filter: toDocumentFilter(filter), first };
  useListChanges(watched, (change) => {
    void reload();
    if (mutationsInFlight.get() > 0) return; // the change of this user
    void client.refetchQueries({ include: ['ViewCounts'] }).catch(() => {}); // the old numbers stay
    setUpdated({ key, ids: new Set([...updatedIds, ...change.updatedIds]) });
    announce(t('The list was updated.'));
  });
  return updatedIds;
}
