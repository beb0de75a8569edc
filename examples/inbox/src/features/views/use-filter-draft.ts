import { useEffect, useEffectEvent, useState } from 'react';
import { isSameFilter, type FilterState } from './filter-state.ts';

/** Time after the last typed character until the filter is applied, in milliseconds. */
const typingMs = 400;

/** Holds what is in the form until it is applied. A filter that comes from elsewhere, such as the Back button, replaces it. */
export function useFilterDraft(filter: FilterState, onApply: (filter: FilterState) => void) {
  const [draft, setDraft] = useState(filter);
  const [known, setKnown] = useState({ seen: filter, own: filter });
  if (!isSameFilter(known.seen, filter)) {
    setKnown({ ...known, seen: filter });
    if (!isSameFilter(known.own, filter)) setDraft(filter);
  }
  const apply = (changed: Partial<FilterState>): void => {
    const next = { ...draft, ...changed };
    // An equal draft would replace the one of a filter that comes from elsewhere and is being rendered.
    if (!isSameFilter(next, draft)) setDraft(next);
    if (isSameFilter(next, filter)) return;
    setKnown({ ...known, own: next });
    onApply(next);
  };
  const applyTyped = useEffectEvent((typed: FilterState) => {
    // The timer of a draft that was replaced can run before the effect ends.
    if (typed === draft) apply(typed);
  });
  useEffect(() => {
    const timer = setTimeout(() => applyTyped(draft), typingMs);
    return () => clearTimeout(timer);
  }, [draft]);
  const change = (changed: Partial<FilterState>): void => setDraft({ ...draft, ...changed });
  return { draft, change, apply };
}
