/**
 * Ignores Enter while it is held, except in a text of several lines: the browser would activate a button again and again, and
 * each time could store something.
 */
export function ignoreHeldEnter(): void {
  const listen = (event: KeyboardEvent): void => {
    const isText = event.target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey;
    if (!event.repeat || event.key !== 'Enter' || isText) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('keydown', listen, { capture: true });
}

/** Returns the key of the Latin layout at the same place, if the layout has no Latin letters, and else the empty text. */
export function latinKeyOf({ code, key, shiftKey }: KeyboardEvent): string {
  if (code === 'Slash' && /^[.,]$/.test(key)) return shiftKey ? '?' : '/';
  if (!/^[^\0-\x7f]$/.test(key)) return '';
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? '';
}
