export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function parseTable(text: string): Table {
  if (text === '') return { columns: [], rows: [] };
  const lines = text.split('\n').map((line) => line.replace(/\r$/, '').split('\t'));
  const width = Math.max(...lines.map((line) => line.length));
  const full = lines.map((line) => [...line, ...Array<string>(width - line.length).fill('')]);
  const [columns = [], ...rows] = full;
  return { columns, rows };
}

export function formatTable({ columns, rows }: Table): string {
  const lines = [columns, ...rows];
  if (lines.every((line) => line.every((cell) => cell === ''))) return '';
  return lines.map((line) => line.map(toCell).join('\t')).join('\n');
}

function toCell(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ');
}

/** Whether no cell has several lines or a tab, which the grid cannot show. */
export function isEditable({ columns, rows }: Table): boolean {
  return [columns, ...rows].flat().every((cell) => !/[\t\r\n]/.test(cell));
}

export function trimTable({ columns, rows }: Table): { columns: string[]; rows: string[][] } {
  const isUsed = columns.map((name, index) =>
    [name, ...rows.map((row) => row[index] ?? '')].some((cell) => cell.trim() !== ''),
  );
  const trim = (cells: readonly string[]): string[] =>
    cells.filter((_, index) => isUsed[index]).map((cell) => cell.trim());
  return {
    columns: trim(columns),
    rows: rows.map(trim).filter((row) => row.some((cell) => cell !== '')),
  };
}

export function lacksColumnName(table: Table): boolean {
  return trimTable(table).columns.includes('');
}

export function pasteInto(
  { columns, rows }: Table,
  pasted: Table,
  { line, column }: { readonly line: number; readonly column: number },
): Table {
  const lines = [columns, ...rows];
  const block = [pasted.columns, ...pasted.rows];
  const height = Math.max(lines.length, line + block.length);
  const width = Math.max(columns.length, column + pasted.columns.length);
  const [names = [], ...cells] = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => block[y - line]?.[x - column] ?? lines[y]?.[x] ?? ''),
  );
  return { columns: names, rows: cells };
}
