import type { Page, PageRequest } from '../../model/page.ts';
import { MAX_INDEX } from './cursor.ts';

/** The largest `pageSize` that the DMS accepts (REST spec, Limits). */
export const MAX_UPSTREAM_PAGE = 100;

/** Reads 1 to 100 items of a list in one upstream call. */
export type ReadUpstreamPage<T> = (page: PageRequest) => Promise<Page<T>>;

/** The items of a page that was read in several upstream calls. */
interface JoinedPage<T> extends Page<T> {
  /** For each item, its index in the list when it was read. Ascending, or equal. */
  readonly indexes: readonly number[];
  /** The index after the last item that was read. */
  readonly end: number;
}

interface Part<T> extends Page<T> {
  readonly first: number;
}

/** Number of upstream calls of a page of `size` items, if the list has that many. */
export function upstreamCallsFor(size: number): number {
  return Math.ceil(size / MAX_UPSTREAM_PAGE);
}

/**
 * Reads a page of more than 100 items. Costs one upstream call per 100 items that the list has in this range: the first
 * call returns the total, then all others are sent at once. If the list is known to reach that far, all are sent at
 * once.
 *
 * The list can change between the calls. An item that several calls return is kept once, at its first position. If the
 * total decreases from one call to the next, items have moved across the boundary between them, and one more call per
 * boundary reads those. An item is missing if no call returned it: it was moved itself, or others passed it while the
 * total did not change or is not reported.
 *
 * @param keyOf identifies an item
 * @param reachesEnd whether the list is known to have had an item at the end of the page
 */
export async function readJoinedPage<T>(
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
  return join(parts, await readMovedItems(parts, readPart), keyOf, page.pageSize);
}

function split({ first, pageSize }: PageRequest): PageRequest[] {
  return Array.from({ length: upstreamCallsFor(pageSize) }, (_, i) => {
    const offset = i * MAX_UPSTREAM_PAGE;
    return { first: first + offset, pageSize: Math.min(MAX_UPSTREAM_PAGE, pageSize - offset) };
  });
}

/** Whether a later part can contain items, according to the first one. After an empty part there are none. */
function isWithin({ items, totalCount }: Page<unknown>) {
  const end = totalCount ?? (items.length === MAX_UPSTREAM_PAGE ? Infinity : 0);
  return ({ first }: PageRequest): boolean => items.length > 0 && first < end && first <= MAX_INDEX;
}

/** For each part except the first, the items that have moved across its start. Null if there are none. */
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
  size: number,
): JoinedPage<T> {
  const inOrder = parts.flatMap((part, i) => [moved[i - 1] ?? [], part].flat());
  const items: T[] = [];
  const indexes: number[] = [];
  const seen = new Set<string>();
  let end = parts[0]!.first;
  for (const part of inOrder) {
    for (const [i, item] of part.items.entries()) {
      if (items.length === size) break;
      end = Math.max(end, part.first + i + 1);
      const key = keyOf(item);
      if (seen.has(key)) continue;
      seen.add(key);
      items.push(item);
      indexes.push(end - 1);
    }
  }
  return { items, totalCount: parts.at(-1)!.totalCount, indexes, end };
}
