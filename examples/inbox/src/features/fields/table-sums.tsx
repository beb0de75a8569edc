import {
  differenceOf,
  sumOf,
  totals,
  unsummedColumns,
  wrongProducts,
} from '../../domain/table-sums.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { isNumber, useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { ColumnDefinition } from './field-definition.ts';

/** A column with its values as the DMS has them. */
interface SummedColumn {
  readonly name: string;
  readonly isNumeric: boolean;
  readonly isSummed: boolean;
  /** What cannot be read is as it was entered. */
  readonly cells: readonly string[];
}

export function columnsOf(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  declared: readonly ColumnDefinition[],
): readonly SummedColumn[] {
  return names.map((name, x) => {
    const cells = rows.map((row) => row[x] ?? '').filter((cell) => cell !== '');
    const column = declared.find((one) => one.name === name);
    const isNumeric = column ? column.type === 'number' : cells.length > 0 && cells.every(isNumber);
    return {
      name,
      isNumeric,
      isSummed: isNumeric && !(column && unsummedColumns.includes(name)),
      cells,
    };
  });
}

/** Returns the sum of a column. Null if it has no cells, or one that is no number. */
function sumOfColumn({ cells }: SummedColumn): string | null {
  return cells.length > 0 && cells.every(isNumber) ? sumOf(cells) : null;
}

interface TableSumsProps {
  readonly columns: readonly SummedColumn[];
}

export function TableSums({ columns }: TableSumsProps) {
  const t = useText();
  const first = columns.findIndex((column) => column.isSummed);
  if (first < 0 || columns.every(({ cells }) => cells.length === 0)) return null;
  return (
    <tfoot>
      <tr>
        {first > 0 && (
          <th scope="row" colSpan={first}>
            {t('Sum')}
          </th>
        )}
        {columns.slice(first).map((column) => (
          <td key={column.name} className={column.isNumeric ? 'number' : undefined}>
            {column.isNumeric && <Sum column={column} />}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Sum({ column }: { readonly column: SummedColumn }) {
  const t = useText();
  const format = useFormat();
  if (!column.isSummed) {
    const reason = t('These numbers are not added.');
    return (
      <span className="muted" title={reason}>
        –<span className="visually-hidden"> {reason}</span>
      </span>
    );
  }
  const sum = sumOfColumn(column);
  if (sum !== null) return format.number(sum);
  const unreadable = column.cells.filter((cell) => !isNumber(cell)).length;
  if (unreadable === 0) return '–';
  return (
    <span className="field-error">
      {unreadable === 1
        ? t('No sum: 1 cell is not a number')
        : t('No sum: {count} cells are not numbers', { count: format.count(unreadable) })}
    </span>
  );
}

interface TableChecksProps {
  readonly tag: string;
  readonly columns: readonly SummedColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly labelOf: (column: string) => string;
  /** Returns another field of the document with its value. Undefined: there is none. */
  readonly otherField: (tag: string) => OtherValue | null | undefined;
}

interface OtherValue {
  readonly label: string;
  /** As the DMS has it. Empty: it has none. */
  readonly value: string;
  readonly onUse?: (value: string) => void;
}

export function TableChecks({ tag, columns, rows, labelOf, otherField }: TableChecksProps) {
  const t = useText();
  const format = useFormat();
  const names = columns.map(({ name }) => name);
  const total = totals[tag];
  const summed = columns.find(({ name }) => name === total?.column);
  const sum = summed && sumOfColumn(summed);
  const other = total && otherField(total.field);
  return (
    <>
      {wrongProducts(names, rows).map(({ row, quantity, price, amount, product }) => (
        <p key={row} className="row small warning">
          <Icon name="warning" />
          {t('Row {row}: {quantity} × {price} is {product}, not {amount}.', {
            row: row + 1,
            quantity: format.number(quantity),
            price: format.number(price),
            product: format.number(product),
            amount: format.number(amount),
          })}
        </p>
      ))}
      {other && sum != null && (
        <TotalCheck sum={sum} column={labelOf(total.column)} other={other} />
      )}
    </>
  );
}

interface TotalCheckProps {
  readonly sum: string;
  readonly column: string;
  readonly other: OtherValue;
}

function TotalCheck({ sum, column, other }: TotalCheckProps) {
  const t = useText();
  const format = useFormat();
  const { label: field, value, onUse } = other;
  const isComparable = isNumber(value);
  if (!isComparable && !onUse) return null;
  const difference = isComparable ? differenceOf(sum, value) : null;
  const isSame = isComparable && difference === null;
  return (
    <p className={`row small ${isSame ? 'total-check-same' : 'warning'}`}>
      <Icon name={isSame ? 'check' : 'warning'} />
      <span>
        {isSame
          ? t('The sum of {column}, {sum}, is the {field}.', {
              column,
              sum: format.number(sum),
              field,
            })
          : difference !== null
            ? t('The sum of {column} differs from the {field} of {total} by {difference}.', {
                column,
                field,
                total: format.number(value),
                difference: format.number(difference),
              })
            : t('The {field} is empty.', { field })}
      </span>
      {!isSame && onUse && (
        <button type="button" className="button" onClick={() => onUse(sum)}>
          {t('Use {sum} as {field}', { sum: format.number(sum), field })}
        </button>
      )}
    </p>
  );
}
