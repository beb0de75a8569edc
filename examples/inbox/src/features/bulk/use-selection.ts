import { useRef, useState } from 'react';
import type { BulkResult } from './use-bulk-action.ts';

interface State {
  readonly list: string;
  readonly ids: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, BulkResult>;
}

export type Selection = ReturnType<typeof useSelection>;

export function useSelection(list: string, shownIds: readonly string[]) {
  const [stored, setState] = useState<State>(() => emptyState(list));
  const state = stored.list === list ? stored : emptyState(list);
  const lastToggled = useRef<string | null>(null);
  const ids: ReadonlySet<string> = new Set(shownIds.filter((id) => state.ids.has(id)));

  const toggle = (id: string, isRange: boolean): void => {
    const ends = [shownIds.indexOf(lastToggled.current ?? id), shownIds.indexOf(id)];
    const first = Math.min(...ends);
    const range = isRange && first >= 0 ? shownIds.slice(first, Math.max(...ends) + 1) : [id];
    const others = [...ids].filter((other) => !range.includes(other));
    lastToggled.current = id;
    setState({ ...state, ids: new Set(ids.has(id) ? others : [...others, ...range]) });
  };
  return {
    ids,
    results: state.results,
    toggle,
    selectOnly: (selected: Iterable<string>) => setState({ ...state, ids: new Set(selected) }),
    settle: (results: ReadonlyMap<string, BulkResult>) => {
      const failed = [...results].filter(([, { isDone }]) => !isDone).map(([id]) => id);
      // The user can have gone to another list, and have selected documents there.
      setState((current) =>
        current.list === list ? { list, results, ids: new Set(failed) } : current,
      );
    },
  };
}

function emptyState(list: string): State {
  return { list, ids: new Set(), results: new Map() };
}
