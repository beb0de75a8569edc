import { useId, useState, type ReactNode } from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { formatTable, parseTable, type Table } from '../../domain/table-text.ts';
import { useLocale } from '../../language/format.ts';
import { editableValue, exampleOf, readValue, type ValueType } from '../../language/reading.ts';
import { useText } from '../../language/text.ts';
import type { FieldDefinition } from './field-definition.ts';
import { useExplainText } from './explain-text.ts';
import { mapCells, wrongCells } from './field-values.ts';
import { TableGrid } from './table-grid.tsx';
import { columnsOf, TableChecks, TableSums } from './table-sums.tsx';
import './table-field.css';

interface OtherField extends ValueType {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export interface TableFieldProps {
  readonly field: FieldDefinition;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly issue: ReactNode;
  readonly cellIssue?: ((row: number, column: string) => ReactNode) | undefined;
  /** Returns another field of the document. Undefined: there is none. */
  readonly otherField?: ((tag: string) => OtherField | undefined) | undefined;
}

export function TableField(props: TableFieldProps) {
  const { field, text, onChange, issue, otherField } = props;
  const t = useText();
  const id = useId();
  const explain = useExplainText();
  const locale = useLocale();
  const { tag, label, isRequired } = field;
  const usualColumns = field.columns.length > 0 ? field.columns.map(({ name }) => name) : ['', ''];
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
  const [pastedRows, setPastedRows] = useState(0);
  const read = mapCells(field, table, (column, cell) => readValue(column, cell, locale) ?? 'NaN');
  const sums = columnsOf(table.columns, read.rows, field.columns);
  return (
    <fieldset
      className="field table-field"
      aria-describedby={issue === undefined ? `${id}-hint` : `${id}-issue`}
    >
      <legend>
        {label}
        {isRequired && <span> {t('(required)')}</span>}
      </legend>
      <TableGrid
        {...props}
        id={id}
        table={table}
        declared={declared}
        onChange={change}
        onPasted={setPastedRows}
      >
        <TableSums columns={sums} />
      </TableGrid>
      <TableChecks
        tag={tag}
        columns={sums}
        rows={read.rows}
        labelOf={(column) => declared?.find(({ name }) => name === column)?.label ?? column}
        otherField={(other) => {
          const found = otherField?.(other);
          if (!found) return null;
          return {
            label: found.label,
            value: readValue(found, found.text, locale) ?? '',
            onUse: (value) => found.onChange(editableValue(found, value, locale)),
          };
        }}
      />
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
        <p id={`${id}-hint`} className="muted small" role="status">
          {pastedRows === 0
            ? t('You can paste cells from a spreadsheet.')
            : t('Pasted rows: {count}. Numbers are read like {example}', {
                count: pastedRows,
                example: exampleOf('number', locale),
              })}
        </p>
      </div>
      {issue !== undefined && wrongCells(field, table, explain).length === 0 && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </fieldset>
  );
}
