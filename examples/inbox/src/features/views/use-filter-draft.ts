import { useState } from 'react';
import { isSameFilter, type FilterState } from './filter-state.ts';

interface FilterDraft {
  readonly draft: FilterState;
  /** Changes the draft. */
  readonly change: (changed: Partial<FilterState>) => void;
  /** Changes the draft and applies it. */
  readonly apply: (changed: Partial<FilterState>) => void;
}

/** Holds what is in the form until it is applied. A filter that comes from elsewhere, such as the Back button, replaces it. */
export function useFilterDraft(
  filter: FilterState,
  onApply: (filter: FilterState) => void,
): FilterDraft {
  const [draft, setDraft] = useState(filter);
  const [applied, setApplied] = useState(filter);
  if (!isSameFilter(applied, filter)) {
    setApplied(filter);
    setDraft(filter);
  }
  return {
    draft,
    change: (changed) => setDraft({ ...draft, ...changed }),
    apply: (changed) => {
      const next = { ...draft, ...changed };
      setDraft(next);
      onApply(next);
    },
  };
}
