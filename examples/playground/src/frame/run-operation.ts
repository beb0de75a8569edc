import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { create } from 'zustand';

/** Whether to run the operation as soon as the editors are there: GraphiQL ignores who asks before. */
const useWish = create<{ readonly isWanted: boolean }>(() => ({ isWanted: false }));

function useIsReady(): boolean {
  return useGraphiQL(({ queryEditor, responseEditor }) => Boolean(queryEditor && responseEditor));
}

/** Returns the function that runs the operation, or stops its subscription. */
export function useRunOperation(): () => void {
  const isReady = useIsReady();
  const { run } = useGraphiQLActions();
  return () => (isReady ? run() : useWish.setState({ isWanted: true }));
}

/** Runs the operation when the editors are there, and with Ctrl+Enter or ⌘+Enter, wherever the focus is. */
export function useRunKey(): void {
  const isReady = useIsReady();
  const { isWanted } = useWish();
  const runOperation = useRunOperation();
  useEffect(() => {
    if (!isReady || !isWanted) return;
    useWish.setState({ isWanted: false });
    runOperation();
  }, [isReady, isWanted, runOperation]);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      // The editors have done so themselves.
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented)
        return;
      event.preventDefault();
      runOperation();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [runOperation]);
}
