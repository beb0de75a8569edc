import { useSearchParams, Link } from 'react-router';
import { Icon } from '../../../../ui/icon.tsx';
import { useText, type Label } from '../../language/text.ts';
import {
  orderFromParams,
  paramsWithOrder,
  type ListOrder,
  nextOrder,
  type SortableColumn,
} from './list-order.ts';

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

const labels: readonly (readonly [order: ListOrder, label: Label])[] = [
  [null, 'Unsorted'],
  ['-created', 'Newest first'],
  ['created', 'Oldest first'],
  ['due', 'Due first'],
  ['-due', 'Due last'],
];

export function SortChoice() {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const order = orderFromParams(params);
  return (
    <label className="button sort-choice">
      <Icon name="sort" />
      <span>{t(labels.find(([one]) => one === order)![1])}</span>
      <select
        aria-label={t('Sort')}
        value={order ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setParams(paramsWithOrder(params, (value || null) as ListOrder))
        }
      >
        {labels.map(([one, label]) => (
          <option key={label} value={one ?? ''}>
            {t(label)}
          </option>
        ))}
      </select>
    </label>
  );
}
