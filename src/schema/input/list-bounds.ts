/**
 * Maximum number of entries of each list in arguments and inputs. The description of each argument or input field
 * states its limit. A list that is too long is rejected before it is iterated and before any upstream call.
 */
export const bounds = {
  ids: 100,
  filterEntries: 100,
  bulkItems: 100,
  valueTags: 100,
  extraNames: 50,
  inputTags: 100,
  inputValues: 1000,
  columns: 500,
  rows: 10_000,
  /** Cells of all tables of one input. An empty row counts as one cell. */
  cells: 100_000,
  listValues: 1000,
  ocrLanguages: 20,
  translations: 100,
  members: 5000,
  additionalNames: 100,
  additionalNameLength: 10_000,
} as const;
