import type { FieldValueInput } from '../../gql/graphql.ts';

/** Changes of the values and tags of a document that the user entered. */
export interface Edits {
  /** Texts by tag of the field. */
  readonly values: ReadonlyMap<string, string>;
  /** Tags, separated by commas. Null: not changed. */
  readonly tags: string | null;
}

interface Value {
  readonly __typename: string;
  readonly tag: string;
  readonly text?: string;
}

/** Returns the values that differ from those of the document, which are the ones to send. */
export function changedValues(values: readonly Value[], edits: Edits): FieldValueInput[] {
  const before = new Map(values.map(({ tag, text }) => [tag, text ?? '']));
  return [...edits.values]
    .filter(([tag, text]) => before.get(tag) !== text)
    .map(([tag, text]) => ({ tag, text }));
}

/** Returns the new tags, or null if they are not changed. */
export function changedTags(tags: readonly string[], edits: Edits): string[] | null {
  if (edits.tags === null || edits.tags === tags.join(', ')) return null;
  return edits.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
