import type { ApolloCache } from '@apollo/client';
import { useEffect, useState } from 'react';
import { isKept } from '../../client/kept-requests.ts';
import { leavingIds, removeLeaving, settleLeaving } from '../../client/leaving-documents.ts';
import { createStore, useStore } from '../../../../ui/store.ts';
import { markAnswered } from '../views/last-view.tsx';

interface DelayedAction {
  readonly message: string;
  readonly path: string;
  /** The selection that the list of the path gets back if the action is taken back. */
  readonly selection?: object;
  readonly leaving: readonly string[];
  /** What is sent, without the operation. */
  readonly entered: unknown;
  readonly cache: ApolloCache;
  readonly send: () => Promise<readonly string[]>;
}

interface Entry {
  readonly action: DelayedAction;
  readonly phase: 'waiting' | 'sending' | 'done';
}

/** Time to take an action back, and for which its result is shown, in seconds. */
export const delayS = 5;

/** Time for which a document is shown before an action on it counts, in milliseconds: longer than a double click. */
const settlingMs = 600;

export const delayedActions = createStore<readonly Entry[]>([]);

let hasActed = false;

export function useIsDelayed(pathname: string): boolean {
  return useStore(delayedActions).some(
    ({ action, phase }) => action.path.split('?')[0] === pathname && phase !== 'done',
  );
}

export function sendLater(action: DelayedAction): void {
  hasActed = true;
  document.addEventListener('click', ignoreDoubleClick, { capture: true });
  leavingIds([...leavingIds(), ...action.leaving]);
  markAnswered(action.leaving, true);
  delayedActions.set([...delayedActions.get(), { action, phase: 'waiting' }]);
  setTimeout(() => void send(action), delayS * 1000);
}

/** The second click of a double click would hit what was behind the button that has disappeared. */
function ignoreDoubleClick(event: MouseEvent): void {
  if (event.detail > 1) {
    event.preventDefault();
    event.stopPropagation();
  } else document.removeEventListener('click', ignoreDoubleClick, { capture: true });
}

export function sendNow(): void {
  for (const { action } of delayedActions.get()) void send(action);
}

export function takeBack(): readonly DelayedAction[] {
  const entries = delayedActions.get();
  const waiting = entries.filter(({ phase }) => phase === 'waiting');
  hasActed = true;
  delayedActions.set(entries.filter((entry) => !waiting.includes(entry)));
  keepInInbox(waiting.flatMap(({ action }) => action.leaving));
  return waiting.map(({ action }) => action);
}

function keepInInbox(ids: readonly string[]): void {
  removeLeaving(ids);
  markAnswered(ids, false);
}

async function send(action: DelayedAction): Promise<void> {
  const entry = delayedActions.get().find((one) => one.action === action);
  if (entry?.phase !== 'waiting') return;
  const { leaving, cache } = action;
  setPhase(action, 'sending');
  const failed = await action.send();
  settleLeaving(
    cache,
    leaving.filter((id) => !failed.includes(id)),
  );
  keepInInbox(failed);
  if (failed.length > 0) setPhase(action, null);
  else {
    setPhase(action, 'done');
    setTimeout(() => setPhase(action, null), delayS * 1000);
  }
}

function setPhase(action: DelayedAction, phase: Entry['phase'] | null): void {
  delayedActions.set(
    delayedActions.get().flatMap((entry) => {
      if (entry.action !== action) return [entry];
      return phase === null ? [] : [{ action, phase }];
    }),
  );
}

// What the user believes to be sent is sent before the page ends or sleeps.
window.addEventListener('pagehide', sendNow);
window.addEventListener('beforeunload', (event) => {
  const unsent = delayedActions.get().filter(({ phase }) => phase !== 'done');
  const entered = JSON.stringify(unsent.map(({ action }) => action.entered));
  if (!isKept(entered, 8000)) event.preventDefault(); // the operations need some
});
document.addEventListener('freeze', sendNow);

/** Whether an action on a page counts: one that led to it can still be going on as a double click. */
export function useIsSettled(isShown: boolean): boolean {
  const [isSettled, setIsSettled] = useState(() => !hasActed);
  useEffect(() => {
    if (isSettled || !isShown) return undefined;
    const timer = setTimeout(() => {
      hasActed = false;
      setIsSettled(true);
    }, settlingMs);
    return () => clearTimeout(timer);
  }, [isSettled, isShown]);
  return isSettled;
}
