import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const AnnounceContext = createContext<(message: ReactNode) => void>(() => {});

export function Announcer({ children }: { readonly children: ReactNode }) {
  const [message, setMessage] = useState<ReactNode>('');
  const announce = useCallback((next: ReactNode) => {
    // The same text twice is a change only if the region was empty in between.
    setMessage('');
    requestAnimationFrame(() => setMessage(next));
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="visually-hidden">
        {message}
      </div>
    </AnnounceContext>
  );
}

/** Returns a function that announces a result to screen readers. Everybody else must see it on the page as well. */
export function useAnnounce(): (message: ReactNode) => void {
  return useContext(AnnounceContext);
}
