import { useRef, useState } from 'react';
import { useNavigationState } from '../../components/navigation-notice.tsx';
import type { BulkResult } from './use-bulk-action.ts';

export interface BulkEntry {
  /** The key of a response, or `move` and the action. Empty: none is chosen. */
  readonly choice: string;
  readonly content: string;
}

interface State {
  readonly list: string;
  readonly ids: ReadonlySet<string>;
  readonly entry: BulkEntry;
  readonly results: ReadonlyMap<string, BulkResult>;
}

const noEntry: BulkEntry = { choice: '', content: '' };

export type Selection = ReturnType<typeof useSelection>;

export function useSelection(list: string, shownIds: readonly string[]) {
  const [stored, setState] = useState<State>(() => emptyState(list));
  const state = stored.list === list ? stored : emptyState(list);
  const lastToggled = useRef<string | null>(null);
  const ids: ReadonlySet<string> = new Set(shownIds.filter((id) => state.ids.has(id)));
  const navigation = useNavigationState();
  const [restored, setRestored] = useState<unknown>(null);
  if (navigation !== restored) {
    setRestored(navigation);
    const takenBack = Array.isArray(navigation) ? (navigation as readonly State[]) : [];
    const ofList = takenBack.filter((one) => one.list === list);
    if (ofList.length > 0) {
      setState(mergeStates(state.ids.size > 0 ? [...ofList, state] : ofList));
    }
  }

  const select = (selected: ReadonlySet<string>): void =>
    setState({ ...state, ids: selected, entry: selected.size === 0 ? noEntry : state.entry });
  const toggle = (id: string, isRange: boolean): void => {
    const ends = [shownIds.indexOf(lastToggled.current ?? id), shownIds.indexOf(id)];
    const first = Math.min(...ends);
    const range = isRange && first >= 0 ? shownIds.slice(first, Math.max(...ends) + 1) : [id];
    const others = [...ids].filter((other) => !range.includes(other));
    lastToggled.current = id;
    select(new Set(ids.has(id) ? others : [...others, ...range]));
  };
  return {
    ...state,
    ids,
    state,
    toggle,
    selectOnly: (selected: Iterable<string>) => select(new Set(selected)),
    enter: (entry: BulkEntry) => setState({ ...state, entry }),
    settle: (results: ReadonlyMap<string, BulkResult>) => {
      const failed = [...results].filter(([, { isDone }]) => !isDone).map(([id]) => id);
      // The user can have gone to another list, or have selected other documents.
      setState((current) => {
        if (current.list !== list) return current;
        const isUsed = current.ids.size > 0;
        return { ...(isUsed ? current : { ...emptyState(list), ids: new Set(failed) }), results };
      });
    },
  };
}

function emptyState(list: string): State {
  return { list, ids: new Set(), entry: noEntry, results: new Map() };
}

/** If the actions or the comments differ, none is chosen: no document receives those of another one unseen. */
function mergeStates(states: readonly State[]): State {
  const last = states.at(-1)!;
  const ids = new Set(states.flatMap((state) => [...state.ids]));
  const isSame = new Set(states.map(({ entry }) => JSON.stringify(entry))).size === 1;
  const contents = new Set(states.map(({ entry }) => entry.content).filter(Boolean));
  const entry = isSame ? last.entry : { choice: '', content: [...contents].join(' / ') };
  return { ...last, ids, entry };
}
