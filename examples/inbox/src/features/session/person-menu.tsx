import { useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useSession, useSessionState } from './session-context.tsx';
import './person-menu.css';

/** The choice of who uses the application. Absent if the gateway offers none. */
export function PersonMenu() {
  const id = useId();
  const session = useSession();
  const { people, personId } = useSessionState();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  if (people.length === 0) return null;
  const choose = (value: string): void => {
    const chosen = people.find(({ systemId }) => systemId === value);
    session.choose(chosen?.systemId ?? null);
    announce(`Signed in as ${chosen?.name ?? 'the service account'}`);
    // The route stays, but another person has other pages and may not see the same document.
    const params = new URLSearchParams(search);
    params.delete('page');
    const state = { isOtherPerson: true };
    void navigate({ pathname, search: params.toString(), hash }, { replace: true, state });
  };
  return (
    <div className="person-menu">
      <label htmlFor={id}>Signed in as</label>
      <select
        id={id}
        value={personId ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">Service account</option>
        {people.map(({ systemId, name, unit, roles }) => (
          <option key={systemId} value={systemId}>
            {[name, unit, ...(roles.length > 0 ? ['administrator'] : [])].join(' · ')}
          </option>
        ))}
      </select>
    </div>
  );
}
