import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import type { Caller } from '../../../../src/rest/client/caller.ts';
import type { HttpClient } from '../../../../src/rest/client/http-client.ts';
import { createMockDms, testBudget, testCaller, testHttp } from '../../../helpers/mock-dms.ts';

const person = { _id_sys: 'usr-ann' };

function dmsFor(
  http: HttpClient,
  client = new AbortController(),
  caller: Partial<Caller> = {},
): Dms {
  return new Dms(http, testCaller(caller), testBudget({ signal: client.signal }));
}

describe('a call whose client disconnects', () => {
  it('does not wait for a connection after it was counted', async () => {
    const mock = createMockDms().reply('GET', /person/, person);
    const client = new AbortController();
    const rateLimiter = {
      async consume() {
        await Promise.resolve();
        client.abort();
      },
    };
    const http = testHttp(mock, { connections: 1, rateLimiter });
    await expect(dmsFor(http, client).persons.get('a')).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(mock.requests).toEqual([]);
  });

  it('is not sent after it was signed, and gives its connection back', async () => {
    const mock = createMockDms().reply('GET', /person/, person);
    const http = testHttp(mock, { connections: 1 });
    const client = new AbortController();
    const { promise: signature, resolve: sign } = Promise.withResolvers<string>();
    const leaving = dmsFor(http, client, { authorization: () => signature }).persons.get('a');
    client.abort();
    sign('Bearer signed');
    await expect(leaving).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await dmsFor(http).persons.get('b')).toMatchObject({ systemId: 'usr-ann' });
    expect(mock.requests).toEqual(['GET /api/v2/person/b']);
  });
});

it('reports status 401 with method and path without the query', async () => {
  const unauthorized: string[] = [];
  const onUnauthorized = (...call: string[]): void => void unauthorized.push(call.join(' '));
  const read = async (status: number): Promise<void> => {
    const mock = createMockDms().reply('GET', /docForm/, '', { status });
    const { documents } = dmsFor(testHttp(mock), undefined, { onUnauthorized });
    await documents.get('p1', new Set(['tags'])).catch(() => {});
  };
  await read(403);
  expect(unauthorized).toEqual([]);
  await read(401);
  expect(unauthorized).toEqual(['GET /api/v2/docForm/p1']);
});

it('adds the headers of `onCall` to each attempt, and replaces none of its own', async () => {
  const mock = createMockDms().reply('GET', /person/, '', { status: 503 });
  const urls: string[] = [];
  const http = testHttp(mock, {
    retries: 1,
    onCall: async ({ method, url }) => {
      urls.push(`${method} ${new URL(url).pathname}`);
      return { 'x-team': 'a', Authorization: 'other' };
    },
  });
  await expect(
    dmsFor(http, undefined, { authorization: 'Bearer own' }).persons.get('a'),
  ).rejects.toMatchObject({ status: 503 });
  expect(urls).toEqual(['GET /api/v2/person/a', 'GET /api/v2/person/a']);
  expect(mock.received.map(({ headers }) => headers)).toMatchObject([
    { 'x-team': 'a', authorization: 'Bearer own' },
    { 'x-team': 'a', authorization: 'Bearer own' },
  ]);
});

it('sends nothing if `onCall` returns an invalid header, and uses the connection again', async () => {
  const mock = createMockDms().reply('GET', /person/, person);
  let headers: Record<string, string> = {};
  const http = testHttp(mock, { connections: 1, onCall: () => headers });
  for (headers of [{ 'x-team': '€' }, { 'x-team': 'a\r\nb: c' }, { 'x team': 'a' }]) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await expect(dmsFor(http).persons.get('a')).rejects.toThrow(TypeError);
  }
  expect(mock.requests).toEqual([]);
  headers = { connection: 'x', 'Content-Length': '1', expect: 'x', Host: 'x', upgrade: 'x' };
  Object.assign(headers, { 'transfer-encoding': 'chunked', TE: 'x', trailer: 'x' });
  expect(await dmsFor(http).persons.get('a')).toMatchObject({ systemId: 'usr-ann' });
  expect(await dmsFor(http).persons.get('b')).toMatchObject({ systemId: 'usr-ann' });
  expect(mock.received[0]!.headers).not.toHaveProperty('te');
  expect(mock.received[0]!.headers).not.toHaveProperty('trailer');
});

it('gives the connection of a call back at its deadline if `onCall` never settles', async () => {
  const mock = createMockDms()
    .reply('GET', /person/, person)
    .reply('POST', /form/, { _id: 'd1' });
  let isHanging = true;
  const http = testHttp(mock, {
    connections: 1,
    onCall: () => (isHanging ? new Promise<never>(() => {}) : {}),
  });
  const hanging = (): Dms => new Dms(http, testCaller(), testBudget({ timeoutMs: 20 }));
  const calls = (dms: Dms) => [
    dms.persons.get('a'),
    dms.documents.create({ formName: 'inv' }, Readable.from([])),
  ];
  const outcomes = await Promise.allSettled(calls(hanging()));
  const late = { status: 'rejected', reason: { code: 'UPSTREAM_TIMEOUT' } };
  expect(outcomes).toMatchObject([late, late]);
  isHanging = false;
  expect(await Promise.all(calls(dmsFor(http)))).toHaveLength(2);
  expect(mock.requests).toEqual(['GET /api/v2/person/a', 'POST /api/v2/docForm/form/inv']);
});
