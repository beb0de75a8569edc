import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { focusPageHeading } from '../../app/page.tsx';
import { useStore } from '../../../../ui/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { views } from '../../domain/view.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import { useViewCounts } from '../views/use-view-counts.ts';
import { delayedActions, delayS, takeBack } from './delayed-actions.ts';
import './delayed-action-toast.css';

export function DelayedActionToast() {
  const t = useText();
  const format = useFormat();
  const entries = useStore(delayedActions);
  const announce = useAnnounce();
  const navigate = useNavigate();
  const count = useViewCounts()(views[0]!);
  const last = entries.at(-1);
  const message = last?.action.message;
  const waiting = entries.filter(({ phase }) => phase === 'waiting');
  const undo = (): void => {
    const actions = takeBack();
    // A document keeps what was entered, a selection would be lost.
    const origin = actions.find(({ selection }) => selection) ?? actions[0];
    if (!origin) return;
    announce(t('Taken back: {actions}', { actions: messagesOf(waiting) }));
    void navigate(origin.path, { state: actions.flatMap(({ selection }) => selection ?? []) });
  };
  useKeys({ ...(waiting.length > 0 && { u: undo }) });
  useEffect(() => {
    if (message !== undefined)
      announce(t('{message}. You can take it back for 5 seconds.', { message }));
  }, [announce, message, t]);
  if (!last) return null;
  return (
    <section className="toast popup" aria-label={t('Last action')}>
      <Icon name={waiting.length > 0 ? 'clock' : 'check'} />
      <span>{waiting.length > 1 ? messagesOf(waiting) : message}</span>
      {last.action.leaving.length > 0 && count !== null && (
        <span className="muted">{t('{count} left', { count: format.count(count) })}</span>
      )}
      {waiting.length > 0 && (
        <button
          type="button"
          className="button"
          onClick={() => {
            focusPageHeading(); // the button disappears
            undo();
          }}
        >
          {waiting.length === 1
            ? t('Undo')
            : t('Undo all {count}', { count: format.count(waiting.length) })}
          <Countdown key={message} />
        </button>
      )}
    </section>
  );
}

function messagesOf(entries: readonly { readonly action: { readonly message: string } }[]): string {
  return entries.map(({ action }) => action.message).join(', ');
}

function Countdown() {
  const [seconds, setSeconds] = useState(delayS);
  useEffect(() => {
    const interval = setInterval(() => setSeconds((before) => Math.max(1, before - 1)), 1000);
    return () => clearInterval(interval);
  }, []);
  return (
    <span className="muted" aria-hidden="true">
      {seconds}
    </span>
  );
}
