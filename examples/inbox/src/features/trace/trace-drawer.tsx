import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { TracedOperation } from '../../../../ui/calls.ts';
import { RestCalls } from '../../../../ui/rest-calls.tsx';
import { useStore } from '../../../../ui/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { currentLanguage } from '../../language/language.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { currentScreenId, isDrawerOpen, tracedScreen } from './trace.ts';
import './trace-drawer.css';

const drawerId = 'rest-calls';

export function TraceButton() {
  const t = useText();
  const isOpen = useStore(isDrawerOpen);
  return (
    <button
      type="button"
      className="button button-quiet"
      title={t('REST calls')}
      aria-expanded={isOpen}
      aria-controls={isOpen ? drawerId : undefined}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>(':popover-open')?.hidePopover();
        isDrawerOpen.set(!isOpen);
      }}
    >
      <Icon name="calls" />
      <span>{t('REST calls')}</span>
    </button>
  );
}

function close(): void {
  isDrawerOpen.set(false);
  document.querySelector<HTMLElement>(`[aria-controls="${drawerId}"]`)?.focus();
}

function rankOf({ name }: TracedOperation): number {
  return ['DocumentList', 'DocumentPage'].includes(name) ? 0 : 1;
}

export function TraceDrawer() {
  return useStore(isDrawerOpen) && <Drawer />;
}

function Drawer() {
  const t = useText();
  const language = useStore(currentLanguage);
  useLocation(); // the screen changes with it
  const { personId } = useSessionState();
  const { id, operations } = useStore(tracedScreen);
  const isReported = id === currentScreenId() && operations.some(({ kind }) => kind !== 'file');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <section id={drawerId} className="trace-drawer" aria-labelledby={`${drawerId}-heading`}>
      <div className="trace-drawer-head">
        <h2 id={`${drawerId}-heading`} ref={heading} tabIndex={-1}>
          {t('REST calls')}
        </h2>
        <button
          type="button"
          className="button button-quiet button-icon"
          aria-label={t('Close')}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="trace-drawer-content" tabIndex={0} role="group" aria-label={t('REST calls')}>
        {isReported ? (
          <RestCalls
            operations={operations.toSorted((one, other) => rankOf(one) - rankOf(other))}
            subject="This page"
            personId={personId}
            texts={{ t, language }}
          />
        ) : (
          <p className="muted">{t('The gateway has not reported any calls.')}</p>
        )}
      </div>
    </section>
  );
}
