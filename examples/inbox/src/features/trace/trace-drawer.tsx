import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useStore } from '../../client/store.ts';
import { useText } from '../../language/text.ts';
import { CallTable } from './call-table.tsx';
import { tracedOperations } from './trace.ts';
import './trace-drawer.css';

/** A button that opens a drawer with the REST calls behind the last operation. */
export function TraceDrawer() {
  const t = useText();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('REST calls')}
      </button>
      {isOpen && <Drawer id={id} onClose={close} />}
    </>
  );
}

interface DrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Drawer({ id, onClose }: DrawerProps) {
  const t = useText();
  const selectId = useId();
  const operations = useStore(tracedOperations);
  /** Null: the last operation that is not an event of a subscription. */
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const shown =
    operations.find((operation) => operation.id === selectedId) ??
    operations.find(({ kind }) => kind !== 'subscription');
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
