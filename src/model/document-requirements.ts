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

/** A property of the document itself. */
export type PlainRequirement =
  | 'shortId'
  | 'meta'
  | 'author'
  | 'state'
  | 'step'
  | 'iteration'
  | 'status'
  | 'formSystemType'
  | 'dateCreated'
  | 'dateDue'
  | 'tags';

/** A property that the DMS treats as an embedded entity (REST spec, Common parameters, `embed`). */
export type EmbeddedRequirement = 'values' | 'files' | 'refByDocs';

/** A property of the embedded response of the current user, without the prefix `response.`. */
export type ResponseRequirement =
  | 'document'
  | 'state'
  | 'status'
  | 'step'
  | 'iteration'
  | 'actionCode'
  | 'resolutionId'
  | 'resolvedTo'
  | 'content'
  | 'author'
  | 'meta';

/** A property of an embedded recognition entry, without the prefix `recoData.`. */
export type RecoDataRequirement =
  | 'pageIndexStart'
  | 'pageIndexEnd'
  | 'validated'
  | 'form'
  | 'values'
  | 'result'
  | `result.${RecoResultRequirement}`;

type RecoResultRequirement = 'form' | 'confidence';

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
