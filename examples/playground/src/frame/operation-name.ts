import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { createStore, useStore } from '../../../ui/store.ts';

const chosenNames = createStore<Readonly<Record<string, string>>>({});

export function useChooseOperation(): (name: string) => void {
  const id = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  const { setOperationName } = useGraphiQLActions();
  return (name) => {
    chosenNames.set({ ...chosenNames.get(), [id]: name });
    setOperationName(name);
  };
}

/**
 * Keeps the chosen operation of each tab: GraphiQL returns to the first one with each edit.
 *
 * @param linked that of the first tab, if a link names it
 */
export function useOperationName(linked: string | null): void {
  const { tabs, activeTabIndex, operations, operationName } = useGraphiQL((state) => state);
  const { setOperationName } = useGraphiQLActions();
  const id = tabs[activeTabIndex]?.id ?? '';
  const [stored] = useState(
    () => new Map([...tabs.map((tab) => [tab.id, tab.operationName] as const), [id, linked]]),
  );
  const chosen = useStore(chosenNames)[id] ?? stored.get(id);
  const isThere = operations?.some(({ name }) => name?.value === chosen) ?? false;
  useEffect(() => {
    if (chosen && isThere && operationName !== chosen) setOperationName(chosen);
  }, [chosen, isThere, operationName, setOperationName]);
}
