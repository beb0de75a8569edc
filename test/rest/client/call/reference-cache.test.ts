import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import type { HttpClient, HttpClientOptions } from '../../../../src/rest/client/http-client.ts';
import type { SharedCache } from '../../../../src/rest/client/call/reference-cache.ts';
import { createMockDms, testCaller, testHttp, testBudget } from '../../../helpers/mock-dms.ts';
import type { MockDms } from '../../../helpers/mock-dms.ts';
import { everyResource } from '../../../helpers/resources.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

const cached: Partial<HttpClientOptions> = { cacheTtlMs: 60_000 };

function dmsFor(http: HttpClient, key = 'ann'): Dms {
  return new Dms(http, testCaller({ key }), testBudget());
}

/** A service in which every object exists. */
function wholeMock(): MockDms {
  const mock = createMockDms()
    .reply('GET', /crm\/org\?/, [{ _id: 'o1' }])
    .reply('GET', /listValue/, [{ _id: 'l1', _id_kf: '' }])
    .reply('GET', /sysForm/, [{ _id: 'f1' }])
    .reply('GET', /person/, { _id_sys: 'usr-ann' })
    .reply('DELETE', /crm\/org/, null)
    .reply('GET', /docForm\/d1/, { _id: 'd1' })
    .reply('GET', /docForm\/view/, [{ _id: 'd1' }])
    .reply('GET', /docResponse\/r1/, { _id: 'r1' })
    .reply('GET', /idp/, 'text');
  for (const { path, wire } of everyResource) {
    mock.reply('GET', path, wire).reply('POST', path.replace(/\/[^/]*$/, ''), wire);
  }
  return mock;
}

const cachedResources = everyResource.filter(({ isCached }) => isCached);

const reads: readonly [string, (dms: Dms) => Promise<unknown>][] = [
  ...cachedResources.map(({ many, id }): [string, (dms: Dms) => Promise<unknown>] => [
    `${many}.get`,
    (dms) => (dms[many] as { get(id: string): Promise<unknown> }).get(id),
  ]),
  ['organizations.list', (dms) => dms.organizations.list({ first: 0, pageSize: 10 })],
  ['listValues.directories', (dms) => dms.listValues.directories()],
  ['listValues.inDirectory', (dms) => dms.listValues.inDirectory('l1')],
  ['forms.all', (dms) => dms.forms.all()],
];

/** Each write, and the resources that are read again after it. */
const writes = [
  ...cachedResources.flatMap(({ many, write }) => (write ? [[many, ...write] as const] : [])),
  [
    'organizations.remove',
    (dms: Dms) => dms.organizations.remove('o1'),
    ['organizations'],
  ] as const,
];

describe.each(reads)('%s', (name, read) => {
  it('is cached after the first read', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, cached);
    const first = await read(dmsFor(http));
    expect(await read(dmsFor(http))).toEqual(first);
    expect(mock.requests).toHaveLength(1);
  });

  it('is read for each identity', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, cached);
    await read(dmsFor(http, 'ann'));
    await read(dmsFor(http, 'ben'));
    expect(mock.requests).toHaveLength(2);
  });

  it('is read each time if the cache is disabled', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, { cacheTtlMs: 0 });
    await read(dmsFor(http));
    await read(dmsFor(http));
    expect(mock.requests).toHaveLength(2);
  });

  it('uses no budget if it is cached', async () => {
    const http = testHttp(wholeMock(), cached);
    await read(dmsFor(http));
    const budget = testBudget({ maxCalls: 0 });
    await read(new Dms(http, testCaller(), budget));
    expect(budget.calls).toBe(0);
  });

  it.each(writes)(
    'is read again for every caller after a write: %s',
    async (_write, write, affected) => {
      const mock = wholeMock();
      const http = testHttp(mock, cached);
      await read(dmsFor(http, 'ann'));
      await write(dmsFor(http, 'ben'));
      mock.requests.length = 0;
      await read(dmsFor(http, 'ann'));
      const [resource = ''] = name.split('.');
      expect(mock.requests).toHaveLength(affected.some((one) => one === resource) ? 1 : 0);
    },
  );
});

describe('reference data', () => {
  it('is not cached after a failed read', async () => {
    const mock = createMockDms().reply('GET', /person/, '', { status: 404 });
    const http = testHttp(mock, cached);
    await expect(dmsFor(http).persons.get('usr-x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(dmsFor(http).persons.get('usr-x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(mock.requests).toHaveLength(2);
  });

  it('is not cached if a write was faster', async () => {
    const mock = createMockDms().reply('POST', /person/, { _id_sys: 'usr-ann', email: 'new' });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mock.reply('GET', /person/, async () => {
      if (mock.requests.length === 1) {
        await released;
        return { _id_sys: 'usr-ann', email: 'old' };
      }
      return { _id_sys: 'usr-ann', email: 'new' };
    });
    const http = testHttp(mock, cached);
    const before = dmsFor(http).persons.get('usr-ann');
    await dmsFor(http, 'ben').persons.update('usr-ann', { firstName: 'A' });
    release();
    expect((await before).email).toBe('old');
    expect((await dmsFor(http).persons.get('usr-ann')).email).toBe('new');
  });

  it('is invalidated even if the write fails', async () => {
    const mock = wholeMock().reply('POST', /person/, '', { status: 500 });
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    await expect(dmsFor(http).persons.update('usr-ann', {})).rejects.toThrow('UPSTREAM_ERROR');
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests.filter((line) => line.startsWith('GET'))).toHaveLength(2);
  });

  it('is cached for a limited time', async () => {
    const mock = wholeMock();
    // lru-cache uses the real `performance` object, whose value it caches for a millisecond.
    let nowMs = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    fakeTimers('setTimeout');
    const http = testHttp(mock, { cacheTtlMs: 1000 });
    for (const [afterMs, requests] of [
      [0, 1],
      [999, 1],
      [2, 2],
    ] as const) {
      nowMs += afterMs;
      vi.advanceTimersByTime(afterMs);
      await dmsFor(http).persons.get('usr-ann');
      expect(mock.requests).toHaveLength(requests);
      await nextIteration();
    }
  });

  it('expires as long after it was read, however late it is in the cache', async () => {
    const mock = wholeMock();
    let nowMs = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    fakeTimers('setTimeout');
    const http = testHttp(mock, { cacheTtlMs: 1000 });
    await dmsFor(http).persons.get('usr-ann');
    nowMs += 600;
    await nextIteration();
    nowMs += 401;
    vi.advanceTimersByTime(1001);
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(2);
  });

  it('is found before it is in the cache, and moved there once', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, { ...cached, cacheBytes: 1 }); // too small for any entry
    await dmsFor(http).persons.get('usr-ann');
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(1);
    await nextIteration();
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(2);
  });

  it('is dropped by an invalidation before it is in the cache', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    http.invalidate(['persons']);
    await nextIteration();
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(2);
  });

  it('is read again for an identity that was forgotten, and never that of another one', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, cached);
    const keys = ['a', 'b', 'c', 'd', 'e', 'a', 'e'].map((name) => name.repeat(2 ** 20));
    for (const key of keys) await dmsFor(http, key).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(6);
  });

  it('stays cached when reads of many other identities fail', async () => {
    const mock = wholeMock().reply('GET', /person\/usr-x/, '', { status: 401 });
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      const { persons } = dmsFor(http, name.repeat(2 ** 20));
      await expect(persons.get('usr-x')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(6);
  });

  it('is read each time for an identity that is too long', async () => {
    const mock = wholeMock();
    const http = testHttp(mock, cached);
    const keys = ['a', 'b', 'a'].map((name) => name.repeat(5 * 2 ** 20));
    for (const key of keys) await dmsFor(http, key).persons.get('usr-ann');
    expect(mock.requests).toHaveLength(3);
  });

  it('is limited in entries', async () => {
    const mock = createMockDms().reply('GET', /person/, ({ path }) => ({
      _id_sys: path.split('/').at(-1),
    }));
    const http = testHttp(mock, { ...cached, cacheEntries: 2 });
    for (const id of ['usr-a', 'usr-b', 'usr-c', 'usr-a']) {
      await dmsFor(http).persons.get(id);
      await nextIteration();
    }
    expect(mock.requests).toHaveLength(4);
  });

  it('is limited in bytes, which include the overhead of small entries', async () => {
    const mock = createMockDms().reply('GET', /person/, ({ path }) => ({
      _id_sys: path.split('/').at(-1),
    }));
    const http = testHttp(mock, { ...cached, cacheBytes: 1500 });
    for (const id of ['usr-a', 'usr-b', 'usr-c', 'usr-a']) {
      await dmsFor(http).persons.get(id);
      await nextIteration();
    }
    expect(mock.requests).toHaveLength(4);
  });
});

describe('reference data of a shared cache', () => {
  /** A shared cache that answers when the test says so. */
  function startShared(leftMs = 60_000) {
    const answered = Promise.withResolvers<void>();
    const response = {
      body: { _id_sys: 'usr-ann', email: 'shared' },
      headers: {},
      bytes: 10,
      request: 'GET /api/v2/person/usr-ann',
    };
    const sharedCache: SharedCache = {
      name: 'far',
      read: () => answered.promise.then(() => ({ cached: { response, leftMs }, store() {} })),
    };
    const mock = wholeMock().reply('GET', /person/, { _id_sys: 'usr-ann', email: 'own' });
    const http = testHttp(mock, { ...cached, sharedCache });
    const emailOf = async (): Promise<string | null> =>
      (await dmsFor(http).persons.get('usr-ann')).email;
    return { http, mock, answer: answered.resolve, emailOf };
  }

  it('is not used if a write started while it was read', async () => {
    const { http, answer, emailOf } = startShared();
    const email = emailOf();
    http.referenceCache.suspend('persons');
    answer();
    expect(await email).toBe('own');
  });

  it('is not used if a write ended while it was read', async () => {
    const { http, answer, emailOf } = startShared();
    const email = emailOf();
    await dmsFor(http).persons.update('usr-ann', { firstName: 'A' });
    answer();
    expect(await email).toBe('own');
  });
});

it.each<[string, (dms: Dms) => Promise<unknown>]>([
  ['documents.get', (dms) => dms.documents.get('d1', new Set())],
  [
    'documents.inView',
    (dms) =>
      dms.documents.inView({ view: 'ALL', filter: {}, page: { first: 0, pageSize: 1 } }, new Set()),
  ],
  ['documentResponses.get', (dms) => dms.documentResponses.get('r1')],
  ['recognition.text', (dms) => dms.recognition.text('d1')],
])('never caches %s', async (_name, read) => {
  const mock = wholeMock();
  const http = testHttp(mock, cached);
  await read(dmsFor(http));
  await read(dmsFor(http));
  expect(mock.requests).toHaveLength(2);
});

describe('reference data and a write that affects it', () => {
  const person = (mock: MockDms): MockDms => mock.reply('GET', /person/, { _id_sys: 'usr-ann' });
  const update = (http: HttpClient, budget = testBudget()): Promise<unknown> =>
    new Dms(http, testCaller({ key: 'ben' }), budget).persons
      .update('usr-ann', { unitName: 'Sales' })
      .catch(() => {});
  const linesOf = (mock: MockDms): string[] =>
    mock.requests.filter((line) => line.startsWith('GET'));

  it.each([400, 401, 403, 404, 409, 422, 421, 429, 503])(
    'stays cached after status %i',
    async (status) => {
      const mock = person(createMockDms()).reply('POST', /person/, '', { status });
      const http = testHttp(mock, cached);
      await dmsFor(http).persons.get('usr-ann');
      await update(http);
      await dmsFor(http).persons.get('usr-ann');
      expect(mock.requests).toEqual(['GET /api/v2/person/usr-ann', 'POST /api/v2/person']);
    },
  );

  it('stays cached if nothing was sent', async () => {
    const mock = person(createMockDms());
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    await update(http, testBudget({ maxCalls: 0 }));
    await update(http, testBudget({ signal: AbortSignal.abort() }));
    await dmsFor(http).persons.get('usr-ann');
    expect(mock.requests).toEqual(['GET /api/v2/person/usr-ann']);
  });

  it.each<[number, string]>([
    [200, '{"_id_sys":"usr-ann"}'],
    [200, '<html>'],
    [202, '{}'],
    [302, ''],
    [408, ''],
    [500, ''],
    [502, ''],
  ])('is read again after a possible write: %i %s', async (status, body) => {
    const mock = person(createMockDms()).reply('POST', /person/, body, { status });
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    await update(http);
    await dmsFor(http).persons.get('usr-ann');
    expect(linesOf(mock)).toHaveLength(2);
  });

  it('is not cached during a write that fails', async () => {
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let writes = 0;
    const mock = person(createMockDms()).reply(
      'POST',
      /person/,
      () => {
        writes += 1;
        return answers[writes - 1]?.promise.then(() => '');
      },
      { status: 400 },
    );
    const http = testHttp(mock, cached);
    await dmsFor(http).persons.get('usr-ann');
    const written = [update(http), update(http)];
    await expect.poll(() => mock.requests.length).toBe(3);
    await dmsFor(http).persons.get('usr-ann');
    await dmsFor(http).persons.get('usr-ann');
    expect(linesOf(mock)).toHaveLength(3);
    answers[0]?.resolve();
    await written[0];
    await dmsFor(http).persons.get('usr-ann');
    expect(linesOf(mock)).toHaveLength(4);
    answers[1]?.resolve();
    await written[1];
    await dmsFor(http).persons.get('usr-ann');
    expect(linesOf(mock)).toHaveLength(4);
  });
});
