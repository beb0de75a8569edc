import type {
  Document,
  DocumentResponse,
  DocumentValues,
  RecoData,
  RecoResult,
} from './document.ts';
import type { ObjectOf } from './resource.ts';

/**
 * A property that an operation requires of a document, by its name in the model. A requirement with a dot is a property
 * of an embedded entity and always occurs together with the entity (`response.state` with `response`). `extra:<name>`
 * is a property that the schema does not define, by its name in the DMS.
 */
export type DocumentRequirement =
  | DocumentProperty
  | `response.${ResponseRequirement}`
  | `recoData.${RecoDataRequirement}`
  | `extra:${string}`;

/** A property of the document itself. The full ID is always read. */
export type DocumentProperty = Exclude<keyof Document, 'fullId' | 'extra'>;

/** A property of the embedded response of the current user, without the prefix `response.`. */
export type ResponseRequirement =
  | Exclude<keyof DocumentResponse, 'fullId' | 'documentId' | 'action'>
  | 'document';

/** A property of an embedded recognition entry, without the prefix `recoData.`. */
export type RecoDataRequirement =
  | Exclude<keyof RecoData, 'documentId' | 'id'>
  | `result.${keyof RecoResult}`;

interface ReadWithDocument {
  readonly Document: readonly [ObjectOf<'Document'>, DocumentProperty | `extra:${string}`];
  readonly DocumentResponse: readonly [ObjectOf<'DocumentResponse'>, ResponseRequirement];
  readonly RecoData: readonly [RecoData, RecoDataRequirement];
  readonly RecoResult: readonly [RecoResult, keyof RecoResult];
  readonly values: readonly [{ readonly values?: DocumentValues }, 'values'];
}

/** Objects whose properties are optional are assignable to each other, so the names of the properties have to be equal. */
type IsSame<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : false;

export type RequirementOf<Parent> = {
  [N in keyof ReadWithDocument]: IsSame<Parent, ReadWithDocument[N][0]> extends true
    ? ReadWithDocument[N][1]
    : never;
}[keyof ReadWithDocument];

/**
 * The properties that an operation requires of a document. The full ID is always read and has no entry. Sets are never
 * modified: they serve as cache keys by identity.
 */
export type DocumentRequirements = ReadonlySet<DocumentRequirement>;

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

export function covers(known: DocumentRequirements, wanted: DocumentRequirements): boolean {
  return known === wanted || wanted.isSubsetOf(known);
}

export function withoutResponse(requirements: DocumentRequirements): DocumentRequirements {
  if (!requirements.has('response')) return requirements;
  return new Set([...requirements].filter((name) => !/^response(?:\.|$)/.test(name)));
}
