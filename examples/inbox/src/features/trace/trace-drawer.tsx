import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createStore, useStore } from '../../client/store.ts';
import { Icon } from '../../components/icon.tsx';
import { useText } from '../../language/text.ts';
import { CallTable } from './call-table.tsx';
import { TraceSummary } from './trace-summary.tsx';
import { tracedOperations } from './trace.ts';
import './trace-drawer.css';

const isDrawerOpen = createStore(false);
const drawerId = 'rest-calls';

/** A button that opens the drawer with the REST calls. */
export function TraceButton() {
  const t = useText();
  const isOpen = useStore(isDrawerOpen);
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-expanded={isOpen}
      aria-controls={isOpen ? drawerId : undefined}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>(':popover-open')?.hidePopover();
        isDrawerOpen.set(!isOpen);
      }}
    >
      <Icon name="calls" />
      {t('REST calls')}
    </button>
  );
}

/** The REST calls behind the last operation, at the bottom of every page, if the user has opened it. */
export function TraceDrawer() {
  const isOpen = useStore(isDrawerOpen);
  const close = (): void => {
    isDrawerOpen.set(false);
    const button = document.querySelector<HTMLElement>(`[aria-controls="${drawerId}"]`);
    button?.focus();
  };
  return isOpen && <Drawer id={drawerId} onClose={close} />;
}

interface DrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Drawer({ id, onClose }: DrawerProps) {
  const t = useText();
  const selectId = useId();
  const operations = useStore(tracedOperations);
  /** Null: the last operation for the content of the page. */
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const shown =
    operations.find((operation) => operation.id === selectedId) ??
    operations.find(({ kind, isBackground }) => kind !== 'subscription' && !isBackground);
  const closeOnEscape = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => closeOnEscape(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <section id={id} className="trace-drawer" aria-labelledby={`${id}-heading`}>
      <div className="trace-drawer-head">
        <h2 id={`${id}-heading`} ref={heading} tabIndex={-1}>
          {t('REST calls')}
        </h2>
        <div className="trace-drawer-choice">
          <label htmlFor={selectId}>{t('Operation')}</label>
          <select
            id={selectId}
            value={selectedId ?? ''}
            onChange={(event) => setSelectedId(Number(event.currentTarget.value) || null)}
          >
            <option value="">{t('The last one')}</option>
            {operations.map(({ id: operationId, name, kind, calls }) => (
              <option key={operationId} value={operationId}>
                {t('{kind} {name} (calls: {count})', { kind, name, count: calls.length })}
              </option>
            ))}
          </select>
        </div>
        <button type="button" className="button" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
      {shown && <TraceSummary operation={shown} />}
      {!shown ? (
        <p className="muted">{t('The gateway has not reported any calls.')}</p>
      ) : shown.calls.length === 0 ? (
        <p className="muted">{t('{name} needed no REST call.', { name: shown.name })}</p>
      ) : (
        <CallTable name={shown.name} calls={shown.calls} />
      )}
    </section>
  );
}
