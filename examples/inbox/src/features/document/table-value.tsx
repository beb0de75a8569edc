import { isNumber, useFormat } from '../../language/format.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';

const tableValueFragment = graphql(`
  fragment TableValue on TableValue {
    tag
    columns
    rows
  }
`);

interface TableValueProps {
  readonly table: FragmentType<typeof tableValueFragment>;
  /** Default: the tag. */
  readonly label: string | undefined;
}

/** A table value. A column of numbers is aligned to the right. */
export function TableValue({ table, label }: TableValueProps) {
  const format = useFormat();
  const { tag, columns, rows } = useFragment(tableValueFragment, table);
  const isNumeric = columns.map((_, index) => rows.every((row) => isNumber(row[index] ?? '')));
  const classOf = (index: number): string | undefined => (isNumeric[index] ? 'number' : undefined);
  return (
    // What scrolls must be reachable by keyboard. A group is no landmark: two tables can have the same label.
    <div className="scroll-x" role="group" aria-label={label ?? tag} tabIndex={0}>
      <table>
        <caption className="label">{label ?? tag}</caption>
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
      </table>
    </div>
  );
}
