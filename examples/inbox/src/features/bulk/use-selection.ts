import { useRef, useState } from 'react';
import type { BulkResult } from './use-bulk-action.ts';

interface State {
  /** The list to which the rest belongs. */
  readonly list: string;
  readonly ids: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, BulkResult>;
}

/** The selected documents of a list, and the results of the last action on them. */
export interface Selection {
  /** Global IDs. */
  readonly ids: ReadonlySet<string>;
  /** Results by global ID. */
  readonly results: ReadonlyMap<string, BulkResult>;
  /**
   * Selects a document, or removes it from the selection. With `isRange`, all rows between it and the one that was
   * toggled before follow.
   */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly selectOnly: (ids: Iterable<string>) => void;
  /** Stores the results of an action on this list. The documents that failed stay selected. */
  readonly settle: (results: ReadonlyMap<string, BulkResult>) => void;
}

/**
 * Holds the selection of a list. Another list, page or filter starts without one.
 *
 * @param list identifies the view, its filter and the page
 * @param shownIds global IDs of the rows, in their order. Others are no longer selected.
 */
export function useSelection(list: string, shownIds: readonly string[]): Selection {
  const [stored, setState] = useState<State>(() => emptyState(list));
  const state = stored.list === list ? stored : emptyState(list);
  const lastToggled = useRef<string | null>(null);
  const ids = new Set(shownIds.filter((id) => state.ids.has(id)));

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
    selectOnly: (selected) => setState({ ...state, ids: new Set(selected) }),
    settle: (results) => {
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
