import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { createStore, useStore } from '../../client/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { views } from '../../domain/view.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import { useViewCounts } from '../views/use-view-counts.ts';
import type { MutationFailure } from './mutation-problem.tsx';
import './delayed-action.css';

/** An action that is sent a moment after the click, unless the user takes it back. */
interface DelayedAction {
  /** What it does, such as `Approve: DOC-0042`. */
  readonly message: string;
  /** Path of the document. */
  readonly path: string;
  /** Whether one document less awaits the user afterwards. */
  readonly isResponse: boolean;
  /** Sends it, and resolves with why it failed, or with null. */
  readonly send: () => Promise<MutationFailure | null>;
  /** Called with the failure. The user can be anywhere by then. */
  readonly onFailed: (failure: MutationFailure) => void;
}

interface State {
  readonly action: DelayedAction;
  readonly phase: 'waiting' | 'sending' | 'done';
}

/** Time to take an action back, and for which its result is shown, in seconds. */
const delayS = 5;

/** The last action. Null: none, or its result was shown. */
export const delayedAction = createStore<State | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends an action in a moment, and another one that still waits at once. */
export function sendLater(action: DelayedAction): void {
  void sendNow();
  change({ action, phase: 'waiting' }, () => void sendNow());
}

/** Sends the action that waits. Without effect if there is none. */
export async function sendNow(): Promise<void> {
  const state = delayedAction.get();
  if (state?.phase !== 'waiting') return;
  const { action } = state;
  change({ action, phase: 'sending' });
  const failure = await action.send();
  if (failure) action.onFailed(failure);
  if (delayedAction.get()?.action !== action) return; // there is another one
  if (failure) change(null);
  else change({ action, phase: 'done' }, () => change(null));
}

function change(state: State | null, then?: () => void): void {
  clearTimeout(timer);
  timer = then && setTimeout(then, delayS * 1000);
  delayedAction.set(state);
}

// The tab must not be closed with an action that the user believes to be sent.
window.addEventListener('beforeunload', (event) => {
  if ([undefined, 'done'].includes(delayedAction.get()?.phase)) return;
  event.preventDefault();
});

/** Says which action is sent in a moment, with a button that takes it back, and how many documents are left. */
export function DelayedActionToast() {
  const t = useText();
  const state = useStore(delayedAction);
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { message, path } = state?.action ?? {};
  const isWaiting = state?.phase === 'waiting';
  const takeBack = (): void => {
    change(null);
    announce(t('Taken back'));
    void navigate(path!);
  };
  useKeys({ ...(isWaiting && { u: takeBack }) });
  useEffect(() => {
    if (message !== undefined)
      announce(t('{message}. You can take it back for 5 seconds.', { message }));
  }, [announce, message, t]);
  if (!state) return null;
  return (
    <section className="toast popup" aria-label={t('Last action')}>
      <Icon name={isWaiting ? 'clock' : 'check'} />
      <span>{message}</span>
      {state.action.isResponse && <Left isDone={state.phase === 'done'} />}
      {isWaiting && (
        <button type="button" className="button" onClick={takeBack}>
          {t('Undo')}
          <Countdown key={message} />
        </button>
      )}
    </section>
  );
}

/** The number of documents that await the user, without the one whose response is on its way. */
function Left({ isDone }: { readonly isDone: boolean }) {
  const t = useText();
  const format = useFormat();
  const count = useViewCounts()(views[0]!);
  if (count === null) return null;
  const left = Math.max(0, isDone ? count : count - 1);
  return <span className="muted">{t('{count} left', { count: format.count(left) })}</span>;
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
