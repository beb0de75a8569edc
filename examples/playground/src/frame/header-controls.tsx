import { useEffect, useState } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { PersonMenu } from '../../../ui/person-menu.tsx';
import { personHash } from '../../../ui/playground-link.ts';
import { useStore } from '../../../ui/store.ts';
import { session } from '../session.ts';
import { settings } from '../settings.ts';

export function HeaderControls() {
  const { people, personId } = useStore(session.state);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (!settings.hasPeople) return;
    session.renew().catch((error: unknown) => setFailure((error as Error).message));
  }, []);
  return (
    <>
      {failure !== '' && <span role="alert">{failure}</span>}
      {people.length > 0 && (
        <PersonMenu
          label="Signed in as"
          people={people}
          personId={personId}
          account="Service account"
          onChoose={session.choose}
        />
      )}
      {settings.hasInbox && (
        <a className="button button-quiet" href={`./${personHash(personId)}`}>
          <Icon name="inbox" />
          Inbox
        </a>
      )}
    </>
  );
}
