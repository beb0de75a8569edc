import { describe, expect, it } from 'vitest';
import type { Wire } from './helpers.ts';
import { seeded, sharedSandbox } from './helpers.ts';

const dms = sharedSandbox();
const get = async (at: string, as?: string): Promise<Wire> =>
  (await dms.call(`/api/v2/docForm/${at}`, as === undefined ? {} : { as })).body;
const view = (at: string, as?: string) =>
  dms.call<Wire[]>(`/api/v2/docForm/view/${at}`, as === undefined ? {} : { as });
const total = async (filter: string) =>
  Number((await view(`all?${filter}`)).headers.get('svc-total-count'));

describe('a document', () => {
  it('returns all plain fields if none is named', async () => {
    const document = await get('DOC-0001');
    expect(document).toMatchObject({
      _id: '65f000005eed00d000000001',
      _id_web: 'DOC-0001',
      _meta: { _created: '2026-01-06T19:00:00.000Z', _rev: 3 },
      _tags: ['finance', 'urgent', 'q1'],
      datedue: '',
      idp: { frpr: false, lngs: ['eng', 'deu'] },
      topic: 'Invoice RE-2026-0001 of Nordlicht Papier GmbH',
    });
    expect(document).not.toHaveProperty('filesList');
  });

  it('is found by short and full ID', async () => {
    expect(await get('DOC-0002')).toEqual(await get(seeded.document(2)));
    expect(await get('DOC-0002')).toEqual(await get(seeded.document(2).toUpperCase()));
  });

  it('returns only the named fields', async () => {
    expect(await get('DOC-0001?fields=state,author,nosuch')).toEqual({
      author: 'api-gateway',
      state: 10,
    });
  });

  it('embeds only what embed names', async () => {
    const all = 'valuesByTags,refByDocs,recoData,docResponse';
    expect(await get(`DOC-0002?fields=_id,${all}`)).toEqual({ _id: seeded.document(2) });
    const embedded = await get(`DOC-0002?embed=filesList,${all}`);
    expect(Object.keys(embedded)).toEqual(
      expect.arrayContaining(['_id', 'filesList', ...all.split(',')]),
    );
  });

  it('restricts embedded entities by the same names', async () => {
    const response = await get('DOC-0001?fields=_id,itearation&embed=docResponse');
    expect(response.docResponse).toEqual({ _id: expect.any(String), itearation: 1 });
    const files = await get('DOC-0001?fields=_id,fileName&embed=filesList');
    expect(files.filesList).toEqual([{ fileName: 'Rechnung RE-2026-0001.pdf' }]);
    const { recoData } = await get('DOC-0001?fields=_id,validated,filesList&embed=recoData');
    expect(recoData).toEqual([
      {
        _id: seeded.recoEntry(1, 0),
        validated: true,
        filesList: [{ id: seeded.file(1, 8), fileName: 'region-1.png' }],
      },
    ]);
  });

  it('embeds recoResult within recoData only', async () => {
    expect(await get('DOC-0001?fields=_id&embed=recoResult')).toEqual({ _id: seeded.document(1) });
    const plain = await get('DOC-0001?fields=_id&embed=recoData');
    expect(plain.recoData).toEqual([{ _id: seeded.recoEntry(1, 0) }]);
    const named = await get('DOC-0001?fields=_id,recoFormConfidence&embed=recoData,recoResult');
    expect(named.recoData).toEqual([
      { _id: seeded.recoEntry(1, 0), recoResult: { recoFormConfidence: 71 } },
    ]);
  });
});

describe('the embedded response', () => {
  it('is stored once for a user and phase', async () => {
    const first = await get('DOC-0004?embed=docResponse', 'usr-chen');
    const second = await get('DOC-0004?embed=docResponse', 'usr-chen');
    expect(first.docResponse).toMatchObject({
      _ref: seeded.document(4),
      author: 'usr-chen',
      resolto: 'usr-chen',
      state: 30,
      step: 1,
      itearation: 1,
      taskstatus: 0,
    });
    expect(second.docResponse).toEqual(first.docResponse);
    const { _id } = { _id: '', ...Object(first.docResponse) };
    for (const version of ['v1', 'v2']) {
      const stored = await dms.call(`/api/${version}/docResponse/${_id}`);
      expect(stored.body).toEqual(first.docResponse);
    }
  });

  it('is null if no response is pending', async () => {
    const { docResponse } = await get('DOC-0004?embed=docResponse');
    expect(docResponse).toBeNull();
  });
});

describe('a view', () => {
  it('returns the documents of the view', async () => {
    const states = async (viewId: string) =>
      new Set((await view(`${viewId}?pageSize=100`)).body.map((document) => document.state));
    expect(await states('archive')).toEqual(new Set([40]));
    expect(await states('repository')).toEqual(new Set([50]));
    const inbox = await view('inbox?fields=_id&embed=docResponse&pageSize=100', 'usr-bob');
    const responses = inbox.body.map((document) => document.docResponse !== null);
    expect(new Set(responses)).toEqual(new Set([true]));
    const own = await view('mydocs?fields=author&pageSize=100', 'usr-bob');
    expect(new Set(own.body.map((document) => document.author))).toEqual(new Set(['usr-bob']));
    const account = await view('mydocs?fields=author&pageSize=100');
    const authors = account.body.map((document) => String(document.author));
    expect(authors).toContain('api-gateway');
    expect(authors.some((author) => author.startsWith('usr-'))).toBe(true);
  });

  it('returns ids always, and files without a projection', async () => {
    const { body: plain } = await view('all?pageSize=1');
    expect(plain[0]).toMatchObject({
      _id_web: 'DOC-0200',
      filesList: [{}],
      state: expect.any(Number),
    });
    const { body: named } = await view('all?pageSize=1&fields=state');
    expect(Object.keys(named[0] ?? {}).toSorted()).toEqual(['_id', '_id_web', 'state']);
    const { body: listed } = await view('all?pageSize=1&fields=filesList');
    expect(Object.keys(listed[0] ?? {}).toSorted()).toEqual(['_id', '_id_web', 'filesList']);
  });

  it('has pages without gaps', async () => {
    const pages = await Promise.all(
      [0, 60, 120, 180, 240].map((first) => view(`all?fields=_id&first=${first}&pageSize=60`)),
    );
    expect(pages.map((page) => page.body.length)).toEqual([60, 60, 60, 20, 0]);
    expect(new Set(pages.flatMap((page) => page.body.map((one) => one._id))).size).toBe(200);
    expect((await view('all?first=2147483646')).body).toEqual([]);
  });

  it('filters by phase, step, iteration, status, forms, authors and tags', async () => {
    expect(await total('state=10&step=2&status=2')).toBe(13);
    expect(await total('status=4')).toBe(9);
    expect(await total('iteration=2')).toBe(7);
    const [invoices, contracts] = [seeded.form(1), seeded.form(2)];
    expect(await total(`form=${invoices}`)).toBe(60);
    expect(await total(`form=${invoices},${contracts}`)).toBe(100);
    expect(await total(`form=${invoices.toUpperCase()}`)).toBe(60);
    expect(await total('form=contract')).toBe(40);
    expect(await total('author=api-intake')).toBe(20);
    expect(await total('author=api-intake,api-gateway')).toBe(35);
    expect(await total('tags=finance')).toBe(60);
    expect(await total('tags=finance,urgent')).toBe(15);
    expect(await total('tags=finance,legal')).toBe(0);
  });
});
