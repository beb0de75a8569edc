import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { createStore } from '../../../ui/store.ts';
import { useText } from '../language/text.ts';

export const unsavedEntries = createStore(false);

interface GuardOptions extends Pick<LeaveDialogProps, 'keptText' | 'lostText'> {
  readonly isLostOnReload?: boolean;
  readonly onDiscard?: () => void;
}

export function useUnsavedGuard(hasUnsaved: boolean, options: GuardOptions = {}) {
  const { isLostOnReload = hasUnsaved, onDiscard, ...texts } = options;
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
      <LeaveDialog
        {...texts}
        onStay={blocker.reset}
        onLeave={blocker.proceed}
        onDiscard={() => {
          onDiscard?.();
          blocker.proceed();
        }}
      />
    ),
    release: (): void => {
      isReleased.current = true;
    },
  };
}

interface LeaveDialogProps {
  readonly keptText?: string;
  readonly lostText?: string | false;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onDiscard?: () => void;
}

export function LeaveDialog(props: LeaveDialogProps) {
  const { keptText, lostText, onStay, onLeave, onDiscard } = props;
  const t = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  // Closing the dialog returns the focus to where it was.
  const close = (): void => dialog.current?.close();
  const leave = (then: () => void): void => {
    isLeaving.current = true;
    close();
    then();
  };
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
        <p>{keptText ?? t('What you entered is not saved.')}</p>
        {lostText && <p>{lostText}</p>}
        <div className="row">
          <button type="button" className="button button-primary" onClick={close}>
            {t('Stay')}
          </button>
          {keptText !== undefined && (
            <button type="button" className="button" onClick={() => leave(onLeave)}>
              {t('Leave')}
            </button>
          )}
          <button
            type="button"
            className="button button-danger"
            onClick={() => leave(onDiscard ?? onLeave)}
          >
            {t(keptText === undefined ? 'Leave and discard' : 'Discard the draft')}
          </button>
        </div>
      </div>
    </dialog>
  );
}
