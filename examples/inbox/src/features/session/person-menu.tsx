import { useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { sendNow } from '../actions/delayed-actions.ts';
import { LeaveDialog, unsavedEntries } from '../../components/unsaved-guard.tsx';
import { useSession, useSessionState } from './session-context.tsx';
import { useText } from '../../language/text.ts';
import './person-menu.css';

/** The choice of who uses the application. Absent if the gateway offers none. */
export function PersonMenu() {
  const t = useText();
  const id = useId();
  const session = useSession();
  const { people, personId } = useSessionState();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  /** The choice that would discard entries of the current person. */
  const [pending, setPending] = useState<string | null>(null);
  if (people.length === 0) return null;
  const choose = (value: string): void => {
    setPending(null);
    sendNow(); // the click was that of this person
    const chosen = people.find(({ systemId }) => systemId === value);
    session.choose(chosen?.systemId ?? null);
    announce(t('Signed in as {name}', { name: chosen?.name ?? t('Service account') }));
    // The route stays, but another person has other pages and may not see the same document.
    const params = new URLSearchParams(search);
    params.delete('page');
    const state = { isOtherPerson: true };
    void navigate({ pathname, search: params.toString(), hash }, { replace: true, state });
  };
  return (
    <div className="person-menu">
      <label htmlFor={id}>{t('Signed in as')}</label>
      <select
        id={id}
        value={personId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          unsavedEntries.get() ? setPending(value) : choose(value)
        }
      >
        <option value="">{t('Service account')}</option>
        {people.map(({ systemId, name, unit, roles }) => (
          <option key={systemId} value={systemId}>
            {[name, unit, ...roles].join(' · ')}
          </option>
        ))}
      </select>
      {pending !== null && (
        <LeaveDialog onStay={() => setPending(null)} onLeave={() => choose(pending)} />
      )}
    </div>
  );
}
