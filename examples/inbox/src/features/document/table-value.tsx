import { isNumber, useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { sumOf } from '../../domain/table-text.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import type { RelatedObjects } from '../forms/related-objects.ts';
import { Content } from './text-value.tsx';

const tableValueFragment = graphql(`
  fragment TableValue on TableValue {
    columns
    rows
  }
`);

interface TableValueProps {
  readonly table: FragmentType<typeof tableValueFragment>;
  readonly field: FieldDefinition;
  readonly objects: RelatedObjects;
}

/** A table value. A column of numbers is aligned to the right, and the last of them has its sum below. */
export function TableValue({ table, field, objects }: TableValueProps) {
  const t = useText();
  const format = useFormat();
  const { columns: names, rows } = useFragment(tableValueFragment, table);
  const { label } = field;
  const columns = names.map(
    (name) => field.columns.find((one) => one.name === name) ?? { name, label: name, type: '' },
  );
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
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} className={classOf(index)}>
                  <Content
                    type={isNumeric[index] ? 'number' : columns[index]!.type}
                    text={cell}
                    objects={objects}
                  />
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
