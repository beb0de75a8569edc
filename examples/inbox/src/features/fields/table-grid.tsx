import {
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
} from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { parseTable, pasteInto, type Table } from '../../domain/table-text.ts';
import { useLocale } from '../../language/format.ts';
import { rewriteValue, type ValueType } from '../../language/reading.ts';
import { useText } from '../../language/text.ts';
import { useExplainText } from './explain-text.ts';
import type { ColumnDefinition, FieldDefinition } from './field-definition.ts';
import { mapCells, wrongCells } from './field-values.ts';
import { usePeople } from './use-people.ts';

interface Position {
  readonly row: number;
  readonly column: number;
}

const maxListed = 5;

interface TableGridProps {
  readonly id: string;
  readonly field: FieldDefinition;
  readonly issue: ReactNode;
  readonly cellIssue?: ((row: number, column: string) => ReactNode) | undefined;
  readonly table: Table;
  /** The columns, if the form declares them all: they cannot be renamed. */
  readonly declared: readonly ColumnDefinition[] | null;
  readonly onChange: (table: Table) => void;
  readonly onPasted: (rows: number) => void;
  readonly children: ReactNode;
}

/** The names and cells of a table to edit, and below it the cells that cannot be read. */
export function TableGrid(props: TableGridProps) {
  const { id, field, table, declared, issue, cellIssue, onChange, onPasted, children } = props;
  const t = useText();
  const locale = useLocale();
  const { idOf } = usePeople(declared?.some(({ type }) => type === 'person') === true);
  /** The cell in which the user types: what is not finished is not wrong. */
  const [typed, setTyped] = useState<Position | null>(null);
  const { columns, rows } = table;
  const nameOf = (column: number): string =>
    declared?.[column]?.label || columns[column] || t('Column {column}', { column: column + 1 });
  const labelOf = ({ row, column }: Position): string =>
    t('{column}, row {row}', { column: nameOf(column), row: row + 1 });
  const issues = useCellIssues({ field, table, cellIssue, typed });
  const set = (line: number, column: number, value: string): void =>
    onChange(pasteInto(table, { columns: [value], rows: [] }, { line, column }));
  const read = (of: ValueType, cell: string): string =>
    of.type === 'person' ? idOf(cell) : rewriteValue(of, cell, locale);
  const paste = (event: ClipboardEvent, line: number, column: number): void => {
    const text = event.clipboardData.getData('text/plain').replace(/[\r\n]+$/, '');
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    const pasted = parseTable(text);
    const next = pasteInto(table, pasted, { line, column });
    const width = declared?.length; // a form has no other columns
    const kept = {
      columns: next.columns.slice(0, width),
      rows: next.rows.map((row) => row.slice(0, width)),
    };
    setTyped(null);
    onChange(mapCells(field, kept, read));
    onPasted(pasted.rows.length + 1);
  };
  return (
    <>
      <div className="scroll-x">
        <table>
          <thead>
            <tr>
              {columns.map((name, column) => (
                <th
                  key={column}
                  scope="col"
                  className={declared?.[column]?.type === 'number' ? 'number' : undefined}
                >
                  {declared?.[column]?.label ?? (
                    <input
                      aria-label={t('Name of column {column}', { column: column + 1 })}
                      placeholder={t('Column {column}', { column: column + 1 })}
                      aria-invalid={(issue !== undefined && name.trim() === '') || undefined}
                      autoComplete="off"
                      value={name}
                      onChange={(event) => set(0, column, event.currentTarget.value)}
                      onPaste={(event) => paste(event, 0, column)}
                    />
                  )}
                </th>
              ))}
              <td>
                <span className="visually-hidden">{t('Remove')}</span>
              </td>
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {columns.map((_, column) => {
                  const of = declared?.[column] ?? { type: '' };
                  const index = issues.findIndex((one) => one.row === row && one.column === column);
                  return (
                    <td key={column}>
                      <Cell
                        type={of.type}
                        text={cells[column] ?? ''}
                        onChange={(text) => {
                          setTyped({ row, column });
                          set(row + 1, column, text);
                        }}
                        attributes={{
                          'aria-label': labelOf({ row, column }),
                          ...(index >= 0 && {
                            'aria-invalid': true,
                            'aria-describedby': `${id}-cell-${index}`,
                          }),
                          onPaste: (event) => paste(event, row + 1, column),
                          onBlur: (event: FocusEvent<HTMLInputElement>) => {
                            setTyped(null);
                            const text = read(of, event.currentTarget.value);
                            if (text !== cells[column]) set(row + 1, column, text);
                          },
                        }}
                      />
                    </td>
                  );
                })}
                <td>
                  <button
                    type="button"
                    className="button button-quiet button-icon"
                    aria-label={t('Remove row {row}', { row: row + 1 })}
                    onClick={({ currentTarget }) => {
                      // The button disappears.
                      currentTarget.closest('fieldset')?.querySelector('input')?.focus();
                      onChange({ columns, rows: rows.filter((_, other) => other !== row) });
                    }}
                  >
                    <Icon name="close" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
          {children}
        </table>
      </div>
      {issues.length > 0 && (
        <ul className="field-error">
          {issues.map((one, index) => (
            <li key={index} id={`${id}-cell-${index}`} hidden={index >= maxListed}>
              {labelOf(one)}: {one.text}
            </li>
          ))}
          {issues.length > maxListed && (
            <li>{t('and {count} more', { count: issues.length - maxListed })}</li>
          )}
        </ul>
      )}
    </>
  );
}

interface CellIssue extends Position {
  readonly text: ReactNode;
}

function useCellIssues({
  field,
  table,
  cellIssue,
  typed,
}: Pick<TableGridProps, 'field' | 'table' | 'cellIssue'> & { readonly typed: Position | null }) {
  const own: CellIssue[] = wrongCells(field, table, useExplainText()).filter(
    ({ row, column }) => row !== typed?.row || column !== typed.column,
  );
  const isKnown = ({ row, column }: Position): boolean =>
    own.some((one) => one.row === row && one.column === column);
  const others = table.rows.flatMap((cells, row) =>
    cells.flatMap((_, column): CellIssue[] => {
      const text = cellIssue?.(row, table.columns[column] ?? '');
      return text === undefined || isKnown({ row, column }) ? [] : [{ row, column, text }];
    }),
  );
  return [...own, ...others];
}

interface CellProps {
  /** Type of the column. Empty if it is unknown. */
  readonly type: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly attributes: ComponentProps<'input'>;
}

function Cell({ type, text, onChange, attributes }: CellProps) {
  if (type === 'person')
    return <PersonCell text={text} onChange={onChange} attributes={attributes} />;
  return (
    <input
      {...attributes}
      {...(type === 'number' && { inputMode: 'decimal' })}
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function PersonCell({ text, onChange, attributes }: Omit<CellProps, 'type'>) {
  const t = useText();
  const { people, nameOf } = usePeople();
  const { 'aria-label': label, 'aria-invalid': isInvalid } = attributes;
  return (
    <select
      aria-label={label}
      aria-invalid={isInvalid}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('None')}</option>
      {text !== '' && nameOf(text) === null && (
        // A name that was pasted, or a person who is not known here.
        <option value={text}>{/\s/.test(text) ? text : t('Not visible to you')}</option>
      )}
      {people.map((person) => (
        <option key={person.value} value={person.value}>
          {person.label}
        </option>
      ))}
    </select>
  );
}
