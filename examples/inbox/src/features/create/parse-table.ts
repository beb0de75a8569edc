import type { TableInput } from '../../gql/graphql.ts';

/**
 * Reads a table from a text: one row per line, with the names of the columns in the first one. Cells are separated by
 * tabs, as spreadsheets copy them, or by semicolons. A row can have too few or too many cells, which the gateway
 * rejects.
 */
export function parseTable(text: string): TableInput {
  const separator = text.includes('\t') ? '\t' : ';';
  const [columns = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(separator).map((cell) => cell.trim()));
  return { columns, rows };
}
