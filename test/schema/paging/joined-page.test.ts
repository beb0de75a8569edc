import { describe, expect, it } from 'vitest';
import {
  numbersOf,
  page,
  slices,
  withList,
  type ListItem,
  type ListOptions,
} from '../../helpers/connection.ts';
import { createResolvers } from '../../helpers/resolvers.ts';
import { idOf } from '../../helpers/ids.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Delays every request until `count` of them have arrived, which never happens if calls wait for each other. */
function barrier(count: number) {
  let waiting = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return (): Promise<void> => {
    waiting += 1;
    if (waiting === count) resolve();
    return promise;
  };
}

describe('a page of more than 100 items', () => {
  it('requests the first 100, then all others at once', async () => {
    const others = barrier(4);
    const list = withList(1000, { before: (_list, first) => (first === 7 ? undefined : others()) });
    const found = await page(list, 'first: 444, offset: 7');
    expect(numbersOf(found)).toEqual(range(7, 451));
    expect(slices(list)).toEqual(['7+100', '107+100', '207+100', '307+100', '407+44']);
    expect(found).toMatchObject({
      totalCount: 1000,
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
  });

  it.each([
    [0, ['0+100'], false],
    [1, ['0+100'], false],
    [100, ['0+100'], false],
    [101, ['0+100', '100+100'], false],
    [499, ['0+100', '100+100', '200+100', '300+100', '400+100'], false],
    [500, ['0+100', '100+100', '200+100', '300+100', '400+100'], false],
    [501, ['0+100', '100+100', '200+100', '300+100', '400+100'], true],
  ])('requests no missing part of a list of %i', async (length, asked, hasNextPage) => {
    const list = withList(length);
    const found = await page(list, 'first: 500');
    expect(numbersOf(found)).toEqual(range(0, Math.min(500, length)));
    expect(slices(list)).toEqual(asked);
    expect(found).toMatchObject({ totalCount: length, pageInfo: { hasNextPage } });
  });

  it.each([
    [100, ['0+100', '100+100', '200+50'], false],
    [99, ['0+100'], false],
    [249, ['0+100', '100+100', '200+50'], false],
    [250, ['0+100', '100+100', '200+50'], true], // unknown without a total
  ])(
    'continues after a full part without total, of %i items',
    async (length, asked, hasNextPage) => {
      const list = withList(length, { total: false });
      const found = await page(list, 'first: 250');
      expect(numbersOf(found)).toEqual(range(0, length));
      expect(slices(list)).toEqual(asked);
      expect(found).toMatchObject({ totalCount: null, pageInfo: { hasNextPage } });
    },
  );

  it('continues by cursor in both directions', async () => {
    const list = withList(700);
    const one = await page(list, 'first: 300');
    const two = await page(list, `first: 300, after: "${one.pageInfo.endCursor}"`);
    const three = await page(list, `first: 300, after: "${two.pageInfo.endCursor}"`);
    expect([one, two, three].flatMap(numbersOf)).toEqual(range(0, 700));
    expect(three.pageInfo.hasNextPage).toBe(false);
    const back = await page(list, `last: 300, before: "${three.pageInfo.startCursor}"`);
    expect(back).toMatchObject({ pageInfo: two.pageInfo });
    expect(numbersOf(back)).toEqual(range(300, 600));
    expect(new Set(one.edges.map(({ cursor }) => cursor)).size).toBe(300);
    expect(one.edges[0]!.cursor).toBe(one.pageInfo.startCursor);
  });

  it('requests all parts at once if they exist', async () => {
    const all = barrier(3);
    const last = withList(700, { before: (_list, first) => (first === 0 ? undefined : all()) });
    expect(numbersOf(await page(last, 'last: 250'))).toEqual(range(450, 700));
    expect(slices(last)).toEqual(['0+1', '450+100', '550+100', '650+50']);

    const list = withList(700);
    const { pageInfo } = await page(list, 'first: 1, offset: 301');
    const between = barrier(3);
    const held = withList(700, { before: between });
    const found = await page(held, `first: 400, before: "${pageInfo.endCursor}"`);
    expect(numbersOf(found)).toEqual(range(0, 301));
    expect(slices(held)).toEqual(['0+100', '100+100', '200+100', '300+1']);
  });

  it('returns fewer items for `last` of a short list', async () => {
    const list = withList(120);
    const found = await page(list, 'last: 500');
    expect(numbersOf(found)).toEqual(range(0, 120));
    expect(slices(list)).toEqual(['0+1', '0+100', '100+20']);
    expect(found.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it('requests no index above the maximum', async () => {
    const list = createResolvers();
    const full = range(0, 100).map((n) => ({ _id: idOf(n) }));
    list.dms.reply('GET', /view/, full);
    await page(list, 'first: 300, offset: 2147483500');
    expect(slices(list)).toEqual(['2147483500+100', '2147483600+100']);
  });

  it('fails if one of its parts fails', async () => {
    const list = withList(300, {
      before: (_list, first) => {
        if (first === 100) throw new Error('reset');
      },
    });
    const { data, codes } = await list.run('{ documents(first: 300) { nodes { fullId } } }');
    expect({ data, codes }).toEqual({ data: null, codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it('requests the selected properties of each part', async () => {
    const list = withList(150);
    await list.run('{ documents(first: 200, view: INBOX) { nodes { fullId state } } }');
    await list.run('{ documents(first: 500) { totalCount } }');
    expect(list.dms.requests).toEqual([
      'GET /api/v2/docForm/view/inbox?first=0&pageSize=100&fields=_id,state',
      'GET /api/v2/docForm/view/inbox?first=100&pageSize=100&fields=_id,state',
      'GET /api/v2/docForm/view/all?first=0&pageSize=1&fields=_id',
    ]);
  });
});

describe('a list that changes between the calls', () => {
  /** Changes the list once, before the response to the request for the part that starts at `at`. */
  const changeAt = (at: number, change: (list: ListItem[]) => void): ListOptions => {
    let isChanged = false;
    return {
      before: (list, first) => {
        if (isChanged || first !== at) return;
        isChanged = true;
        change(list);
      },
    };
  };
  const added = { _id: idOf(9999) };

  it.each([5, 100, 150])('returns no item twice if the DMS does, of a page of %i', async (size) => {
    const resolvers = createResolvers();
    const { dms } = resolvers;
    const twice = [0, 1, 1, 2, 0];
    const headers = { 'svc-total-count': '7' };
    dms.reply(
      'GET',
      /^\/api\/v2\/docForm\/view\//,
      ({ path }) => {
        const start = new URL(path, 'http://x').searchParams.get('first');
        return start === '0' ? twice.map((n) => ({ _id: idOf(n) })) : [{ _id: idOf(7) }];
      },
      { headers },
    );
    const found = await page(resolvers, `first: ${size}`);
    expect(numbersOf(found)).toEqual([0, 1, 2]);
    expect(found).toMatchObject({ totalCount: 7, pageInfo: { hasNextPage: size === 5 } });
    const next = await page(resolvers, `first: 1, after: "${found.pageInfo.endCursor}"`);
    expect(dms.requests.at(-1)).toContain(size === 5 ? 'first=5&' : 'first=7&');
    expect(numbersOf(next)).toEqual([7]);
  });

  it('returns no item twice', async () => {
    const list = withList(
      400,
      changeAt(100, (items) => items.unshift(added)),
    );
    const found = await page(list, 'first: 200');
    expect(numbersOf(found)).toEqual(range(0, 199));
    expect(slices(list)).toEqual(['0+100', '100+100']);
    expect(found).toMatchObject({ totalCount: 401, pageInfo: { hasNextPage: true } });
    const next = await page(list, `first: 200, after: "${found.pageInfo.endCursor}"`);
    expect(numbersOf(next)).toEqual(range(199, 399));
  });

  it('returns items that move across a boundary', async () => {
    const list = withList(
      400,
      changeAt(100, (items) => items.splice(20, 3)),
    );
    const found = await page(list, 'first: 200');
    expect(slices(list)).toEqual(['0+100', '100+100', '97+3']);
    expect(numbersOf(found)).toEqual(range(0, 200));
    const next = await page(list, `first: 200, after: "${found.pageInfo.endCursor}"`);
    expect(numbersOf(next)).toEqual(range(200, 400));
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  it('requests at most one part of a shrunken list', async () => {
    const list = withList(
      700,
      changeAt(100, (items) => items.splice(0, 650)),
    );
    const found = await page(list, 'first: 250');
    expect(slices(list)).toEqual(['0+100', '100+100', '200+50', '0+100']);
    expect(numbersOf(found)).toEqual([...range(0, 100), ...range(650, 700)]);
    expect(found).toMatchObject({ totalCount: 50, pageInfo: { hasNextPage: false } });
  });

  it('succeeds if moved items cannot be read', async () => {
    let isChanged = false;
    const list = withList(400, {
      before: (items, first) => {
        if (first === 99) throw new Error('reset');
        if (first === 100 && !isChanged) items.shift();
        isChanged ||= first === 100;
      },
    });
    const found = await page(list, 'first: 200');
    expect(numbersOf(found)).toEqual([...range(0, 100), ...range(101, 201)]);
    expect(slices(list)).toEqual(['0+100', '100+100', '99+1']);
  });

  it('returns an item that moves to the front once', async () => {
    const toFront = (items: ListItem[]) => {
      items.unshift(...items.splice(150, 1));
    };
    const away = withList(400, changeAt(100, toFront));
    expect(numbersOf(await page(away, 'first: 200'))).toEqual(
      range(0, 200).filter((n) => n !== 150), // it was in no part when the part was read
    );
    const back = withList(
      400,
      changeAt(100, (items) => items.splice(150, 0, items.shift()!)),
    );
    expect(numbersOf(await page(back, 'first: 200'))).toEqual(
      range(0, 200).filter((n) => n !== 100), // it moved across the boundary, and the total did not change
    );
  });
});

describe('the estimate', () => {
  it('counts a call for each 100 items', async () => {
    const list = withList(0);
    const ask = (fields: number, first: number) =>
      list.run(
        `{ ${range(0, fields)
          .map((i) => `a${i}: documents(first: ${first}, offset: ${i}) { nodes { id } }`)
          .join(' ')} }`,
      );
    expect((await ask(100, 500)).codes).toEqual([]);
    const { codes, errors } = await ask(101, 500);
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(errors![0]!.message).toContain('up to 505 DMS requests');
  });

  it('accepts 500 references with only IDs', async () => {
    const list = createResolvers();
    const refByDocs = range(0, 500).map(idOf);
    list.dms.reply('GET', /docForm/, { _id: idOf(1), refByDocs });
    const { data } = await list.run(
      '{ document(id: "D-1") { refByDocs(first: 500) { nodes { fullId } pageInfo { hasNextPage } } } }',
    );
    const nodes = refByDocs.map((fullId) => ({ fullId }));
    expect(data).toEqual({
      document: { refByDocs: { nodes, pageInfo: { hasNextPage: false } } },
    });
    expect(list.dms.requests).toHaveLength(1);
  });

  it('cost one read for a short ID of which only the ID is selected', async () => {
    const list = createResolvers();
    list.dms.reply('GET', '/api/v2/docForm/D-1', { _id: idOf(1), refByDocs: ['D-2'] });
    list.dms.reply('GET', '/api/v2/docForm/D-2', { _id: idOf(2) });
    const { data } = await list.run('{ document(id: "D-1") { refByDocs { nodes { fullId } } } }');
    expect(data).toEqual({ document: { refByDocs: { nodes: [{ fullId: idOf(2) }] } } });
    expect(list.dms.requests.slice(1)).toEqual(['GET /api/v2/docForm/D-2?fields=_id']);
  });
});
