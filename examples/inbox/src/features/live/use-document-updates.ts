import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useStore } from '../../../../ui/store.ts';
import { useText, type Label } from '../../language/text.ts';
import { useApolloClient } from '@apollo/client/react';
import { graphql } from '../../gql/index.ts';
import { watch } from './watch.ts';

export type DocumentUpdate = 'shown' | 'pending' | 'gone';

export const updateTexts: Readonly<Record<DocumentUpdate, Label>> = {
  shown: 'The document was changed. You see the current version.',
  pending: 'The document was changed while you are editing. Your entries are kept.',
  gone: 'The document no longer exists, or you are no longer allowed to see it.',
};

interface ShownDocument {
  readonly document:
    | { readonly meta: { readonly revision: number | null } | null }
    | null
    | undefined;
  /** Whether a form is open. Then the document is not read again, so that its revision stays the one the user saw. */
  readonly isEditing: boolean;
  readonly isLoading: boolean;
  readonly read: () => Promise<boolean>;
}

/** Watches the shown document, and reads it again after a change unless the user is editing. */
export function useDocumentUpdates(
  id: string,
  { document, isEditing, isLoading, read }: ShownDocument,
): DocumentUpdate | null {
  const t = useText();
  const announce = useAnnounce();
  const live = useDocumentChanges(id);
  const isWriting = useStore(mutationsInFlight) > 0;
  const [shownFor, setShownFor] = useState<string | null>(null);
  const shown = document?.meta?.revision ?? null;
  const isOutdated =
    Boolean(document) && // an absent document has no version to replace
    !isWriting && // the change can be the user's own
    live !== null &&
    (live.isGone || (live.revision !== null && shown !== null && live.revision > shown));
  const update = !isOutdated
    ? shownFor === id
      ? 'shown'
      : null
    : live.isGone
      ? 'gone'
      : 'pending';

  const handled = useRef('');
  const change = isOutdated && !isLoading ? JSON.stringify([id, live, isEditing]) : null;
  const show = useEffectEvent(async (): Promise<void> => {
    const kind = live?.isGone ? 'gone' : isEditing ? 'pending' : 'shown';
    if (kind !== 'shown') announce(t(updateTexts[kind]));
    if (isEditing) return;
    const isRead = await read();
    setShownFor(id);
    if (kind === 'shown' && isRead) announce(t(updateTexts.shown));
  });
  useEffect(() => {
    // A failed reading is not repeated here.
    if (change === null || handled.current === change) return;
    handled.current = change;
    void show();
  }, [change]);
  return update;
}

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

function useDocumentChanges(id: string): LiveState {
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
