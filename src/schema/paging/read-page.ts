import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Page, PageRequest } from '../../model/common.ts';
import { badInput } from '../graphql-error.ts';
import { MAX_INDEX, slice, toCursor, type List, type Window } from './window.ts';

export interface ItemPage<T> {
  readonly items: readonly T[];
  readonly totalCount: number | null;
  readonly start: number;
  readonly end: number;
  readonly indexes?: readonly number[];
  readonly hasNextPage: boolean;
  readonly cursor: (index: number) => string;
  readonly readDeferred?: (requirements: DocumentRequirements) => Promise<ItemPage<T>>;
}

export function costOfPage({ requestedItems: items }: Window) {
  return { calls: upstreamCallsFor(items), items };
}

export function maxCostOfPage(window: Window) {
  const { size: items } = window;
  return { calls: upstreamCallsFor(items) + (countsFirst(window) ? 1 : 0), items };
}

export function countsFirst({ fromEnd, to }: Window): boolean {
  return fromEnd && to === null;
}

export interface ListReader<T> {
  readonly read: ReadUpstreamPage<T>;
  readonly count: () => Promise<number | null>;
  readonly keyOf: (item: T) => string;
}

/**
 * `last` without `before` costs one call more for the total count, which determines the end of the list. If the list
 * has become shorter than the cursor `before`, the page is read again at its end.
 */
export async function readPage<T>(
  window: Window,
  list: List,
  reader: ListReader<T>,
): Promise<ItemPage<T>> {
  const limit = countsFirst(window) ? await lastIndex(reader.count) : Infinity;
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

export interface WholeList<T> {
  readonly max: number;
  readonly tooLong: (length: number | string) => string;
  readonly arrange: (items: readonly T[]) => readonly T[] | Promise<readonly T[]>;
}

export function costOfWhole({ requestedItems: items }: Window, max: number) {
  return { calls: upstreamCallsFor(max), items };
}

/**
 * Reads a whole list, arranges it and returns a page of the result. Costs one upstream request per 100 items of the list.
 * @throws BAD_USER_INPUT if the list is too long, or could be because the DMS does not report its length
 */
export async function readWholeList<T>(
  window: Window,
  list: List,
  { max, tooLong, arrange }: WholeList<T>,
  { read, keyOf }: Pick<ListReader<T>, 'read' | 'keyOf'>,
): Promise<ItemPage<T>> {
  const readChecked: ReadUpstreamPage<T> = async (page) => {
    const found = await read(page);
    if (found.totalCount !== null && found.totalCount > max) {
      throw badInput(tooLong(found.totalCount));
    }
    return found;
  };
  const whole = { first: 0, pageSize: max };
  const { items, totalCount, end } = await readJoinedPage(whole, readChecked, keyOf, false);
  if (totalCount === null && end === max) throw badInput(tooLong(`${max} or more`));
  return pageOf(await arrange(items), window, list);
}

export function pageOf<T>(all: readonly T[], window: Window, list: List) {
  const { first, pageSize } = slice(window, all.length);
  const items = all.slice(first, first + pageSize);
  return {
    items,
    totalCount: all.length,
    start: first,
    end: first + items.length,
    hasNextPage: first + items.length < all.length,
    cursor: (index: number) => toCursor(list, index),
  } satisfies ItemPage<T>;
}

async function readSlice<T>(
  request: PageRequest,
  list: List,
  { read, count, keyOf }: ListReader<T>,
  reachesEnd: boolean,
): Promise<ItemPage<T>> {
  const { first, pageSize } = request;
  const page =
    pageSize === 0
      ? endedPage({ items: [], totalCount: await count() }, request)
      : await readJoinedPage(request, read, keyOf, reachesEnd);
  const { totalCount, end } = page;
  return {
    ...page,
    start: first,
    hasNextPage: totalCount === null ? end === first + pageSize : end < totalCount,
    cursor: (index) => toCursor(list, index),
  };
}

interface EndedPage<T> extends Page<T> {
  readonly end: number;
}

/**
 * A page with the index at which the next one begins. The DMS can leave out items of a page that the user cannot see. A
 * short or empty page therefore ends the list only if it reaches the total, or if there is none.
 */
function endedPage<T>(
  page: Page<T>,
  { first, pageSize }: PageRequest,
  endOfItems = first + page.items.length,
): EndedPage<T> {
  const { totalCount } = page;
  return { ...page, end: Math.max(endOfItems, Math.min(first + pageSize, totalCount ?? 0)) };
}

async function lastIndex(count: () => Promise<number | null>): Promise<number> {
  const total = await count();
  if (total !== null) return total;
  throw badInput(
    '`last` requires `before` for this list, because the DMS does not report its total count.',
  );
}

/** The largest `pageSize` that the DMS accepts (REST spec, Limits). */
const MAX_UPSTREAM_PAGE = 100;

type ReadUpstreamPage<T> = (page: PageRequest) => Promise<Page<T>>;

interface JoinedPage<T> extends EndedPage<T> {
  readonly indexes: readonly number[];
}

interface Part<T> extends Page<T> {
  readonly first: number;
}

function upstreamCallsFor(size: number): number {
  return Math.ceil(size / MAX_UPSTREAM_PAGE);
}

/**
 * The list can change between the calls. An item that is returned twice is kept once, at its first position. If the
 * total decreases from one call to the next, items have moved across the boundary between them, and one more call per
 * boundary reads those.
 */
async function readJoinedPage<T>(
  page: PageRequest,
  read: ReadUpstreamPage<T>,
  keyOf: (item: T) => string,
  reachesEnd: boolean,
): Promise<JoinedPage<T>> {
  const readPart = async (request: PageRequest): Promise<Part<T>> => ({
    ...(await read(request)),
    first: request.first,
  });
  const [head, ...tail] = split(page);
  const first = readPart(head!);
  const rest = reachesEnd ? tail : tail.filter(isWithin(await first));
  const parts = await Promise.all([first, ...rest.map(readPart)]);
  return join(parts, await readMovedItems(parts, readPart), keyOf, page);
}

function split({ first, pageSize }: PageRequest): PageRequest[] {
  return Array.from({ length: upstreamCallsFor(pageSize) }, (_, i) => {
    const offset = i * MAX_UPSTREAM_PAGE;
    return { first: first + offset, pageSize: Math.min(MAX_UPSTREAM_PAGE, pageSize - offset) };
  });
}

function isWithin({ items, totalCount }: Page<unknown>) {
  const end = totalCount ?? (items.length === MAX_UPSTREAM_PAGE ? Infinity : 0);
  return ({ first }: PageRequest): boolean => first < end && first <= MAX_INDEX;
}

function readMovedItems<T>(
  parts: readonly Part<T>[],
  readPart: (request: PageRequest) => Promise<Part<T>>,
): Promise<(Part<T> | null)[]> {
  const reads = parts.slice(1).map(async ({ first, totalCount }, i) => {
    const moved = (parts[i]!.totalCount ?? 0) - (totalCount ?? Infinity);
    if (moved <= 0) return null;
    const pageSize = Math.min(moved, MAX_UPSTREAM_PAGE);
    // A change of the list is no reason for the page to fail.
    return readPart({ first: first - pageSize, pageSize }).catch(() => null);
  });
  return Promise.all(reads);
}

function join<T>(
  parts: readonly Part<T>[],
  moved: readonly (Part<T> | null)[],
  keyOf: (item: T) => string,
  request: PageRequest,
): JoinedPage<T> {
  const inOrder = parts.flatMap((part, i) => [moved[i - 1] ?? [], part].flat());
  const items: T[] = [];
  const indexes: number[] = [];
  const seen = new Set<string>();
  const { totalCount } = parts.at(-1)!;
  let end = request.first;
  for (const part of inOrder) {
    for (const [i, item] of part.items.entries()) {
      // The items that have moved take the place of the last ones.
      if (items.length === request.pageSize) return { items, totalCount, indexes, end };
      end = Math.max(end, part.first + i + 1);
      const key = keyOf(item);
      if (seen.has(key)) continue;
      seen.add(key);
      items.push(item);
      indexes.push(end - 1);
    }
  }
  return { ...endedPage({ items, totalCount }, request, end), indexes };
}
