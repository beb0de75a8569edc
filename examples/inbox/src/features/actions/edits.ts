import { formatTable, isEditable, parseTable, trimTable } from '../../domain/table-text.ts';
import type { FieldValueInput } from '../../gql/graphql.ts';

/** Changes of the values and tags of a document that the user entered. */
export interface Edits {
  /** Texts by tag of the field. */
  readonly values: ReadonlyMap<string, string>;
  /** Tags, separated by commas. Null: not changed. */
  readonly tags: string | null;
}

/** A value of a document. */
export type Value = { readonly tag: string } & (
  | { readonly __typename: 'TextValue'; readonly text: string }
  | {
      readonly __typename: 'TableValue';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
);

/** Returns a value as a text to edit, or null for a table that cannot be one. */
export function editableText(value: Value): string | null {
  if (value.__typename === 'TextValue') return value.text;
  return isEditable(value) ? formatTable(value) : null;
}

/** Returns the values that differ from those of the document, which are the ones to send. */
export function changedValues(values: readonly Value[], edits: Edits): FieldValueInput[] {
  return values.flatMap((value) => {
    const { tag } = value;
    const text = edits.values.get(tag);
    if (text === undefined || text === editableText(value)) return [];
    // An empty text clears a table, too.
    const isTable = value.__typename === 'TableValue' && text.trim() !== '';
    return [isTable ? { tag, table: trimTable(parseTable(text)) } : { tag, text }];
  });
}

/** Returns the new tags, or null if they are not changed. */
export function changedTags(tags: readonly string[], edits: Edits): string[] | null {
  if (edits.tags === null || edits.tags === tags.join(', ')) return null;
  return edits.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
