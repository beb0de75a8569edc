import { describe, expect, it } from 'vitest';
import { createResolvers, type Resolvers } from '../../helpers/resolvers.ts';
import { numbersOf, page, slices, withList, type Connection } from '../../helpers/connection.ts';
import { idOf } from '../../helpers/ids.ts';

const length = 240;
/** Every tenth item is visible, none of 100 to 139, and all from 200. */
const isVisible = (n: number): boolean => n >= 200 || (n % 10 === 3 && (n < 100 || n >= 140));
const visible = Array.from({ length }, (_, n) => n).filter(isVisible);

/** The views of a DMS that hides items after it has cut the page. */
const withHidden = (total = true): Resolvers =>
  withList(
    Array.from({ length }, (_, n) =>
      isVisible(n) ? { datedue: new Date(n * 1000).toISOString() } : null,
    ),
    { total },
  );

/** Reads all pages in the given direction. */
async function readAll(list: Resolvers, field: string, size: number, isForward = true) {
  const pages: Connection[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor && `, ${isForward ? 'after' : 'before'}: "${cursor}"`;
    const read = await page(list, `${isForward ? 'first' : 'last'}: ${size}${from}`, field);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = read.pageInfo;
    pages.push(read);
    if (isForward) cursor = hasNextPage ? endCursor : null;
    else cursor = hasPreviousPage ? startCursor : null;
  }
  return pages;
}

describe('a DMS that leaves out items of a page', () => {
  for (const field of ['documents', 'organizations']) {
    it.each([10, 39, 100, 101, 119, 500])(`sends all ${field} in pages of %i`, async (size) => {
      const pages = await readAll(withHidden(), field, size);
      expect(pages).toHaveLength(Math.ceil(length / size));
      expect(pages.flatMap(numbersOf)).toEqual(visible);
      for (const { totalCount } of pages) expect(totalCount).toBe(length);
    });

    it.each([10, 39, 100, 119])(`sends all ${field} backwards in pages of %i`, async (size) => {
      const pages = await readAll(withHidden(), field, size, false);
      expect(pages).toHaveLength(Math.ceil(length / size));
      expect(pages.toReversed().flatMap(numbersOf)).toEqual(visible);
    });
  }

  it('is asked for each part of the list once', async () => {
    const list = withHidden();
    await readAll(list, 'documents', 90);
    expect(slices(list)).toEqual(['0+90', '90+90', '180+90']);
    list.dms.requests.length = 0;
    await readAll(list, 'documents', 150);
    expect(slices(list)).toEqual(['0+100', '100+50', '150+100']);
  });

  it('can send an empty page, or an empty part of it, before others', async () => {
    const list = withHidden();
    const empty = await page(list, 'first: 20, offset: 100');
    expect(empty).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } });
    const { startCursor, endCursor } = empty.pageInfo;
    expect(numbersOf(await page(list, `first: 40, after: "${endCursor}"`))).toEqual([143, 153]);
    expect(numbersOf(await page(list, `last: 20, before: "${startCursor}"`))).toEqual([83, 93]);
    const joined = await page(list, 'first: 107, offset: 104');
    expect(numbersOf(joined)).toEqual(visible.filter((n) => n >= 104 && n < 211));
  });

  it.each([5, 119])('continues after the last edge of a page of %i', async (size) => {
    const { edges, pageInfo } = await page(withHidden(), `first: ${size}`);
    expect(edges.at(-1)!.cursor).toBe(pageInfo.endCursor);
    const next = await page(withHidden(), `first: 1, offset: ${size}`);
    expect(next.pageInfo.startCursor).not.toBeNull();
    const after = await page(withHidden(), `first: 1, after: "${edges.at(-1)!.cursor}"`);
    expect(after.pageInfo).toEqual(next.pageInfo);
  });

  it('has no page after the total', async () => {
    const { edges, pageInfo } = await page(withHidden(), 'first: 10, offset: 240');
    expect(edges).toEqual([]);
    expect(pageInfo).toMatchObject({ hasNextPage: false, startCursor: null, endCursor: null });
  });

  it('is sorted, and searched, as a whole', async () => {
    const list = withHidden();
    const order = 'orderBy: { field: DATE_DUE, direction: DESC }';
    const first = await page(list, `${order}, first: 50`);
    const { endCursor } = first.pageInfo;
    const second = await page(list, `${order}, first: 50, after: "${endCursor}"`);
    expect([first, second].flatMap(numbersOf)).toEqual(visible.toReversed());
    expect(first.totalCount).toBe(visible.length);
    expect(slices(list)).toEqual(['0+100', '100+100', '200+100', '0+100', '100+100', '200+100']);
  });

  it('without a total ends the list with a short page', async () => {
    const list = withHidden(false);
    expect((await page(list, 'first: 10')).pageInfo.hasNextPage).toBe(false);
    expect((await page(list, 'first: 10, offset: 200')).pageInfo.hasNextPage).toBe(true);
    const empty = await page(list, 'first: 10, offset: 100');
    expect(empty.pageInfo).toMatchObject({ hasNextPage: false, endCursor: null });
  });

  it('without a total is not sorted if the list may be too long', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /view/, ({ path }) => {
      const first = Number(new URL(path, 'http://x').searchParams.get('first'));
      const items = Array.from({ length: 100 }, (_, i) => ({ _id: idOf(first + i) }));
      return first === 200 ? items.slice(1) : items;
    });
    const { codes } = await run('{ documents(orderBy: { field: DATE_DUE }) { totalCount } }');
    expect(codes).toEqual(['BAD_USER_INPUT']);
  });
});
