/**
 * Maximum number of entries of each list in arguments and inputs. The description of each argument or input field
 * states its limit. A list that is too long is rejected before it is iterated and before any upstream call.
 */
export const bounds = {
  /** `nodes(ids:)`. */
  ids: 100,
  /** Each list of `DocumentFilter`. */
  filterEntries: 100,
  /** Items of a bulk mutation, at least one. */
  bulkItems: 100,
  /** `values(tags:)`: each tag is compared with the values of each document. */
  valueTags: 100,
  /** `extra(names:)`. */
  extraNames: 50,
  /** `tags` of an input. */
  inputTags: 100,
  /** `values` of an input. */
  inputValues: 1000,
  /** `columns` of a table. */
  columns: 500,
  /** `rows` of a table. */
  rows: 10_000,
  /** Cells of all tables of one input. An empty row counts as one cell. */
  cells: 100_000,
  /** Values of a typed field that is a list. */
  listValues: 1000,
  /** `ocrLanguages`. */
  ocrLanguages: 20,
  /** `value` of `UpsertListValueInput`. */
  translations: 100,
  /** `members` of a unit. */
  members: 5000,
  /** `nameExt` of an organization. */
  additionalNames: 100,
  /** Characters of each entry of `nameExt` as JSON. */
  additionalNameLength: 10_000,
} as const;
