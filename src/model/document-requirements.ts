/**
 * What an operation requires of a document, under the names of the model. A dotted requirement is a property of an embedded
 * entity; it always comes together with the entity itself (`response.state` with `response`).
 * `extra:<name>` is a property that the schema does not name, under the DMS's own name.
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

/** A property that the DMS counts among the embedded entities. */
export type EmbeddedRequirement = 'values' | 'files' | 'refByDocs';

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

export type RecoDataRequirement =
  | 'pageIndexStart'
  | 'pageIndexEnd'
  | 'validated'
  | 'form'
  | 'values'
  | 'result'
  | `result.${RecoResultRequirement}`;

type RecoResultRequirement = 'form' | 'confidence';

/** What a field of a type may require, relative to the type; `never` if the type is not read with a document. */
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

/** The full id is always known and needs no entry. Sets are never changed once made: their identity is a cache key. */
export type DocumentRequirements = ReadonlySet<DocumentRequirement>;

/** Those of `embed` in the specification (Common parameters), in lower case: whether the DMS heeds case is not shown. */
const embeddedEntities: ReadonlySet<string> = new Set([
  'docresponse',
  'fileslist',
  'valuesbytags',
  'refbydocs',
  'recodata',
  'recoresult',
]);

/**
 * Whether `extra:<name>` can be a requirement: the name of a plain property. Embedded entities are not; they have fields of
 * their own. The specification shows `fields` alone embedding one (Documents 2), so that `docResponse` as an extra could
 * make the DMS prepare a response that nobody selected.
 */
export function isExtraName(name: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/.test(name) && !embeddedEntities.has(name.toLowerCase());
}
