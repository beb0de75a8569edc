import { isNumber, useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { sumOf } from '../../domain/table-text.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';

const tableValueFragment = graphql(`
  fragment TableValue on TableValue {
    columns
    rows
  }
`);

interface TableValueProps {
  readonly table: FragmentType<typeof tableValueFragment>;
  readonly label: string;
}

/** A table value. A column of numbers is aligned to the right, and the last of them has its sum below. */
export function TableValue({ table, label }: TableValueProps) {
  const t = useText();
  const format = useFormat();
  const { columns, rows } = useFragment(tableValueFragment, table);
  const isNumeric = columns.map((_, index) => rows.every((row) => isNumber(row[index] ?? '')));
  // Of the last numbers, usually amounts: the sum of positions or of prices says nothing.
  const summed = rows.length > 1 ? isNumeric.lastIndexOf(true) : -1;
  const classOf = (index: number): string | undefined => (isNumeric[index] ? 'number' : undefined);
  return (
    // What scrolls must be reachable by keyboard. A group is no landmark: two tables can have the same label.
    <div className="scroll-x" role="group" aria-label={label} tabIndex={0}>
      <table>
        <caption className="label">{label}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={classOf(index)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} className={classOf(index)}>
                  {isNumeric[index] ? format.number(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {summed > 0 && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={summed}>
                {t('Sum')}
              </th>
              <td className="number">
                {format.number(sumOf(rows.map((row) => row[summed] ?? '')))}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
