import { useSyncExternalStore } from 'react';

const wide = matchMedia('(width >= 1280px)');
const narrow = matchMedia('(width < 760px)');

export function isWide(): boolean {
  return wide.matches;
}

/** Whether the result is below the editor. `styles/frame.css` has the same width. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
