import type { DocumentRequirement, DocumentRequirements } from '../model/document-requirements.ts';

/** The empty set: only the full ID is required. */
export const noRequirements: DocumentRequirements = new Set();

/**
 * The union of two sets. Returns one of the two objects if it contains the other, so that cache keys by identity still
 * match.
 */
export function union(a: DocumentRequirements, b: DocumentRequirements): DocumentRequirements {
  if (a === b || covers(a, b)) return a;
  if (covers(b, a)) return b;
  return a.union(b);
}

/** The requirements of `wanted` that `known` lacks, together with the entities that embed them. */
export function missing(
  wanted: DocumentRequirements,
  known: DocumentRequirements,
): DocumentRequirements {
  if (wanted === known || wanted.size === 0) return noRequirements;
  if (known.size === 0) return wanted;
  const rest = new Set<DocumentRequirement>();
  for (const requirement of wanted) if (!known.has(requirement)) rest.add(requirement);
  for (const requirement of rest) {
    // The DMS returns a property only with the entity that contains it, so the entity is required again.
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

/** Whether `known` contains every requirement of `wanted`. */
export function covers(known: DocumentRequirements, wanted: DocumentRequirements): boolean {
  return known === wanted || wanted.isSubsetOf(known);
}

/** All that can be read without making the DMS prepare a response. */
export function withoutResponse(requirements: DocumentRequirements): DocumentRequirements {
  if (!requirements.has('response')) return requirements;
  const rest = new Set<DocumentRequirement>();
  for (const requirement of requirements)
    if (requirement !== 'response' && !requirement.startsWith('response.')) rest.add(requirement);
  return rest;
}
