import { useEffect, useState } from 'react';
import { PersonMenu } from '../../../ui/person-menu.tsx';
import { personHash } from '../../../ui/playground-link.ts';
import { choosePerson, renewTokens, usePeople } from '../people.ts';
import { settings } from '../settings.ts';

export function HeaderControls() {
  const { people, chosenId } = usePeople();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (!settings.hasPeople) return;
    renewTokens().catch((error: unknown) => setFailure((error as Error).message));
  }, []);
  return (
    <>
      {failure !== '' && <span role="alert">{failure}</span>}
      {people.length > 0 && (
        <PersonMenu
          label="Signed in as"
          people={people}
          personId={chosenId}
          account="Service account"
          onChoose={choosePerson}
        />
      )}
      {settings.hasInbox && (
        <a className="button" href={`./${personHash(chosenId)}`}>
          Inbox
        </a>
      )}
    </>
  );
}
