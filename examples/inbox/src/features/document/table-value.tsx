import type { Table } from '../../domain/table-text.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { columnsOf, TableChecks, TableSums } from '../fields/table-sums.tsx';
import type { RelatedObjects } from '../forms/related-objects.ts';
import { Content } from './text-value.tsx';

interface TableValueProps {
  readonly table: Table;
  readonly field: FieldDefinition;
  readonly objects: RelatedObjects;
  readonly otherValue?: (tag: string) => { readonly label: string; readonly text: string } | null;
}

export function TableValue({ table, field, objects, otherValue }: TableValueProps) {
  const { columns: names, rows } = table;
  const { tag, label } = field;
  const columns = names.map(
    (name) => field.columns.find((one) => one.name === name) ?? { name, label: name, type: '' },
  );
  const sums = columnsOf(names, rows, field.columns);
  const classOf = (index: number): string | undefined =>
    sums[index]?.isNumeric ? 'number' : undefined;
  return (
    // What scrolls must be reachable by keyboard. A group is no landmark: two tables can have the same label.
    <div className="stack-small">
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
                      type={sums[index]!.isNumeric ? 'number' : columns[index]!.type}
                      text={cell}
                      objects={objects}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <TableSums columns={sums} />
        </table>
      </div>
      <TableChecks
        tag={tag}
        columns={sums}
        rows={rows}
        labelOf={(column) => columns.find(({ name }) => name === column)?.label ?? column}
        otherField={(other) => {
          const found = otherValue?.(other);
          return found && { label: found.label, value: found.text };
        }}
      />
    </div>
  );
}
