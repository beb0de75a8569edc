import { plainProperties } from './document.ts';

/**
 * A property that an operation requires of a document, by its name in the model. A requirement with a dot is a property
 * of an embedded entity and always occurs together with the entity (`response.state` with `response`). `extra:<name>`
 * is a property that the schema does not define, by its name in the DMS.
 */
export type DocumentRequirement =
  | PlainRequirement
  | EmbeddedRequirement
  | 'response'
  | `response.${ResponseRequirement}`
  | 'recoData'
  | `recoData.${RecoDataRequirement}`
  | `extra:${string}`;

const embedded = ['values', 'files', 'refByDocs'] as const;
const ofResponse = [
  'document',
  'state',
  'status',
  'step',
  'iteration',
  'actionCode',
  'resolutionId',
  'resolvedTo',
  'content',
  'author',
  'meta',
] as const;
const ofRecoData = [
  'pageIndexStart',
  'pageIndexEnd',
  'validated',
  'form',
  'values',
  'result',
] as const;
const ofRecoResult = ['form', 'confidence'] as const;

/** A property of the document itself. */
export type PlainRequirement = (typeof plainProperties)[number];

/** A property that the DMS treats as an embedded entity (REST spec, Common parameters, `embed`). */
export type EmbeddedRequirement = (typeof embedded)[number];

/** A property of the embedded response of the current user, without the prefix `response.`. */
export type ResponseRequirement = (typeof ofResponse)[number];

/** A property of an embedded recognition entry, without the prefix `recoData.`. */
export type RecoDataRequirement = (typeof ofRecoData)[number] | `result.${RecoResultRequirement}`;

type RecoResultRequirement = (typeof ofRecoResult)[number];

/** What fields of each type can require by name. Only `Document` also has `extra:<name>`. */
const requirementsByType = new Map<string, readonly string[]>([
  ['Document', [...plainProperties, ...embedded, 'response', 'recoData']],
  ['DocumentResponse', ofResponse],
  ['RecoData', ofRecoData],
  ['RecoResult', ofRecoResult],
]);

/** Whether a field of a GraphQL type can require a property. */
export function isRequirement(typeName: string, name: string): boolean {
  if (requirementsByType.get(typeName)?.includes(name)) return true;
  const [prefix, extra = ''] = name.split(/:(.*)/s);
  return typeName === 'Document' && prefix === 'extra' && isExtraName(extra);
}

/**
 * What a field of a GraphQL type can require, relative to the type. `never` if the type is not read with a document.
 */
export type RequirementOf<Parent> = 'refByDocs' extends keyof Parent
  ? PlainRequirement | EmbeddedRequirement | 'response' | 'recoData' | `extra:${string}`
  : 'resolutionId' extends keyof Parent
    ? ResponseRequirement
    : 'pageIndexStart' extends keyof Parent
      ? RecoDataRequirement
      : 'confidence' extends keyof Parent
        ? RecoResultRequirement
        : 'values' extends keyof Parent
          ? 'values'
          : never;

/**
 * The properties that an operation requires of a document. The full ID is always read and has no entry. Sets are never
 * modified: they serve as cache keys by identity.
 */
export type DocumentRequirements = ReadonlySet<DocumentRequirement>;

/**
 * The values of `embed` in lower case (REST spec, Common parameters). Whether the DMS ignores case is not specified.
 */
const embeddedEntities: ReadonlySet<string> = new Set([
  'docresponse',
  'fileslist',
  'valuesbytags',
  'refbydocs',
  'recodata',
  'recoresult',
]);

/**
 * Whether `extra:<name>` is a valid requirement: the name of a plain property. Names of embedded entities are not,
 * because `fields` alone can embed them (REST spec, Documents 2). `docResponse` as an extra property could make the DMS
 * create a response.
 */
export function isExtraName(name: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/.test(name) && !embeddedEntities.has(name.toLowerCase());
}

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

/** Whether `known` contains every requirement of `wanted`. */
export function covers(known: DocumentRequirements, wanted: DocumentRequirements): boolean {
  return known === wanted || wanted.isSubsetOf(known);
}

/** All that can be read without making the DMS prepare a response. */
export function withoutResponse(requirements: DocumentRequirements): DocumentRequirements {
  if (!requirements.has('response')) return requirements;
  return new Set([...requirements].filter((name) => !/^response(?:\.|$)/.test(name)));
}
