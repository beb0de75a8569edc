import { useEffect, useRef, type RefObject } from 'react';

/** Returns a ref that is true while the component is on the page, and false after the user has left it. */
export function useIsShown(): Readonly<RefObject<boolean>> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
