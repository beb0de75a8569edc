import type { DocumentOrder } from '../../gql/graphql.ts';

const orders = {
  created: { field: 'DATE_CREATED', direction: 'ASC' },
  '-created': { field: 'DATE_CREATED', direction: 'DESC' },
  due: { field: 'DATE_DUE', direction: 'ASC' },
  '-due': { field: 'DATE_DUE', direction: 'DESC' },
} as const satisfies Record<string, DocumentOrder>;

/** The order of a list as the URL has it. Null: that of the DMS. */
export type ListOrder = keyof typeof orders | null;

/** A column by which a list can be sorted. */
export type SortableColumn = 'created' | 'due';

/** Reads the order from the query string. */
export function orderFromParams(params: URLSearchParams): ListOrder {
  const text = params.get('order') ?? '';
  return Object.hasOwn(orders, text) ? (text as keyof typeof orders) : null;
}

/** Returns the order as an input of the schema. */
export function toDocumentOrder(order: ListOrder): DocumentOrder | null {
  return order && orders[order];
}

/** Returns the query string of the first page in an order. */
export function paramsWithOrder(params: URLSearchParams, order: ListOrder): URLSearchParams {
  const target = new URLSearchParams(params);
  target.delete('page');
  if (order === null) target.delete('order');
  else target.set('order', order);
  return target;
}

/** The latest documents and the earliest due dates come first; the next choice is the other direction, then no order. */
const choices: Readonly<Record<SortableColumn, readonly ListOrder[]>> = {
  created: ['-created', 'created', null],
  due: ['due', '-due', null],
};

/** Returns the order that the header of a column selects. */
export function nextOrder(column: SortableColumn, order: ListOrder): ListOrder {
  const current = order === null ? -1 : choices[column].indexOf(order);
  return choices[column][current + 1] ?? null;
}
