import type { DocumentRequirement, DocumentRequirements } from '../model/document-requirements.ts';

/** Nothing but the full id. */
export const noRequirements: DocumentRequirements = new Set();

/** All of both. Gives one of the two back where it already holds the other, so that its identity stays. */
export function union(a: DocumentRequirements, b: DocumentRequirements): DocumentRequirements {
  if (a === b || covers(a, b)) return a;
  if (covers(b, a)) return b;
  return a.union(b);
}

/** What of `wanted` is not in `known`, with the entity of every embedded property that stays. */
export function missing(
  wanted: DocumentRequirements,
  known: DocumentRequirements,
): DocumentRequirements {
  if (wanted === known || wanted.size === 0) return noRequirements;
  if (known.size === 0) return wanted;
  const rest = new Set<DocumentRequirement>();
  for (const requirement of wanted) if (!known.has(requirement)) rest.add(requirement);
  for (const requirement of rest) {
    // A property cannot come without the entity that carries it, so the entity is asked for again.
    for (
      let dot = requirement.lastIndexOf('.');
      dot > 0;
      dot = requirement.lastIndexOf('.', dot - 1)
    ) {
      rest.add(requirement.slice(0, dot) as DocumentRequirement);
    }
  }
  return rest;
}

export function covers(known: DocumentRequirements, wanted: DocumentRequirements): boolean {
  return known === wanted || wanted.isSubsetOf(known);
}
