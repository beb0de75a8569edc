import { describe, expect, it } from 'vitest';
import { createResolvers, type Resolvers } from '../../helpers/resolvers.ts';
import { numbersOf, page, withList } from '../../helpers/connection.ts';
import { idOf } from '../../helpers/ids.ts';

const requestsOf = ({ dms }: Resolvers) =>
  dms.requests.map((line) => line.replace('GET /api/v2/', ''));

/** Due dates of a list: two are equal at different precision, two are missing. */
const due = [
  { datedue: '2026-03-01T00:00:00Z' },
  { datedue: '' },
  { datedue: '2026-01-01T00:00:00Z' },
  { datedue: '2026-03-01T00:00:00.000Z' },
  {},
  { datedue: '2026-02-01T01:00:00+02:00' },
];

describe('orderBy', () => {
  it.each([
    ['{ field: DATE_DUE }', [2, 5, 0, 3, 1, 4]],
    ['{ field: DATE_DUE, direction: ASC }', [2, 5, 0, 3, 1, 4]],
    ['{ field: DATE_DUE, direction: DESC }', [0, 3, 5, 2, 1, 4]],
  ])('sorts by %s, ties as in the DMS and missing dates last', async (order, sorted) => {
    const list = withList(due);
    expect(numbersOf(await page(list, `orderBy: ${order}`))).toEqual(sorted);
    expect(requestsOf(list)).toEqual(['docForm/view/all?first=0&pageSize=100&fields=_id,datedue']);
  });

  it.each([
    ['DATE_CREATED', 'datecreated', (date: string) => ({ datecreated: date })],
    ['MODIFIED_AT', '_meta', (date: string) => ({ _meta: { _lastmodified: date } })],
  ])('sorts by %s', async (field, requested, dated) => {
    const days = ['2026-01-02', '2026-01-03', '2026-01-01'];
    const list = withList([
      dated('2025-02-29T00:00:00Z'), // does not exist, and is therefore missing
      ...days.map((day) => dated(`${day}T00:00:00Z`)),
      { _meta: null },
    ]);
    expect(numbersOf(await page(list, `orderBy: { field: ${field} }`))).toEqual([3, 1, 2, 0, 4]);
    expect(requestsOf(list)).toEqual([
      `docForm/view/all?first=0&pageSize=100&fields=_id,${requested}`,
    ]);
  });

  it('reads the whole filtered list with what is selected, and returns one page', async () => {
    const list = withList(Array.from({ length: 250 }, (_, i) => ({ state: 249 - i })));
    const { data, errors } = await list.run(`{
      documents(view: INBOX, filter: { status: 1 }, first: 2, orderBy: { field: DATE_CREATED }) {
        totalCount nodes { state author { systemId } }
      }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      documents: {
        totalCount: 250,
        nodes: [
          { state: 249, author: null },
          { state: 248, author: null },
        ],
      },
    });
    expect(requestsOf(list)).toEqual(
      [0, 100, 200].map(
        (first) =>
          `docForm/view/inbox?first=${first}&pageSize=100&status=1&fields=_id,author,state,datecreated`,
      ),
    );
  });

  it('pages in both directions and by offset', async () => {
    const list = withList(due);
    const order = 'orderBy: { field: DATE_DUE }';
    const first = await page(list, `${order}, first: 2`);
    expect(numbersOf(first)).toEqual([2, 5]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const next = await page(list, `${order}, first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(numbersOf(next)).toEqual([0, 3, 1]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const back = await page(list, `${order}, last: 1, before: "${next.pageInfo.startCursor}"`);
    expect(numbersOf(back)).toEqual([5]);
    const end = await page(list, `${order}, last: 2`);
    expect(numbersOf(end)).toEqual([1, 4]);
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(numbersOf(await page(list, `${order}, first: 10, offset: 5`))).toEqual([4]);
    expect(numbersOf(await page(list, `${order}, offset: 6`))).toEqual([]);
    expect(requestsOf(list)).toHaveLength(6);
  });

  it('takes no cursor of another order', async () => {
    const list = withList(due);
    const { pageInfo } = await page(list, 'orderBy: { field: DATE_DUE }, first: 1');
    const { pageInfo: plain } = await page(list, 'first: 1');
    const asked = requestsOf(list).length;
    for (const [order, cursor] of [
      ['orderBy: { field: DATE_DUE, direction: DESC }', pageInfo.endCursor],
      ['orderBy: { field: DATE_CREATED }', pageInfo.endCursor],
      ['orderBy: { field: DATE_DUE }', plain.endCursor],
      ['orderBy: null', pageInfo.endCursor],
    ]) {
      const result = await list.run(`{ documents(${order}, after: "${cursor}") { totalCount } }`);
      expect(result.codes).toEqual(['BAD_USER_INPUT']);
    }
    expect(requestsOf(list)).toHaveLength(asked);
  });

  it.each([
    [500, 5],
    [501, 1],
  ])('sorts a list of %i documents, or rejects it after one call', async (length, calls) => {
    const list = withList(length);
    const result = await list.run('{ documents(orderBy: { field: DATE_DUE }) { totalCount } }');
    expect(requestsOf(list)).toHaveLength(calls);
    if (length === 500) {
      expect(result.data).toEqual({ documents: { totalCount: 500 } });
      return;
    }
    expect(result.codes).toEqual(['BAD_USER_INPUT']);
    expect(result.errors![0]!.message).toBe(
      '`orderBy` sorts at most 500 documents, but the list has 501. Narrow `filter`, or omit `orderBy`.',
    );
  });

  it.each([
    [499, null],
    [500, 'the list has 500 or more'],
  ])('sorts %i documents without a total count, unless there may be more', async (length, text) => {
    const list = withList(length, { total: false });
    const result = await list.run('{ documents(orderBy: { field: DATE_DUE }) { totalCount } }');
    expect(requestsOf(list)).toHaveLength(5);
    if (text === null) expect(result.data).toEqual({ documents: { totalCount: length } });
    else expect(result.errors![0]!.message).toContain(text);
  });

  it('makes the DMS create the responses of the page only', async () => {
    const list = withList(due);
    list.dms.reply('GET', new RegExp(`^/api/v2/docForm/${idOf(2)}`), {
      _id: idOf(2),
      docResponse: { _id: idOf(900), state: 10 },
    });
    list.dms.reply('GET', new RegExp(`^/api/v2/docForm/${idOf(5)}`), null, { status: 404 });
    const { data, errors } = await list.run(
      '{ documents(first: 2, orderBy: { field: DATE_DUE }) { nodes { fullId dateDue response { state } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      documents: {
        nodes: [
          { fullId: idOf(2), dateDue: '2026-01-01T00:00:00Z', response: { state: 10 } },
          { fullId: idOf(5), dateDue: '2026-01-31T23:00:00.000Z', response: null },
        ],
      },
    });
    expect(requestsOf(list)).toEqual([
      'docForm/view/all?first=0&pageSize=100&fields=_id,datedue',
      `docForm/${idOf(2)}?fields=_id,docResponse,state&embed=docResponse`,
      `docForm/${idOf(5)}?fields=_id,docResponse,state&embed=docResponse`,
    ]);
  });

  it('is counted with the responses of the page, each once, before the first call', async () => {
    const list = createResolvers({ settings: { MAX_UPSTREAM_CALLS: 6 } });
    const result = await list.run(
      '{ documents(first: 2, orderBy: { field: DATE_DUE }) { nodes { a: response { state } b: response { status } } } }',
    );
    expect(result.codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(result.errors![0]!.message).toContain('up to 7 DMS requests');
    expect(list.dms.requests).toEqual([]);
    const related = await list.run(
      '{ documents(first: 1, orderBy: { field: DATE_DUE }) { nodes { refByDocs(first: 1) { nodes { response { state } } } } } }',
    );
    expect(related.codes).not.toContain('UPSTREAM_BUDGET_EXCEEDED');
  });

  it('is counted before the first call', async () => {
    const list = createResolvers({ settings: { MAX_UPSTREAM_CALLS: 4 } });
    const result = await list.run(
      '{ documents(first: 1, orderBy: { field: DATE_DUE }) { nodes { id } } }',
    );
    expect(result.codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(result.errors![0]!.message).toContain('up to 5 DMS requests');
    expect(list.dms.requests).toEqual([]);
  });
});

const organizations = [
  { name: 'Müller & Söhne GmbH', _id_ext: 'EXT-1', govId: 'HRB 1' },
  { name: 'Straßenbau Nord', _id_ext: 'EXT-2', govId: 'HRB 2' },
  { name: 'Café Ångström', _id_ext: 'EXT-10' },
  { name: 'GROẞE WERKE' },
];

describe('search', () => {
  it.each([
    ['muller', [0]],

    ['strasse', [1]],

    ['grosse', [3]],

    ['ext-1', [0, 2]],
    ['hrb', [0, 1]],
    ['.*', []],
    ['null', []],
    ['́', [0, 1, 2, 3]],
    ['  ', [0, 1, 2, 3]],
  ])('finds organizations by %j', async (text, found) => {
    const list = withList(organizations);
    const result = await page(list, `search: ${JSON.stringify(text)}`, 'organizations');
    expect(numbersOf(result)).toEqual(found);
    expect(result.totalCount).toBe(found.length);
  });

  it('reads the whole directory, which is then cached', async () => {
    const list = withList(
      Array.from({ length: 150 }, (_, i) => ({ name: `Firma ${i}` })),
      { settings: { CACHE_TTL_MS: 60_000 } },
    );
    const first = await page(list, 'search: "firma 1", first: 3', 'organizations');
    expect(numbersOf(first)).toEqual([1, 10, 11]);
    expect(first).toMatchObject({ totalCount: 69, pageInfo: { hasNextPage: true } });
    const { endCursor } = first.pageInfo;
    const next = await page(
      list,
      `search: "FIRMA 1", first: 2, after: "${endCursor}"`,
      'organizations',
    );
    expect(numbersOf(next)).toEqual([12, 13]);
    expect(numbersOf(await page(list, 'search: "149"', 'organizations'))).toEqual([149]);
    expect(requestsOf(list)).toEqual([
      'crm/org?first=0&pageSize=100',
      'crm/org?first=100&pageSize=100',
    ]);
  });

  it('reads the directory once for all searches of an operation', async () => {
    const list = withList(organizations);
    const { data, errors } = await list.run(`{
      a: organizations(search: "ext-2") { totalCount }
      b: organizations(search: "hrb") { totalCount }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ a: { totalCount: 1 }, b: { totalCount: 2 } });
    expect(requestsOf(list)).toEqual(['crm/org?first=0&pageSize=100']);
  });

  it.each([
    [2000, 20],
    [2001, 1],
  ])('searches %i organizations, or rejects after one call', async (length, calls) => {
    const list = withList(Array.from({ length }, () => ({ name: 'Acme' })));
    const result = await list.run('{ organizations(search: "acme") { totalCount } }');
    expect(requestsOf(list)).toHaveLength(calls);
    if (length === 2000) {
      expect(result.data).toEqual({ organizations: { totalCount: 2000 } });
      return;
    }
    expect(result.codes).toEqual(['BAD_USER_INPUT']);
    expect(result.errors![0]!.message).toBe(
      '`search` reads at most 2000 organizations, but the directory has 2001. Fetch one with `organization(id:)`, or page without `search`.',
    );
  });

  it('rejects long text and cursors of another search before the first call', async () => {
    const list = withList(organizations);
    const { pageInfo } = await page(list, 'search: "ext", first: 1', 'organizations');
    const asked = requestsOf(list).length;
    for (const args of [
      `search: "${'a'.repeat(257)}"`,
      `search: "hrb", after: "${pageInfo.endCursor}"`,
      `after: "${pageInfo.endCursor}"`,
    ]) {
      const result = await list.run(`{ organizations(${args}) { totalCount } }`);
      expect(result.codes).toEqual(['BAD_USER_INPUT']);
    }
    expect(requestsOf(list)).toHaveLength(asked);
  });

  it('is counted before the first call', async () => {
    const list = createResolvers({ settings: { MAX_UPSTREAM_CALLS: 19 } });
    const result = await list.run('{ organizations(search: "a") { totalCount } }');
    expect(result.codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(list.dms.requests).toEqual([]);
  });
});
