import { useEffect, useRef } from 'react';

/**
 * Shows the first field that an attempt to send a form has found faulty, and moves the focus to it, so that a screen reader
 * reads what is wrong. A button cannot be marked as invalid: the one that selects files is described by their issue.
 *
 * @param attempt another one for each attempt, which has found something if `isFaulty`
 */
export function useFocusInvalid(attempt: object, isFaulty: boolean): void {
  const seen = useRef(attempt);
  useEffect(() => {
    if (seen.current === attempt || !isFaulty) return;
    seen.current = attempt;
    const invalid = 'main [aria-invalid="true"], main button[aria-describedby$="-issue"]';
    const field = document.querySelector<HTMLElement>(invalid);
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [attempt, isFaulty]);
}
