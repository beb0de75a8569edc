import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Page, PageRequest } from '../../model/page.ts';
import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { selectsOnly } from '../plan/requirements.ts';
import { badInput, checkRange } from '../graphql-error.ts';
import { builder } from '../builder.ts';
import { fromCursor, MAX_INDEX, toCursor } from './cursor.ts';
import {
  MAX_UPSTREAM_PAGE,
  readJoinedPage,
  upstreamCallsFor,
  type ReadUpstreamPage,
} from './joined-page.ts';

/** One page of a list with the values that its connection type exposes. */
export interface ItemPage<T> {
  readonly items: readonly T[];
  readonly totalCount: number | null;
  /** Index of the first item, counted from 0. */
  readonly start: number;
  readonly hasNextPage: boolean;
  readonly cursor: (index: number) => string;
  /** Set if only the total count was read, or nothing. Reads the page for deferred fragments that select more. */
  readonly readDeferred?: (requirements: DocumentRequirements) => Promise<ItemPage<T>>;
}

/** The values of the paging arguments, not yet validated. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly offset?: number | null | undefined;
}

/** Identifies a list for its cursors: its name, and the other arguments that determine its items. */
export interface List {
  readonly name: string;
  readonly scope: string | null;
}

const DEFAULT_SIZE = 10;
const MAX_SIZE = 500;

/** Relay's paging arguments: `first`, `after`, `last` and `before`. */
export const relayArgs = builder.args((t) => ({
  first: t.int({
    description: `Number of items to return from the start of the list, or after \`after\`: 1 to ${MAX_SIZE}. Default: ${DEFAULT_SIZE}, unless \`last\` is set.`,
  }),
  after: t.string({
    description:
      'Return the items after this cursor. For the next page, pass `pageInfo.endCursor`. A cursor of another list, view or filter is rejected with `BAD_USER_INPUT`.',
  }),
  last: t.int({
    description: `Number of items to return from the end of the list, or before \`before\`: 1 to ${MAX_SIZE}. Cannot be combined with \`first\`. Without \`before\`, the DMS must report the total count; otherwise the code is \`BAD_USER_INPUT\`.`,
  }),
  before: t.string({
    description:
      'Return the items before this cursor. For the previous page, pass `pageInfo.startCursor`. A cursor of another list, view or filter is rejected with `BAD_USER_INPUT`.',
  }),
}));

/** Relay's paging arguments and `offset`. */
export const pageArgs = {
  ...relayArgs,
  ...builder.args((t) => ({
    offset: t.int({
      description:
        'Zero-based index of the first item, for jumping to a page: `first: 10, offset: 20` returns the third page. Can only be combined with `first`.',
    }),
  })),
};

/**
 * The requested range of indexes. `to` is null if it is the end of the list. With `fromEnd`, `size` counts from the end
 * of the range.
 */
export interface Window {
  readonly from: number;
  readonly to: number | null;
  readonly size: number;
  readonly fromEnd: boolean;
}

/**
 * Number of items that the arguments request. 1 if neither `first` nor `last` is set: most lists without a stated size,
 * such as references, are shorter than the default page, and a client that has stated none must not be rejected for it.
 */
export const requestedItems = ({ first, last }: PageArgs): number => first ?? last ?? 1;

/**
 * The estimated cost of a page of a list that the DMS pages: number of upstream calls, and number of items as in
 * `requestedItems`.
 */
export function costOfPage(args: PageArgs): { readonly calls: number; readonly items: number } {
  const items = requestedItems(args);
  return { calls: upstreamCallsFor(items), items };
}

/**
 * Validates paging arguments and returns the requested range.
 *
 * @param list with a null scope if the scope is not known yet; cursors of other lists with the same name are then
 * accepted
 * @throws BAD_USER_INPUT for sizes out of range, cursors of other lists, and arguments that exclude each other
 */
export function windowOf(args: PageArgs, list: List): Window {
  const { first, after, last, before, offset } = args;
  if (first != null && last != null) throw badInput('`first` and `last` cannot be combined.');
  if (offset != null && (after != null || before != null || last != null)) {
    throw badInput('`offset` can only be combined with `first`.');
  }
  if (first != null) checkRange('first', first, 1, MAX_SIZE);
  if (last != null) checkRange('last', last, 1, MAX_SIZE);
  if (offset != null) checkRange('offset', offset, 0, MAX_INDEX);
  const index = (cursor: string, name: string) => fromCursor(list.name, list.scope, cursor, name);
  return {
    from: after == null ? (offset ?? 0) : Math.min(index(after, 'after') + 1, MAX_INDEX),
    to: before == null ? null : index(before, 'before'),
    size: first ?? last ?? DEFAULT_SIZE,
    fromEnd: last != null,
  };
}

/** The slice of a range in a list that ends before index `end`. */
export function slice({ from, to, size, fromEnd }: Window, end: number): PageRequest {
  const upper = Math.min(to ?? end, end);
  const first = fromEnd ? Math.max(from, upper - size) : from;
  return { first, pageSize: Math.max(0, Math.min(size, upper - first)) };
}

/** How a list that the DMS pages is read. */
export interface ListReader<T> {
  readonly read: ReadUpstreamPage<T>;
  /** Reads the total count. Null if the DMS does not report it. */
  readonly count: () => Promise<number | null>;
  /** Identifies an item. */
  readonly keyOf: (item: T) => string;
}

/**
 * Reads one page of a list that the DMS pages. Costs one upstream request per 100 items. `last` without `before` costs
 * one more for the total count, which determines the end of the list. An empty range costs only the count. If the list
 * has become shorter than the cursor `before`, the page is read again at its end.
 */
export async function readPage<T>(
  args: PageArgs,
  list: List,
  reader: ListReader<T>,
): Promise<ItemPage<T>> {
  const window = windowOf(args, list);
  const limit = window.fromEnd && window.to === null ? await lastIndex(reader.count) : Infinity;
  const request = slice(window, limit);
  const reachesEnd = window.to !== null || limit !== Infinity;
  const page = await readSlice(request, list, reader, reachesEnd);
  const { items, totalCount } = page;
  const isFull = items.length === request.pageSize;
  if (!window.fromEnd || window.to === null || totalCount === null || isFull) return page;
  const shorter = slice(window, totalCount);
  const isComplete = shorter.pageSize === 0 || shorter.first === request.first;
  return isComplete ? page : readSlice(shorter, list, reader, reachesEnd);
}

async function readSlice<T>(
  { first, pageSize }: PageRequest,
  list: List,
  { read, count, keyOf }: ListReader<T>,
  reachesEnd: boolean,
): Promise<ItemPage<T>> {
  if (pageSize > MAX_UPSTREAM_PAGE) {
    const { indexes, end, ...page } = await readJoinedPage(
      { first, pageSize },
      read,
      keyOf,
      reachesEnd,
    );
    return {
      ...page,
      start: first,
      hasNextPage: hasNextPage(page, { first, pageSize }, end),
      cursor: (index) => toCursor(list.name, list.scope, indexes[index - first] ?? index),
    };
  }
  const page =
    pageSize === 0 ? { items: [], totalCount: await count() } : await read({ first, pageSize });
  return {
    ...page,
    start: first,
    hasNextPage: hasNextPage(page, { first, pageSize }, first + page.items.length),
    cursor: (index) => toCursor(list.name, list.scope, index),
  };
}

/**
 * Whether there is a next page. After an empty page there is none, even if the total count says otherwise: a client
 * could read empty pages forever.
 */
function hasNextPage(
  { items, totalCount }: Page<unknown>,
  { first, pageSize }: PageRequest,
  end: number,
): boolean {
  if (pageSize > 0 && items.length === 0) return false;
  return totalCount === null ? end === first + pageSize : end < totalCount;
}

async function lastIndex(count: () => Promise<number | null>): Promise<number> {
  const total = await count();
  if (total !== null) return total;
  throw badInput(
    '`last` requires `before` for this list, because the DMS does not report its total count.',
  );
}

/** The page of a connection of which only the total was selected: no item is read. */
export function onlyTotal<T>(
  totalCount: number | null,
  readDeferred: NonNullable<ItemPage<T>['readDeferred']>,
): ItemPage<T> {
  return { items: [], totalCount, start: 0, hasNextPage: false, cursor: String, readDeferred };
}

/** Names of the fields that are selected if only the total count is requested. */
export const TOTAL_ONLY: ReadonlySet<string> = new Set(['totalCount', '__typename']);

/** Names of the fields that are selected if all others are in deferred fragments. */
const TYPENAME_ONLY: ReadonlySet<string> = new Set(['__typename']);

/**
 * Reads the total count of a page of which nothing else is selected. Null, without a read, if only deferred fragments
 * select it.
 */
export async function totalOf(
  count: () => Promise<number | null>,
  { incremental }: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<number | null> {
  return incremental !== null && selectsOnly(info, TYPENAME_ONLY) ? null : count();
}

/** Returns the edges. Cursors are computed on access. */
export function edgesOf<T>({ items, start, cursor }: ItemPage<T>) {
  return items.map((node, i) => ({ node, cursor: () => cursor(start + i) }));
}

/** The values of `PageInfo` of a page. */
export function pageInfoOf({ items, start, hasNextPage, cursor }: ItemPage<unknown>) {
  const empty = items.length === 0;
  return {
    hasNextPage,
    hasPreviousPage: start > 0,
    startCursor: empty ? null : cursor(start),
    endCursor: empty ? null : cursor(start + items.length - 1),
  };
}
