import { useSearchParams } from 'react-router';
import { Icon } from '../../../../ui/icon.tsx';
import { useText, type Label } from '../../language/text.ts';
import { orderFromParams, paramsWithOrder, type ListOrder } from './list-order.ts';

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
