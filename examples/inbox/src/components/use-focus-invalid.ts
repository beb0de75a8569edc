import { useEffect, useRef } from 'react';

/**
 * Shows the first field that is faulty after an attempt to send a form, and moves the focus to it, so that a screen reader
 * reads what is wrong. A button cannot be marked as invalid: the one that selects files is described by their issue.
 *
 * @param attempt another one for each attempt, which has found something if `isFaulty`
 */
export function useFocusInvalid(attempt: object, isFaulty: boolean): void {
  const seen = useRef<object>(null);
  useEffect(() => {
    if (seen.current === attempt || !isFaulty) return;
    const invalid = 'main [aria-invalid="true"], main button[aria-describedby$="-issue"]';
    const field = document.querySelector<HTMLElement>(invalid);
    if (!field) return; // it is shown only when its page has been loaded
    seen.current = attempt;
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
  });
}
