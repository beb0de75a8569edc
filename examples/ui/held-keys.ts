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
