import type { Label } from '../language/text.ts';

/** Explains the text of a table to the user. */
export const tableHint: Label =
  'One row per line, with the names of the columns in the first line. Separate cells by semicolons, or paste them from a spreadsheet.';

/** A table of a document. Each row has one cell per column. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads a table from a text: one row per line, with the names of the columns in the first one. Cells are separated by
 * tabs, as spreadsheets copy them, or by semicolons. A row can have too few or too many cells, which the gateway
 * rejects.
 */
export function parseTable(text: string): { columns: string[]; rows: string[][] } {
  const separator = text.includes('\t') ? '\t' : ';';
  const [columns = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(separator).map((cell) => cell.trim()));
  return { columns, rows };
}

/**
 * Writes a table as a text that `parseTable` reads. Null if it cannot, such as for cells with several lines: the user
 * cannot edit such a table as a text.
 */
export function formatTable({ columns, rows }: Table): string | null {
  const lines = [columns, ...rows];
  const texts = ['; ', '\t'].map((separator) =>
    lines.map((line) => line.join(separator)).join('\n'),
  );
  const original = JSON.stringify([columns, rows]);
  const isSame = (text: string): boolean => {
    const parsed = parseTable(text);
    return JSON.stringify([parsed.columns, parsed.rows]) === original;
  };
  return texts.find(isSame) ?? null;
}
