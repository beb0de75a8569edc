import { useEffectEvent, useLayoutEffect } from 'react';
import { ignoreHeldEnter, latinKeyOf } from '../../../../ui/keys.ts';
import { readStorage, writeStorage } from '../../../../ui/storage.ts';
import { createStore } from '../../../../ui/store.ts';

const storageKey = 'inbox.keys';

ignoreHeldEnter();

export const keysEnabled = createStore(readStorage('localStorage', storageKey) !== 'off');

export function setKeysEnabled(isEnabled: boolean): void {
  keysEnabled.set(isEnabled);
  writeStorage('localStorage', storageKey, isEnabled ? null : 'off');
}

export function useKeys(commands: Readonly<Record<string, () => void>>): void {
  const run = useEffectEvent((event: KeyboardEvent): void => {
    const command = commands[event.key] ?? commands[latinKeyOf(event)];
    if (command === undefined || !keysEnabled.get() || event.defaultPrevented) return;
    if (event.repeat) return; // one decision takes one press
    if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
    event.preventDefault();
    command();
  });
  // As soon as a page is shown, its keys work, and those of the page before do not.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => run(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('select, textarea, input:not([type="checkbox"], [type="radio"])');
}
