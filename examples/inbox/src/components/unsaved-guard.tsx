import { useEffect, useRef, type ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { createStore } from '../client/store.ts';
import { useText } from '../language/text.ts';

/** Whether the page has entries that would be lost. */
export const unsavedEntries = createStore(false);

interface UnsavedGuard {
  /** The question. Render it anywhere. */
  readonly dialog: ReactNode;
  /** Lets the next navigation pass: what was entered is saved. */
  readonly release: () => void;
}

/**
 * Asks before the user leaves the page with unsaved entries, by a link or the Back button. One component of a page can
 * use it.
 *
 * @param isLostOnReload whether the browser asks when the tab is closed or reloaded. Default: as for links.
 */
export function useUnsavedGuard(hasUnsaved: boolean, isLostOnReload = hasUnsaved): UnsavedGuard {
  const isReleased = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      hasUnsaved && !isReleased.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!hasUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (isLostOnReload) window.addEventListener('beforeunload', ask);
    unsavedEntries.set(true);
    return () => {
      unsavedEntries.set(false);
      window.removeEventListener('beforeunload', ask);
    };
  }, [hasUnsaved, isLostOnReload]);
  return {
    dialog: blocker.state === 'blocked' && (
      <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
    ),
    release: () => {
      isReleased.current = true;
    },
  };
}

interface LeaveDialogProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks whether to discard what was entered. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  const t = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  // Closing the dialog returns the focus to where it was.
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className="card dialog"
      aria-labelledby="leave-heading"
      onClose={() => {
        if (!isLeaving.current) onStay();
      }}
    >
      <div className="stack">
        <h2 id="leave-heading">{t('Leave this page?')}</h2>
        <p>{t('What you entered is not saved.')}</p>
        <div className="row">
          <button type="button" className="button button-primary" onClick={close}>
            {t('Stay')}
          </button>
          <button
            type="button"
            className="button button-danger"
            onClick={() => {
              isLeaving.current = true;
              close();
              onLeave();
            }}
          >
            {t('Leave and discard')}
          </button>
        </div>
      </div>
    </dialog>
  );
}
