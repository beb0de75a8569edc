import { describe, expect, it } from 'vitest';
import { Dms } from '../../../src/rest/dms.ts';
import type { HttpClient } from '../../../src/rest/client/http-client.ts';
import { createMockDms, testCaller, testHttp, testBudget } from '../../helpers/mock-dms.ts';

function dmsFor(http: HttpClient): Dms {
  return new Dms(http, testCaller(), testBudget());
}

const missing = { status: 404 };

describe('the path of forms', () => {
  it('is the first spelling if the service supports it', async () => {
    const mock = createMockDms()
      .reply('GET', '/api/v2/sysForm', [])
      .reply('GET', '/api/v2/sysForm/f1', '', missing);
    const http = testHttp(mock);
    await dmsFor(http).forms.all();
    await expect(dmsFor(http).forms.get('f1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(mock.requests).toEqual(['GET /api/v2/sysForm', 'GET /api/v2/sysForm/f1']);
  });

  it('stays the second spelling after a 404', async () => {
    const mock = createMockDms()
      .reply('GET', /sysForm/, '', missing)
      .reply('GET', '/api/v2/sysFrom', [{ _id: 'f1' }])
      .reply('GET', '/api/v2/sysFrom/f1', { _id: 'f1' })
      .reply('GET', '/api/v2/sysFrom/f2', '', missing);
    const http = testHttp(mock);
    expect(await dmsFor(http).forms.get('f1')).toMatchObject({ fullId: 'f1' });
    expect(await dmsFor(http).forms.all()).toHaveLength(1);
    await expect(dmsFor(http).forms.get('f2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(mock.requests).toEqual([
      'GET /api/v2/sysForm/f1',
      'GET /api/v2/sysFrom/f1',
      'GET /api/v2/sysFrom',
      'GET /api/v2/sysFrom/f2',
    ]);
  });

  it('is not detected from a missing form', async () => {
    const mock = createMockDms()
      .reply('GET', /sysFr?orm|sysFrom/, '', missing)
      .reply('GET', '/api/v2/sysForm', []);
    const http = testHttp(mock);
    await expect(dmsFor(http).forms.get('f1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    mock.requests.length = 0;
    await dmsFor(http).forms.all();
    expect(mock.requests).toEqual(['GET /api/v2/sysForm']);
  });

  it('does not try the second spelling after another failure', async () => {
    const mock = createMockDms().reply('GET', /sysForm/, '', { status: 403 });
    await expect(dmsFor(testHttp(mock)).forms.all()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(mock.requests).toEqual(['GET /api/v2/sysForm']);
  });
});

describe('the path of an attachment', () => {
  const filesOf = (document: string): string =>
    `GET /api/v2/docForm/${document}?fields=_id,filesList,id,fileName&embed=filesList`;
  /** A service with the older path only: `d1` has `f1`, `d2` has no files. */
  const earlier = () =>
    createMockDms()
      .reply('GET', /docForm/, '', missing)
      .reply('GET', /docForm\/d1\?/, { _id: 'd1', filesList: [{ id: 'f1', fileName: 'a' }] })
      .reply('GET', /docForm\/d2\?/, { _id: 'd2', filesList: [] })
      .reply('GET', '/api/v2/docForm/file/f1', 'bytes');
  const open = async (http: HttpClient, document: string, file: string): Promise<void> => {
    (await dmsFor(http).documents.file(document, file, {})).body.destroy();
  };

  it('falls back to the older path permanently', async () => {
    const mock = earlier();
    const http = testHttp(mock);
    for (let n = 0; n < 2; n += 1) await open(http, 'd1', 'f1');
    expect(mock.requests).toEqual([
      'GET /api/v2/docForm/d1/file/f1',
      filesOf('d1'),
      'GET /api/v2/docForm/file/f1',
      filesOf('d1'),
      'GET /api/v2/docForm/file/f1',
    ]);
  });

  it.each([
    ['does not list it', 'd2'],
    ['does not exist', 'd3'],
  ])('returns no file of a document that %s', async (_what, document) => {
    const mock = earlier();
    const http = testHttp(mock);
    const isMissing = { code: 'NOT_FOUND', request: `GET /api/v2/docForm/${document}/file/f1` };
    await expect(open(http, document, 'f1')).rejects.toMatchObject(isMissing);
    expect(mock.requests).toEqual([`GET /api/v2/docForm/${document}/file/f1`, filesOf(document)]);
    await open(http, 'd1', 'f1');
    mock.requests.length = 0;
    await expect(open(http, document, 'f1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(mock.requests).toEqual([filesOf(document)]);
  });

  it('is not detected from a wrong document', async () => {
    const mock = earlier().reply('GET', '/api/v2/docForm/d1/file/f1', 'bytes');
    const http = testHttp(mock);
    await expect(open(http, 'd3', 'f1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    mock.requests.length = 0;
    await open(http, 'd1', 'f1');
    await expect(open(http, 'd3', 'f1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(mock.requests).toEqual([
      'GET /api/v2/docForm/d1/file/f1',
      'GET /api/v2/docForm/d3/file/f1',
    ]);
  });

  it('is not detected if the files cannot be read', async () => {
    const mock = earlier().reply('GET', /docForm\/d1\?/, '', { status: 403 });
    const http = testHttp(mock);
    await expect(open(http, 'd1', 'f1')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(http.variants.attachment.known).toBeNull();
  });
});

describe('list values', () => {
  const v1 = {
    _id: 'l1',
    _id_ext: 'E',
    owner: 'usr-a',
    kfunid: 'k1',
    valuedata: 'One',
    valuedata_de: 'Eins',
  };

  it('are read in the current shape', async () => {
    const mock = createMockDms().reply('GET', '/api/v2/listValue', [
      {
        _id: 'l1',
        _id_kf: 'k1',
        type: 2,
        status: '1',
        author: 'usr-a',
        value: { en: 'One', de: '' },
      },
    ]);
    expect(await dmsFor(testHttp(mock)).listValues.inDirectory('k1')).toEqual([
      {
        fullId: 'l1',
        externalId: null,
        translations: [{ language: 'en', text: 'One' }],
        type: 2,
        status: 1,
        author: 'usr-a',
        owner: null,
        parentId: 'k1',
        meta: null,
      },
    ]);
    expect(mock.requests).toEqual(['GET /api/v2/listValue?_id_kf=k1']);
  });

  it('are read again with the version 1 parent name', async () => {
    const mock = createMockDms()
      .reply('GET', '/api/v2/listValue?_id_kf=k1', [{ ...v1, _id: 'top', kfunid: '' }])
      .reply('GET', '/api/v2/listValue?_id_kf=k1&kfid=k1', [v1]);
    const http = testHttp(mock);
    expect(await dmsFor(http).listValues.inDirectory('k1')).toMatchObject([
      {
        fullId: 'l1',
        externalId: 'E',
        owner: 'usr-a',
        parentId: 'k1',
        translations: [
          { language: '', text: 'One' },
          { language: 'de', text: 'Eins' },
        ],
      },
    ]);
    await dmsFor(http).listValues.inDirectory('k1');
    expect(mock.requests).toEqual([
      'GET /api/v2/listValue?_id_kf=k1',
      'GET /api/v2/listValue?_id_kf=k1&kfid=k1',
      'GET /api/v2/listValue?_id_kf=k1&kfid=k1',
    ]);
  });

  it('count as the current shape if they have both', async () => {
    const both = { ...v1, _id_kf: 'k2', value: { en: 'Two' } };
    const mock = createMockDms()
      .reply('GET', '/api/v2/listValue/l1', both)
      .reply('GET', '/api/v2/listValue', [both]);
    const dms = dmsFor(testHttp(mock));
    expect(await dms.listValues.get('l1')).toMatchObject({
      parentId: 'k2',
      translations: [{ language: 'en', text: 'Two' }],
    });
    await dms.listValues.inDirectory('k2');
    expect(mock.requests).toEqual(['GET /api/v2/listValue/l1', 'GET /api/v2/listValue?_id_kf=k2']);
  });

  it('reveal their shape with a directory from a shared cache', async () => {
    const mock = createMockDms().reply('POST', '/api/v2/listValue', v1);
    const response = { body: [v1], headers: {}, bytes: 100, request: 'GET /api/v2/listValue' };
    const http = testHttp(mock, {
      cacheTtlMs: 60_000,
      sharedCache: {
        name: 'far',
        read: async () => ({ cached: { response, leftMs: 60_000 }, store() {} }),
      },
    });
    await dmsFor(http).listValues.inDirectory('k1');
    await dmsFor(http).listValues.upsert({
      parentId: 'k1',
      value: [{ language: 'en', text: 'One' }],
    });
    expect(JSON.parse(mock.received.at(-1)?.body ?? '')).toMatchObject({
      kfunid: 'k1',
      valuedata: 'One',
    });
    expect(mock.requests).toEqual(['POST /api/v2/listValue']);
  });

  it.each<[string, (dms: Dms) => Promise<unknown>]>([
    ['the directories', (dms) => dms.listValues.directories()],
    ['one value', (dms) => dms.listValues.get('l1')],
    ['an upserted value', (dms) => dms.listValues.upsert({ parentId: 'k1' })],
  ])('reveal their shape with %s too', async (_name, call) => {
    const mock = createMockDms()
      .reply('GET', '/api/v2/listValue', [v1])
      .reply('GET', '/api/v2/listValue/l1', v1)
      .reply('POST', '/api/v2/listValue', v1);
    const http = testHttp(mock);
    await call(dmsFor(http));
    mock.requests.length = 0;
    await dmsFor(http).listValues.inDirectory('k1');
    expect(mock.requests).toEqual(['GET /api/v2/listValue?_id_kf=k1&kfid=k1']);
    await dmsFor(http).listValues.upsert({
      parentId: 'k1',
      value: [
        { language: 'de', text: 'Eins' },
        { language: 'en', text: 'One' },
      ],
    });
    expect(JSON.parse(mock.received.at(-1)?.body ?? '')).toEqual({
      _id_kf: 'k1',
      value: { de: 'Eins', en: 'One' },
      kfunid: 'k1',
      valuedata: 'Eins',
      valuedata_de: 'Eins',
      valuedata_en: 'One',
    });
  });
});

it.each<[Record<string, string>, number | null]>([
  [{ 'svc-total-count': '7' }, 7],
  [{ 'X-Total-Count': '8' }, 8],
  [{ 'svc-total-count': '7', 'X-Total-Count': '8' }, 7],
  [{ 'svc-total-count': 'many', 'X-Total-Count': '8' }, 8],
  [{ 'svc-total-count': '-1' }, null],
  [{}, null],
])('the total count is read from %j', async (headers, totalCount) => {
  const mock = createMockDms().reply('GET', /./, [], { headers });
  const dms = dmsFor(testHttp(mock));
  const page = { first: 0, pageSize: 5 };
  expect(await dms.organizations.list(page)).toEqual({ items: [], totalCount });
  expect(await dms.documents.inView({ view: 'ALL', filter: {}, page }, new Set())).toEqual({
    items: [],
    totalCount,
  });
});
