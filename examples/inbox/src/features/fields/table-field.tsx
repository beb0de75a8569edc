import { useId, type ClipboardEvent, type ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { formatTable, parseTable, pasteInto, sumOf, type Table } from '../../domain/table-text.ts';
import { isNumber, useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import {
  inputAttributes,
  type ColumnDefinition,
  type FieldDefinition,
} from './field-definition.ts';
import { usePeople } from './use-people.ts';
import './table-field.css';

interface TableFieldProps {
  readonly field: FieldDefinition;
  /** The table as `formatTable` writes it. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly issue: ReactNode;
}

/** A table to edit: a grid of inputs, into which cells of a spreadsheet can be pasted, with the sums of numbers. */
export function TableField({ field, text, onChange, issue }: TableFieldProps) {
  const t = useText();
  const id = useId();
  const { label, isRequired } = field;
  const usualColumns = field.columns.length > 0 ? field.columns.map(({ name }) => name) : ['', ''];
  const isInvalid = issue !== undefined;
  const table =
    text === '' ? { columns: usualColumns, rows: [usualColumns.map(() => '')] } : parseTable(text);
  // A table that was stored with other columns keeps their names, which can be edited.
  const columns = table.columns.map((name) => field.columns.find((one) => one.name === name));
  const declared = columns.every((column) => column !== undefined) ? columns : null;
  const change = (next: Table): void => {
    // The usual names alone are no entry.
    const isEmpty =
      next.rows.flat().every((cell) => cell === '') &&
      next.columns.join('\t') === usualColumns.join('\t') &&
      next.rows.length <= 1;
    onChange(isEmpty ? '' : formatTable(next));
  };
  return (
    <fieldset
      className="field table-field"
      aria-describedby={isInvalid ? `${id}-issue` : `${id}-hint`}
    >
      <legend>
        {label}
        {isRequired && <span className="field-required"> {t('(required)')}</span>}
      </legend>
      <Grid table={table} declared={declared} onChange={change} isInvalid={isInvalid} />
      <div className="row">
        <button
          type="button"
          className="button"
          onClick={() => change({ ...table, rows: [...table.rows, table.columns.map(() => '')] })}
        >
          <Icon name="plus" />
          {t('Row')}
        </button>
        {declared === null && (
          <button
            type="button"
            className="button"
            onClick={() =>
              change({
                columns: [...table.columns, ''],
                rows: table.rows.map((row) => [...row, '']),
              })
            }
          >
            <Icon name="plus" />
            {t('Column')}
          </button>
        )}
        <p id={`${id}-hint`} className="muted small">
          {t('You can paste cells from a spreadsheet.')}
        </p>
      </div>
      {isInvalid && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </fieldset>
  );
}

interface GridProps {
  readonly table: Table;
  /** The columns, if the form declares them all: they cannot be renamed. */
  readonly declared: readonly ColumnDefinition[] | null;
  readonly onChange: (table: Table) => void;
  readonly isInvalid: boolean;
}

function Grid({ table, declared, onChange, isInvalid }: GridProps) {
  const t = useText();
  const format = useFormat();
  const { columns, rows } = table;
  const cellsOf = (index: number): string[] =>
    rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
  // Of the last numbers, usually amounts: the sum of positions or of prices says nothing.
  const summed = columns.findLastIndex((_, index) => {
    const cells = cellsOf(index);
    return cells.length > 1 && cells.every(isNumber);
  });
  const classOf = (index: number): string | undefined =>
    declared?.[index]?.type === 'number' ? 'number' : undefined;
  const set = (line: number, column: number, value: string): void =>
    onChange(pasteInto(table, { columns: [value], rows: [] }, { line, column }));
  const paste = (event: ClipboardEvent, line: number, column: number): void => {
    const text = event.clipboardData.getData('text/plain').replace(/[\r\n]+$/, '');
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    const next = pasteInto(table, parseTable(text), { line, column });
    const width = declared?.length; // a form has no other columns
    onChange({
      columns: next.columns.slice(0, width),
      rows: next.rows.map((row) => row.slice(0, width)),
    });
  };
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => (
              <th key={column} scope="col" className={classOf(column)}>
                {declared?.[column]?.label ?? (
                  <input
                    aria-label={t('Name of column {column}', { column: column + 1 })}
                    placeholder={t('Column {column}', { column: column + 1 })}
                    aria-invalid={(isInvalid && (column === 0 || name.trim() === '')) || undefined}
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
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((name, column) => (
                <td key={column}>
                  <Cell
                    type={declared?.[column]?.type ?? ''}
                    label={t('{column}, row {row}', {
                      column:
                        declared?.[column]?.label ||
                        name ||
                        t('Column {column}', { column: column + 1 }),
                      row: index + 1,
                    })}
                    text={row[column] ?? ''}
                    onChange={(text) => set(index + 1, column, text)}
                    onPaste={(event) => paste(event, index + 1, column)}
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="button button-quiet button-icon"
                  aria-label={t('Remove row {row}', { row: index + 1 })}
                  onClick={({ currentTarget }) => {
                    // The button disappears.
                    currentTarget.closest('fieldset')?.querySelector('input')?.focus();
                    onChange({ columns, rows: rows.filter((_, other) => other !== index) });
                  }}
                >
                  <Icon name="close" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
        {summed >= 0 && (
          <tfoot>
            <tr>
              {summed > 0 && (
                <th scope="row" colSpan={summed}>
                  {t('Sum')}
                </th>
              )}
              <td className={classOf(summed)}>{format.number(sumOf(cellsOf(summed)))}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface CellProps {
  /** Type of the column. Empty if it is unknown. */
  readonly type: string;
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

function Cell({ type, label, text, onChange, onPaste }: CellProps) {
  if (type === 'person') return <PersonCell label={label} text={text} onChange={onChange} />;
  return (
    <input
      {...inputAttributes(type, text)}
      aria-label={label}
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onPaste={onPaste}
    />
  );
}

function PersonCell({ label, text, onChange }: Pick<CellProps, 'label' | 'text' | 'onChange'>) {
  const t = useText();
  const { people, nameOf } = usePeople();
  return (
    <select
      aria-label={label}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('None')}</option>
      {text !== '' && nameOf(text) === null && (
        <option value={text}>{t('Not visible to you')}</option>
      )}
      {people.map((person) => (
        <option key={person.value} value={person.value}>
          {person.label}
        </option>
      ))}
    </select>
  );
}
