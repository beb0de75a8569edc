import { useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import type { Interruption } from '../../client/failure.ts';
import { useStore } from '../../../../ui/store.ts';
import { TemporaryButton } from '../../components/temporary-button.tsx';
import { useFormat } from '../../language/format.ts';
import { useText, type Label } from '../../language/text.ts';
import { connectionState, type ConnectionState } from './connection.ts';

const explanations: Readonly<Record<Interruption, Label>> = {
  dms: 'The document service is not available.',
  gateway: 'The gateway cannot be reached.',
  restart: 'The gateway is restarting.',
  'rate-limit': 'There were too many requests.',
  'sign-in': 'You are signed out.',
};

function explain(interruption: Interruption): Label {
  return interruption === 'gateway' && !navigator.onLine
    ? 'You are offline.'
    : explanations[interruption];
}

/** Says that the DMS or the gateway is not available, and when the data is requested again. It disappears afterwards. */
export function ConnectionBanner() {
  const t = useText();
  const announce = useAnnounce();
  const state = useStore(connectionState);
  const wasInterrupted = useRef(false);
  const interruption = state?.interruption;
  useEffect(() => {
    if (interruption !== undefined) announce(t(explain(interruption)));
    else if (wasInterrupted.current) announce(t('The connection is back. The data is current.'));
    wasInterrupted.current = interruption !== undefined;
  }, [announce, interruption, t]);
  return state && <Interrupted state={state} />;
}

function Interrupted({ state }: { readonly state: ConnectionState }) {
  const { interruption, lastSuccessAt, retryAt, retry } = state;
  const t = useText();
  const format = useFormat();
  const seconds = useSecondsUntil(retryAt);
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return (
    <section
      className="notice notice-warning stack-small connection-banner"
      aria-label={t('Connection')}
    >
      <p>
        <strong>{t(explain(interruption))}</strong>{' '}
        {lastSuccessAt !== null &&
          t('The last data was received at {time}.', { time: format.clock(lastSuccessAt) })}
      </p>
      <div className="row">
        <TemporaryButton
          onClick={retry}
          aria-disabled={retryAt === null}
          onFocusLost={() => document.getElementById('main')?.focus()}
        >
          {t('Try now')}
        </TemporaryButton>
        <span>
          {seconds === null
            ? t('Trying again…')
            : t('Next attempt in {seconds} s.', { seconds: format.count(seconds) })}
        </span>
      </div>
    </section>
  );
}

function useSecondsUntil(moment: number | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (moment === null) return null;
  // `now` can be older than the moment's own start.
  return Math.max(1, Math.ceil((moment - now) / 1000));
}
