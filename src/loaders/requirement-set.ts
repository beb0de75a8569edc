import type { DocumentNeed, DocumentNeeds } from '../model/document-requirements.ts';

/** Nothing but the full id. */
export const NOTHING: DocumentNeeds = new Set();

/** All of both. Gives one of the two back where it already holds the other, so that its identity stays. */
export function union(a: DocumentNeeds, b: DocumentNeeds): DocumentNeeds {
  if (a === b || covers(a, b)) return a;
  if (covers(b, a)) return b;
  return a.union(b);
}

/** What of `wanted` is not in `known`, with the entity of every embedded property that stays. */
export function missing(wanted: DocumentNeeds, known: DocumentNeeds): DocumentNeeds {
  if (wanted === known || wanted.size === 0) return NOTHING;
  if (known.size === 0) return wanted;
  const rest = new Set<DocumentNeed>();
  for (const need of wanted) if (!known.has(need)) rest.add(need);
  for (const need of rest) {
    // A property cannot come without the entity that carries it, so the entity is asked for again.
    for (let dot = need.lastIndexOf('.'); dot > 0; dot = need.lastIndexOf('.', dot - 1)) {
      rest.add(need.slice(0, dot) as DocumentNeed);
    }
  }
  return rest;
}

export function covers(known: DocumentNeeds, wanted: DocumentNeeds): boolean {
  return known === wanted || wanted.isSubsetOf(known);
}
