import type { FieldValue } from '../../model/common.ts';
import type { DocumentValues } from '../../model/document.ts';
import { objectOrNull } from './read.ts';

/** `valuesByTags`, as it came and read as text and tables. A tag without a value is left out of the list. */
export function valuesFromWire(value: unknown): DocumentValues {
  const byTags = objectOrNull(value);
  const list: FieldValue[] = [];
  for (const [tag, content] of Object.entries(byTags ?? {})) {
    const read = fieldValue(tag, content);
    if (read !== null) list.push(read);
  }
  return { byTags, list };
}

function fieldValue(tag: string, content: unknown): FieldValue | null {
  if (content === null || content === undefined) return null;
  if (isTable(content)) {
    const [columns = [], ...rows] = content.map((row) => row.map(cell));
    return { kind: 'table', tag, columns, rows: rows.map((row) => row.slice(0, columns.length)) };
  }
  return { kind: 'text', tag, text: cell(content) };
}

/** An array of rows. Any other array, which the specification does not show, is read as text. */
function isTable(content: unknown): content is unknown[][] {
  return Array.isArray(content) && content.every((row) => Array.isArray(row));
}

function cell(content: unknown): string {
  if (typeof content === 'string') return content;
  return content === null || content === undefined ? '' : JSON.stringify(content);
}

/** Text goes as a string, a table as rows of which the first holds the column names. */
export function valuesToWire(values: readonly FieldValue[]): Record<string, unknown> {
  // fromEntries rather than assignment: a tag may be called `__proto__`.
  return Object.fromEntries(
    values.map((value) => [
      value.tag,
      value.kind === 'text' ? value.text : [value.columns, ...value.rows],
    ]),
  );
}
