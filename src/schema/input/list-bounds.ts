/**
 * The most entries that each list of an operation's arguments and inputs may have. Each is stated in the description of
 * its argument or input field. A list is refused before it is walked and before anything is sent.
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
  /** Cells of all tables of one input; an empty row counts as one. */
  cells: 100_000,
  /** `ocrLanguages`. */
  ocrLanguages: 20,
  /** `value` of `UpsertListValueInput`. */
  translations: 100,
  /** `members` of a unit. */
  members: 5000,
  /** `nameExt` of an organization. */
  furtherNames: 100,
  /** Characters of each entry of `nameExt`, as JSON. */
  furtherNameLength: 10_000,
} as const;
