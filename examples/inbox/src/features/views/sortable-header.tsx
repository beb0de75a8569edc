import { Link, useSearchParams } from 'react-router';
import { useText, type Label } from '../../language/text.ts';
import { nextOrder, orderFromParams, paramsWithOrder, type SortableColumn } from './list-order.ts';

interface SortableHeaderProps {
  readonly column: SortableColumn;
  readonly label: Label;
  /** False: the list is too long. */
  readonly isSortable: boolean;
}

export function SortableHeader({ column, label, isSortable }: SortableHeaderProps) {
  const t = useText();
  const [params] = useSearchParams();
  const order = orderFromParams(params);
  const target = paramsWithOrder(params, nextOrder(column, order));
  const direction =
    order === column ? 'ascending' : order === `-${column}` ? 'descending' : undefined;
  return (
    <th scope="col" className={`document-row-${column}`} aria-sort={direction}>
      {!isSortable && t(label)}
      {isSortable && (
        <Link className="sort-link" to={{ search: target.toString() }} preventScrollReset>
          {t(label)}
          {direction && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
        </Link>
      )}
    </th>
  );
}
