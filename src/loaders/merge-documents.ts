import type { Document, RecoData } from '../model/document.ts';

/** Returns a document with what either read returned. The later one counts if both have a property. */
export function mergeDocuments(before: Document, fresh: Document): Document {
  const merged = assignKnown(before, fresh);
  const { response, recoData, extra } = before;
  return {
    ...merged,
    ...(response && fresh.response && { response: mergeSame(response, fresh.response) }),
    ...(recoData && fresh.recoData && { recoData: mergeEntries(recoData, fresh.recoData) }),
    ...(extra && fresh.extra && { extra: { ...extra, ...fresh.extra } }),
  };
}

function mergeSame<T extends { readonly fullId: string }>(before: T, fresh: T): T {
  return before.fullId === fresh.fullId ? assignKnown(before, fresh) : fresh;
}

function mergeEntries(before: readonly RecoData[], fresh: readonly RecoData[]): RecoData[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  return fresh.map((entry) => {
    const old = byId.get(entry.id);
    if (old === undefined) return entry;
    const merged = assignKnown(old, entry);
    return old.result && entry.result
      ? { ...merged, result: assignKnown(old.result, entry.result) }
      : merged;
  });
}

/** A copy of `before` with every property that `fresh` has. */
function assignKnown<T extends object>(before: T, fresh: T): T {
  const merged = { ...before };
  for (const key of Object.keys(fresh) as (keyof T)[]) {
    if (fresh[key] !== undefined) merged[key] = fresh[key];
  }
  return merged;
}
