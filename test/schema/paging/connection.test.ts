import { describe, expect, it } from 'vitest';
import { toCursor } from '../../../src/schema/paging/window.ts';
import { numbersOf, page, slices, withList, type ListOptions } from '../../helpers/connection.ts';
import { createResolvers } from '../../helpers/resolvers.ts';
import { idOf } from '../../helpers/ids.ts';

const FORM = '5f00000000000000000000f1';

/** A view of 35 documents. */
const withView = (options: ListOptions = {}) => withList(35, options);

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('a page', () => {
  it('continues after a cursor', async () => {
    const view = withView();
    const seen: number[] = [];
    let after = '';
    for (let more = true; more;) {
      const found = await page(view, `first: 15${after}`);
      seen.push(...numbersOf(found));
      after = `, after: "${found.pageInfo.endCursor}"`;
      more = found.pageInfo.hasNextPage;
    }
    expect(seen).toEqual(range(0, 35));
    expect(slices(view)).toEqual(['0+15', '15+15', '30+15']);
  });

  it('continues before a cursor', async () => {
    const view = withView();
    const end = await page(view, 'last: 10');
    expect(numbersOf(end)).toEqual(range(25, 35));
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = await page(view, `last: 30, before: "${end.pageInfo.startCursor}"`);
    expect(numbersOf(before)).toEqual(range(0, 25));
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(slices(view)).toEqual([
      '0+1', // determines the end
      '25+10',
      '0+25',
    ]);
  });

  it('jumps by offset', async () => {
    const view = withView();
    const found = await page(view, 'first: 2, offset: 20');
    expect(numbersOf(found)).toEqual([20, 21]);
    expect(slices(view)).toEqual(['20+2']);
  });

  it('is empty between adjacent cursors', async () => {
    const view = withView();
    const { edges } = await page(view, 'first: 2');
    const none = await page(
      view,
      `first: 5, after: "${edges[0]!.cursor}", before: "${edges[1]!.cursor}"`,
    );
    expect(none).toMatchObject({ edges: [], totalCount: 35, pageInfo: { hasNextPage: true } });
    expect(none.pageInfo.startCursor).toBeNull();
    expect(slices(view)[1]).toBe('0+1');
  });

  it.each([
    [36, '31+5'],
    [60, '55+5'],
  ])('ends with the list if it has become shorter than cursor %i', async (index, slice) => {
    const view = withView();
    const cursor = toCursor({ name: 'documents', scope: JSON.stringify(['ALL', {}]) }, index);
    const found = await page(view, `last: 5, before: "${cursor}"`);
    expect(numbersOf(found)).toEqual(range(30, 35));
    expect(found.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(slices(view)).toEqual([slice, '30+5']);
  });

  it('is empty if the list ends before `after`', async () => {
    const view = withView();
    const cursor = (index: number) =>
      toCursor({ name: 'documents', scope: JSON.stringify(['ALL', {}]) }, index);
    const args = `last: 5, after: "${cursor(50)}", before: "${cursor(60)}"`;
    expect(await page(view, args)).toMatchObject({ edges: [], totalCount: 35 });
    expect(slices(view)).toEqual(['55+5']);
  });

  it('ends before the cursor of `before`', async () => {
    const view = withView();
    const { edges } = await page(view, 'first: 5');
    const found = await page(view, `first: 100, before: "${edges[3]!.cursor}"`);
    expect(numbersOf(found)).toEqual([0, 1, 2]);
  });

  it('has a next page if full without total', async () => {
    const view = withView({ total: false });
    expect(await page(view, 'first: 10')).toMatchObject({
      totalCount: null,
      pageInfo: { hasNextPage: true },
    });
    expect(await page(view, 'first: 10, offset: 30')).toMatchObject({
      pageInfo: { hasNextPage: false },
    });
  });

  it.each([
    ['0', false],
    ['35', true],
    [null, false],
  ])('is not the last one if it is empty before a total of %s', async (total, hasNextPage) => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /view/, [], { headers: total === null ? {} : { 'svc-total-count': total } });
    const { data } = await run('{ documents(first: 5) { pageInfo { hasNextPage endCursor } } }');
    const endCursor = hasNextPage ? expect.any(String) : null;
    expect(data).toEqual({ documents: { pageInfo: { hasNextPage, endCursor } } });
  });

  it('ignores additional items of the DMS', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /view/, [{ _id: idOf(1) }, 'not a document']);
    dms.reply('GET', '/api/v2/crm/org', [{ _id: idOf(2) }, 'not an organization']);
    const { data, errors } = await run(
      '{ documents(first: 1) { nodes { fullId } } organizations(first: 1) { nodes { fullId } } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      documents: { nodes: [{ fullId: idOf(1) }] },
      organizations: { nodes: [{ fullId: idOf(2) }] },
    });
  });
});

describe('an invalid page', () => {
  const refused: [what: string, args: string, message: string | RegExp][] = [
    ['no items', 'first: 0', '`first` must be an integer from 1 to 500, not 0.'],
    ['too many', 'first: 501', '`first` must be an integer from 1 to 500, not 501.'],

    [
      'a negative offset',
      'offset: -1',
      '`offset` must be an integer from 0 to 2147483646, not -1.',
    ],
    [
      'an offset over the limit',
      'offset: 2147483647',
      /`offset` must be an integer from 0 to 2147483646/,
    ],
    ['both ends', 'first: 1, last: 1', '`first` and `last` cannot be combined.'],
    ['offset and last', 'last: 1, offset: 1', '`offset` can only be combined with `first`.'],
    ['no cursor', 'after: "x"', '`after` is not a valid cursor.'],
    ['an invented cursor', 'before: "ZG9jdW1lbnRzOng6MQ"', '`before` is not a valid cursor.'],
    [
      'a state out of range',
      'filter: { state: 101 }',
      '`filter.state` must be an integer from 0 to 100, not 101.',
    ],

    [
      'a status out of range',
      'filter: { status: 0 }',
      '`filter.status` must be an integer from 1 to 10, not 0.',
    ],
    [
      'a comma in a tag',
      'filter: { tags: ["a,b"] }',
      /`filter.tags\[0\]` must have 1 to 256 characters/,
    ],

    ['a comma in a service account', 'filter: { authors: ["api-a,b"] }', /`filter.authors\[0\]`/],

    [
      'no author',
      'filter: { authors: ["ann"] }',
      '`filter.authors[0]` must be a global ID or a system ID that begins with `usr-` or `api-`. Received: "ann".',
    ],
  ];

  it.each(refused)('rejects %s without a request', async (_what, args, message) => {
    const view = withView();
    const { errors, codes } = await view.run(`{ documents(${args}) { nodes { id } } }`);
    expect(codes).toEqual(['BAD_USER_INPUT']);
    if (typeof message === 'string') expect(errors![0]!.message).toBe(message);
    else expect(errors![0]!.message).toMatch(message);
    expect(view.dms.requests).toEqual([]);
  });

  it('rejects a cursor of other arguments', async () => {
    const view = withView();
    const { pageInfo } = await page(view, 'view: INBOX, first: 2');
    const after = `after: "${pageInfo.endCursor}"`;
    for (const args of [`view: ARCHIVE, ${after}`, `view: INBOX, filter: { state: 1 }, ${after}`]) {
      const { errors, codes } = await view.run(`{ documents(${args}) { nodes { id } } }`);
      expect(codes).toEqual(['BAD_USER_INPUT']);
      expect(errors![0]!.message).toBe(
        '`after` is a cursor of another list, or of this list with other arguments.',
      );
    }
    expect(slices(view)).toHaveLength(1);
    expect((await page(view, `view: INBOX, first: 4, ${after}`)).edges).toHaveLength(4);
  });

  it('rejects a cursor of another list', async () => {
    const view = withView();
    const { pageInfo } = await page(view, 'first: 1');
    const { codes } = await view.run(
      `{ organizations(after: "${pageInfo.endCursor}") { totalCount } }`,
    );
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(slices(view)).toHaveLength(1);
  });

  it('rejects an invalid nested page without a request', async () => {
    const { dms, run } = createResolvers();
    const { codes } = await run(
      'query ($n: Int) { document(id: "D-1") { refByDocs(first: $n) { totalCount } } }',
      { n: 1000 },
    );
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  });

  it('ignores skipped fields', async () => {
    const { run } = createResolvers();
    const { codes } = await run(
      '{ viewer { runAs } documents(first: 1000) @include(if: false) { totalCount } }',
    );
    expect(codes).toEqual([]);
  });
});

describe('the filter', () => {
  it('is sent with resolved IDs', async () => {
    const view = withView();
    const author = Buffer.from('Person:usr-ann').toString('base64');
    await view.run(`query ($f: DocumentFilter) { documents(filter: $f) { totalCount } }`, {
      f: {
        state: 1,
        step: 0,
        iteration: 2,
        status: 10,
        forms: [FORM],
        authors: [author, 'api-import'],
        tags: ['red & blue', 'ümlaut'],
      },
    });
    expect(view.dms.requests).toEqual([
      `GET /api/v2/docForm/view/all?first=0&pageSize=1&state=1&step=0&iteration=2&status=10&form=${FORM}&author=usr-ann,api-import&tags=red & blue,ümlaut&fields=_id`,
    ]);
  });

  it('accepts service accounts with any characters of an ID', async () => {
    const view = withView();
    await view.run(
      `{ documents(filter: { authors: ["api-import@x", "api-Імпорт 2"] }) { totalCount } }`,
    );
    expect(view.dms.requests).toEqual([
      'GET /api/v2/docForm/view/all?first=0&pageSize=1&author=api-import@x,api-Імпорт 2&fields=_id',
    ]);
  });

  it('is fixed for documents of a form or person', async () => {
    const view = withView();
    view.dms.reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann' });
    await view.run(`{ person(id: "usr-ann") { documents(first: 1) { totalCount } } }`);
    expect(view.dms.requests.at(-1)).toBe(
      'GET /api/v2/docForm/view/all?first=0&pageSize=1&author=usr-ann&fields=_id',
    );
    const { codes } = await view.run(
      '{ person(id: "usr-ann") { documents(filter: { authors: ["usr-bob"] }) { totalCount } } }',
    );
    expect(codes).toEqual(['BAD_USER_INPUT']);
  });
});

describe('the estimate', () => {
  it('rejects nested pages with too many calls', async () => {
    const { dms, run } = createResolvers();
    const { codes, errors } = await run(
      '{ documents(first: 100) { nodes { refByDocs(first: 50) { nodes { state } } } } }',
    );
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(errors![0]!.message).toBe(
      'The operation can need up to 5001 DMS requests; MAX_UPSTREAM_CALLS allows 500. Request smaller pages.',
    );
    expect(dms.requests).toEqual([]);
  });

  it('counts one item for a page without a size', async () => {
    const ask = (MAX_UPSTREAM_CALLS: number) => {
      const { dms, run } = createResolvers({ settings: { MAX_UPSTREAM_CALLS } });
      dms.reply('GET', /view/, []);
      return run('{ documents(first: 50) { nodes { refByDocs { nodes { state } } } } }');
    };
    expect((await ask(51)).codes).toEqual([]);
    const { codes, errors } = await ask(50);
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(errors![0]!.message).toContain('up to 51 DMS requests');
  });

  it('counts nothing if only keys are selected', async () => {
    const view = withView();
    const { codes } = await view.run(
      '{ documents(first: 100) { nodes { refByDocs(first: 50) { nodes { id } } } } }',
    );
    expect(codes).toEqual([]);
  });
});
