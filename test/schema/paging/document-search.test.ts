import { describe, expect, it, vi } from 'vitest';
import { numbersOf, page, withList } from '../../helpers/connection.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { idOf } from '../../helpers/ids.ts';
import type { Resolvers } from '../../helpers/resolvers.ts';

const textFields =
  'fields=_id,_id_web,valuesByTags,filesList,id,fileName&embed=valuesByTags,filesList';

const requestsOf = ({ dms }: Pick<Resolvers, 'dms'>) =>
  dms.requests.map((line) => line.replace('GET /api/v2/docForm/view/', ''));

const invoice = (number: string, supplier: string, total: string, more: object = {}) => ({
  _id_web: `DOC-${number}`,
  valuesByTags: { number: `RE-2026-${number}`, supplier, total, ...more },
  filesList: [{ id: idOf(900), fileName: `Rechnung ${number}.pdf` }],
});

const documents = [
  invoice('0001', 'Müller & Söhne GmbH', '1204.50'),
  invoice('0002', 'Straßenbau Nord', '1,204.50'),
  invoice('0003', 'MÜLLER', '99.00', {
    lines: [
      ['article', 'amount'],
      ['Schrauben', '12.50', 'beyond the columns'],
    ],
  }),
  {
    _id_web: 'MEMO-7',
    valuesByTags: null,
    filesList: [{ id: idOf(901), fileName: 'ΟΔΥΣΣΕΎΣ.txt' }],
  },
  { valuesByTags: { n: 42, t: true, o: { deep: 'JSON' }, e: '', z: null } },
];

describe('documents(search:)', () => {
  it.each([
    ['re-2026-0001', [0]],
    ['MÜLLER 1204.50', [0]],
    ['1204.50 müller', [0]],
    ['STRAẞE', [1]],
    ['memo', [3]],
    ['rechnung 0002', [1]],
    ['οδυσσευς', [3]],
    ['schrauben 12.50', [2]],
    ['article', []],
    ['beyond', []],
    ['42', [4]],
    ['null', []],
    // Words do not match across texts.
    ['gmbh1204.50', []],
    ['  \t\n', [0, 1, 2, 3, 4]],
    ['', [0, 1, 2, 3, 4]],
    ['\u0301', [0, 1, 2, 3, 4]],
  ])('finds documents by %j', async (text, found) => {
    const view = withList(documents);
    const result = await page(view, `search: ${JSON.stringify(text)}`);
    expect(numbersOf(result)).toEqual(found);
    expect(result.totalCount).toBe(found.length);
  });

  it.each([
    ['Ελληνικά', 'ΕΛΛΗΝΙΚΑ'],
    ['Дело № 7 ёж', 'еж дело'],
    ['한국어 문서', '문서'],
    ['請求書の合計', '合計'],
    ['ＡＢＣ－１', 'abc'],
    ['ﬁnance', 'FINANCE'],
    ['हिन्दी काम', 'काम'],
    ['العَرَبِيَّة', 'العربية'],
    ['שָׁלוֹם', 'שלום'],
    ['ไม่ใช่', 'ไม่'],
    ['done ❤️ 👩‍👩‍👧', '❤'],
    ['done ❤️ 👩‍👩‍👧', '👩‍👩‍👧 done'],
    ['İstanbul', 'istanbul'],
    ['a\u0000b\u001b[31m', '\u0000b\u001b'],
    ['\ud800', '\ud800'],
  ])('finds %j by %j, and nothing else', async (text, words) => {
    const view = withList([{ valuesByTags: { a: 'other' } }, { valuesByTags: { a: text } }]);
    const query = 'query ($words: String) { documents(search: $words) { nodes { fullId } } }';
    const { data } = await view.run(query, { words });
    expect(data).toEqual({ documents: { nodes: [{ fullId: idOf(1) }] } });
  });

  it.each([
    ['कम', 'काम'],
    ['ไม', 'ไม่'],
    ['oe', 'ø'],
  ])('does not find %j by %j', async (text, words) => {
    const view = withList([{ valuesByTags: { a: text } }]);
    expect((await page(view, `search: ${JSON.stringify(words)}`)).totalCount).toBe(0);
  });

  it('reads the whole filtered list once, with what is selected and searched', async () => {
    const view = withList(
      Array.from({ length: 250 }, (_, i) => ({ ...documents[i % 2], state: i, author: 'usr-ann' })),
    );
    const { data, errors } = await view.run(`{
      documents(view: INBOX, filter: { status: 1 }, search: "müller", first: 2) {
        totalCount nodes { state author { systemId } }
      }
    }`);
    expect(errors).toBeUndefined();
    const author = { systemId: 'usr-ann' };
    expect(data).toEqual({
      documents: {
        totalCount: 125,
        nodes: [
          { state: 0, author },
          { state: 2, author },
        ],
      },
    });
    expect(requestsOf(view)).toEqual(
      [0, 100, 200].map(
        (first) =>
          `inbox?first=${first}&pageSize=100&status=1&${textFields.replace('_id_web,', '_id_web,author,state,')}`,
      ),
    );
  });

  it('counts the matches without any other selection', async () => {
    const view = withList(documents);
    const { data } = await view.run('{ documents(search: "müller") { totalCount } }');
    expect(data).toEqual({ documents: { totalCount: 2 } });
    expect(requestsOf(view)).toEqual([`all?first=0&pageSize=100&${textFields}`]);
  });

  it('sorts the matches, otherwise keeps the order of the DMS', async () => {
    const dated = ['2026-03-01', '2026-01-01', '', '2026-02-01'].map((datedue, i) => ({
      datedue,
      valuesByTags: { a: i === 1 ? 'other' : 'Acme' },
    }));
    const view = withList(dated);
    expect(numbersOf(await page(view, 'search: "acme"'))).toEqual([0, 2, 3]);
    const order = 'orderBy: { field: DATE_DUE }';
    expect(numbersOf(await page(view, `search: "acme", ${order}`))).toEqual([3, 0, 2]);
    expect(requestsOf(view)[1]).toBe(
      `all?first=0&pageSize=100&${textFields.replace('_id_web,', '_id_web,datedue,')}`,
    );
  });

  it('takes no cursor of another search or order', async () => {
    const view = withList(documents);
    const order = 'orderBy: { field: DATE_DUE }';
    const { pageInfo } = await page(view, 'search: "müller", first: 1');
    const { pageInfo: sorted } = await page(view, `${order}, first: 1`);
    const { pageInfo: plain } = await page(view, 'first: 1');
    const asked = requestsOf(view).length;
    for (const [args, { endCursor }] of [
      ['search: "nord"', pageInfo],
      ['search: "mü ller"', pageInfo],
      [`search: "müller", ${order}`, pageInfo],
      ['search: ""', pageInfo],
      ['search: "müller"', plain],
      [`search: "müller", ${order}`, sorted],
    ] as const) {
      const result = await view.run(`{ documents(${args}, after: "${endCursor}") { totalCount } }`);
      expect(result.codes).toEqual(['BAD_USER_INPUT']);
    }
    expect(requestsOf(view)).toHaveLength(asked);
  });

  it.each([
    [500, 5],
    [501, 1],
  ])('searches %i documents, or rejects after one call', async (length, calls) => {
    const view = withList(Array.from({ length }, () => ({ valuesByTags: { a: 'Acme' } })));
    const result = await view.run('{ documents(search: "acme") { totalCount } }');
    expect(requestsOf(view)).toHaveLength(calls);
    if (length === 500) {
      expect(result.data).toEqual({ documents: { totalCount: 500 } });
      return;
    }
    expect(result.codes).toEqual(['BAD_USER_INPUT']);
    expect(result.errors![0]!.message).toBe(
      '`search` searches at most 500 documents, but the list has 501. Narrow `filter`, or omit `search`.',
    );
  });

  it('rejects a thousand words before the first call', async () => {
    const view = withList(documents);
    const words = Array.from({ length: 1000 }, (_, i) => `w${i}`).join(' ');
    const result = await view.run(`{ documents(search: "${words}") { totalCount } }`);
    expect(result.codes).toEqual(['BAD_USER_INPUT']);
    expect(result.errors![0]!.message).toBe('`search` can have at most 256 characters.');
    expect(view.dms.requests).toEqual([]);
  });

  it('keeps a document once if the list changes while it is read', async () => {
    const item = { valuesByTags: { a: 'Acme' } };
    const view = withList(
      Array.from({ length: 150 }, () => item),
      {
        before: (list, first) => {
          if (first === 100) list.unshift({ _id: idOf(999), ...item });
        },
      },
    );
    const { data } = await view.run(
      '{ documents(search: "acme", first: 500) { totalCount nodes { fullId } } }',
    );
    const { totalCount, nodes } = data!['documents'] as {
      totalCount: number;
      nodes: { fullId: string }[];
    };
    expect(new Set(nodes.map(({ fullId }) => fullId)).size).toBe(nodes.length);
    expect(totalCount).toBe(nodes.length);
  });

  it('reads and folds a list once for all searches of an operation', async () => {
    const view = withList(documents);
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const aliases = Array.from(
      { length: 20 },
      (_, i) => `a${i}: documents(search: "nord ${i}") { totalCount }`,
    );
    const { errors } = await view.run(`{ ${aliases.join('\n')} }`);
    const folded = normalize.mock.contexts.filter((text) => String(text).includes('Straßenbau'));
    normalize.mockRestore();
    expect(errors).toBeUndefined();
    expect(folded).toHaveLength(1);
    expect(requestsOf(view)).toHaveLength(1);
  });

  it('is counted by RATE_LIMIT and x-cost-only, and is in no log or metric', async () => {
    const { query, dms, log, metrics } = await startGateway({ server: { rateLimit: 4 } });
    dms.reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1) }]);
    const search = 'query ($text: String) { documents(search: $text) { nodes { shortId } } }';
    const variables = { text: 'Geheimwort' };
    const refused = await query(search, variables);
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
    expect(dms.requests).toEqual([]);
    const other = await startGateway();
    other.dms.reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1) }]);
    const { extensions } = await other.query(search, variables, { 'x-cost-only': '1' });
    expect(extensions).toEqual({ cost: { upstreamCalls: 5, atLeast: 1 } });
    await other.query(search, variables);
    await other.query('{ documents(search: "Geheimwort") { nodes { shortId } } }');
    await other.query(`{ documents(search: "Geheimwort ${'x'.repeat(300)}") { totalCount } }`);
    const traces = [log, other.log, await metrics.text(), await other.metrics.text()];
    expect(JSON.stringify(traces)).not.toContain('Geheimwort');
  });
});

describe('a search', () => {
  it('continues in steps, of which one runs in an iteration of the event loop', async () => {
    const view = withList(
      Array.from({ length: 20 }, (_, i) => ({ valuesByTags: { a: `Größe ${i} `.repeat(2000) } })),
    );
    const before = performance.now();
    let calls = 0;
    // Each step is over when it looks at the clock.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => before + (calls += 20));
    let iterations = 0;
    let isOver = false;
    const count = (): void => {
      iterations += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const aliases = ['a', 'b', 'c'].map(
      (name) => `${name}: documents(search: "19") { totalCount }`,
    );
    const { data } = await view.run(`{ ${aliases.join(' ')} }`);
    isOver = true;
    clock.mockRestore();
    expect(data).toEqual(
      Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { totalCount: 1 }])),
    );
    // 20 documents of 32 parts or more, folded once, and 3 searches for a word in each.
    expect(iterations).toBeGreaterThan(640);
  });

  it('folds a letter with thousands of marks in short parts', async () => {
    const view = withList([{ valuesByTags: { a: `a${'\u0316\u0301'.repeat(8000)}z` } }]);
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const found = await page(view, 'search: "az"');
    const lengths = normalize.mock.contexts.map((text) => String(text).length);
    normalize.mockRestore();
    expect(found).toMatchObject({ totalCount: 1 });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(512);
  });

  it('finds words across the parts of a long text, and pairs of surrogates', async () => {
    const long = `${'x'.repeat(511)}😀 ${'y'.repeat(506)}straße`;
    const view = withList([{ valuesByTags: { a: long } }]);
    for (const words of ['😀', 'yystrasse', 'xx😀']) {
      expect(await page(view, `search: "${words}"`)).toMatchObject({ totalCount: 1 });
    }
  });
});
