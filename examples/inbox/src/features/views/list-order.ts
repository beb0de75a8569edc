import type { DocumentOrder } from '../../gql/graphql.ts';

const orders = {
  created: { field: 'DATE_CREATED', direction: 'ASC' },
  '-created': { field: 'DATE_CREATED', direction: 'DESC' },
  due: { field: 'DATE_DUE', direction: 'ASC' },
  '-due': { field: 'DATE_DUE', direction: 'DESC' },
} as const satisfies Record<string, DocumentOrder>;

/** The order of a list as the URL has it. Null: that of the DMS. */
export type ListOrder = keyof typeof orders | null;

export type SortableColumn = 'created' | 'due';

export function orderFromParams(params: URLSearchParams): ListOrder {
  const text = params.get('order') ?? '';
  return Object.hasOwn(orders, text) ? (text as keyof typeof orders) : null;
}

export function toDocumentOrder(order: ListOrder): DocumentOrder | null {
  return order && orders[order];
}

export function paramsWithOrder(params: URLSearchParams, order: ListOrder): URLSearchParams {
  const target = new URLSearchParams(params);
  target.delete('page');
  if (order === null) target.delete('order');
  else target.set('order', order);
  return target;
}

const choices: Readonly<Record<SortableColumn, readonly ListOrder[]>> = {
  created: ['-created', 'created', null],
  due: ['due', '-due', null],
};

export function nextOrder(column: SortableColumn, order: ListOrder): ListOrder {
  const current = order === null ? -1 : choices[column].indexOf(order);
  return choices[column][current + 1] ?? null;
}
