import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { createStore, useStore } from '../../../../ui/store.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { KeyList } from '../../../../ui/key-list.tsx';
import { useText, type Label } from '../../language/text.ts';
import { keysEnabled, setKeysEnabled, useKeys } from './keyboard.ts';

const isHelpOpen = createStore(false);

const keys: readonly (readonly [key: string, does: Label])[] = [
  ['j', 'Next document'],
  ['k', 'Previous document'],
  ['Enter', 'Open the document'],
  ['x', 'Select the document'],
  ['Esc', 'Clear selection'],
  ['a', 'Give the usual response to the document'],
  ['d', 'Decline the document'],
  ['u', 'Take back the last action'],
  ['/', 'Search'],
  ['c', 'New document'],
  ['?', 'Show the keyboard shortcuts'],
];

export function KeyboardHelpButton() {
  const t = useText();
  return (
    <button
      type="button"
      className="button button-quiet"
      title={t('Keyboard shortcuts')}
      onClick={() => isHelpOpen.set(true)}
    >
      <Icon name="keyboard" />
      <span>{t('Keyboard shortcuts')}</span>
    </button>
  );
}

export function KeyboardHelp() {
  const navigate = useNavigate();
  const isOpen = useStore(isHelpOpen);
  useKeys({
    '?': () => isHelpOpen.set(true),
    c: () => void navigate('/app/new'),
  });
  return isOpen && <HelpDialog />;
}

function HelpDialog() {
  const t = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const isEnabled = useStore(keysEnabled);
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    closeButton.current?.focus(); // and not the box that turns the keys off
  }, []);
  return (
    <dialog
      ref={dialog}
      className="card dialog"
      aria-labelledby="keys-heading"
      onClose={() => isHelpOpen.set(false)}
    >
      <div className="stack">
        <h2 id="keys-heading">{t('Keyboard shortcuts')}</h2>
        <KeyList keys={keys.map(([key, does]) => [[key], t(does)])} />
        <label className="choice">
          <input
            type="checkbox"
            checked={isEnabled}
            onChange={(event) => setKeysEnabled(event.currentTarget.checked)}
          />
          {t('Use these shortcuts')}
        </label>
        <div>
          <button
            ref={closeButton}
            type="button"
            className="button button-primary"
            onClick={() => dialog.current?.close()}
          >
            {t('Close')}
          </button>
        </div>
      </div>
    </dialog>
  );
}
