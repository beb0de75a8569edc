import { useState } from 'react';
import { PersonMenu as PeopleMenu } from '../../../../ui/person-menu.tsx';
import { useLocation, useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { sendNow } from '../actions/delayed-actions.ts';
import { LeaveDialog, unsavedEntries } from '../../components/unsaved-guard.tsx';
import { useSession, useSessionState } from './session-context.tsx';
import { useText } from '../../language/text.ts';

export function PersonMenu() {
  const t = useText();
  const session = useSession();
  const { people, personId } = useSessionState();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  /** The choice that would discard entries of the current person. */
  const [pending, setPending] = useState<string | null | undefined>(undefined);
  if (people.length === 0) return null;
  const choose = (value: string | null): void => {
    setPending(undefined);
    sendNow(); // the click was that of this person
    const chosen = people.find(({ systemId }) => systemId === value);
    announce(t('Signed in as {name}', { name: chosen?.name ?? t('Service account') }));
    // The route stays, but another person has other pages and may not see the same document.
    const params = new URLSearchParams(search);
    params.delete('page');
    const state = { isOtherPerson: true };
    void navigate({ pathname, search: params.toString(), hash }, { replace: true, state });
    session.choose(chosen?.systemId ?? null);
  };
  return (
    <>
      <PeopleMenu
        label={t('Signed in as')}
        people={people}
        personId={personId}
        account={t('Service account')}
        onChoose={(id) => (unsavedEntries.get() ? setPending(id) : choose(id))}
      />
      {pending !== undefined && (
        <LeaveDialog onStay={() => setPending(undefined)} onLeave={() => choose(pending)} />
      )}
    </>
  );
}
