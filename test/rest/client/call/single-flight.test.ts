import { describe, expect, it } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import { misbehave, startFailingDms } from '../../../helpers/failing-dms.ts';
import {
  createMockDms,
  testCaller,
  testHttp,
  testHttpOptions,
  testBudget,
} from '../../../helpers/mock-dms.ts';

const requirements = new Set(['state'] as const);
const withResponse = new Set(['response'] as const);
const inbox = { view: 'INBOX', filter: {}, page: { first: 0, pageSize: 10 } } as const;

function dmsFor(http: HttpClient, key = 'ann', signal?: AbortSignal): Dms {
  return new Dms(http, testCaller({ key }), testBudget(signal === undefined ? {} : { signal }));
}

/** A mocked service whose responses wait until they are released. */
function heldMock() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const mock = createMockDms();
  let state = 0;
  mock.reply('GET', /docForm/, async () => {
    state += 1;
    const seen = state;
    await released;
    return { _id: 'a1', state: seen };
  });
  return { mock, release };
}

describe('identical concurrent reads', () => {
  it('share one request across operations', async () => {
    const { mock, release } = heldMock();
    const http = testHttp(mock);
    const reads = [1, 2, 3].map(() => dmsFor(http).documents.get('a1', requirements));
    release();
    const documents = await Promise.all(reads);
    expect(mock.requests).toHaveLength(1);
    expect(documents.map(({ state }) => state)).toEqual([1, 1, 1]);
  });

  it('are separate for two identities', async () => {
    const { mock, release } = heldMock();
    const http = testHttp(mock);
    const reads = ['ann', 'ben'].map((key) => dmsFor(http, key).documents.get('a1', requirements));
    release();
    expect((await Promise.all(reads)).map(({ state }) => state)).toEqual([1, 2]);
  });

  it.each<[string, (dms: Dms) => Promise<unknown>]>([
    ['a document', (dms) => dms.documents.get('a1', withResponse)],
    ['a page', (dms) => dms.documents.inView(inbox, withResponse)],
  ])('of %s are separate if they create a response', async (_name, read) => {
    const mock = createMockDms()
      .reply('GET', '/api/v2/docForm/a1', { _id: 'a1', docResponse: { _id: 'r' } })
      .reply('GET', '/api/v2/docForm/view/inbox', []);
    const http = testHttp(mock);
    await Promise.all([1, 2].map(() => read(dmsFor(http))));
    expect(mock.requests).toHaveLength(2);
  });

  it('fail together and are then sent again', async () => {
    const mock = createMockDms().reply('GET', /docForm/, '', { status: 500 });
    const http = testHttp(mock);
    const reads = [1, 2].map(() => dmsFor(http).documents.get('a1', requirements));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(mock.requests).toHaveLength(1);
    await expect(dmsFor(http).documents.get('a1', requirements)).rejects.toThrow('UPSTREAM_ERROR');
    expect(mock.requests).toHaveLength(2);
  });

  it('are not joined after a write', async () => {
    const { mock, release } = heldMock();
    mock.reply('POST', /docResponse/, {});
    const http = testHttp(mock);
    const before = dmsFor(http).documents.get('a1', requirements);
    await dmsFor(http, 'ben').documents.move({ documentId: 'a1', action: 'CANCEL' });
    const after = dmsFor(http).documents.get('a1', requirements);
    release();
    expect((await before).state).toBe(1);
    expect((await after).state).toBe(2);
  });
});

it('ignores the exhausted budget of another operation', async () => {
  const { mock, release } = heldMock();
  const http = testHttp(mock);
  const bounded = new Dms(http, testCaller(), testBudget({ maxCalls: 1, maxInFlight: 1 }));
  const first = bounded.documents.get('a1', requirements);
  const second = bounded.documents.get('a2', requirements);
  const other = dmsFor(http).documents.get('a2', requirements);
  await expect(second).rejects.toMatchObject({ code: 'UPSTREAM_BUDGET_EXCEEDED' });
  release();
  expect(await Promise.all([first, other])).toHaveLength(2);
});

describe('a client that disconnects', () => {
  it('does not affect other waiting clients', async () => {
    const { mock, release } = heldMock();
    const http = testHttp(mock);
    const client = new AbortController();
    const first = dmsFor(http, 'ann', client.signal).documents.get('a1', requirements);
    const second = dmsFor(http).documents.get('a1', requirements);
    client.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    release();
    expect((await second).state).toBe(1);
    expect(mock.requests).toHaveLength(1);
  });

  it('ends the upstream request if it is the last', async () => {
    const server = await startFailingDms(misbehave.silence);
    const http = new HttpClient({ ...testHttpOptions, baseUrl: server.url });
    const clients = [new AbortController(), new AbortController()];
    const reads = clients.map(({ signal }) =>
      dmsFor(http, 'ann', signal).documents.get('a1', requirements),
    );
    const outcomes = Promise.allSettled(reads);
    await expect.poll(() => server.requests.length).toBe(1);
    clients[0]?.abort();
    expect(server.openSockets.size).toBe(1);
    clients[1]?.abort();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect.poll(() => server.openSockets.size).toBe(0);
    await http.close();
  });

  it('leaves no read to join', async () => {
    const { mock, release } = heldMock();
    const http = testHttp(mock);
    const client = new AbortController();
    const first = dmsFor(http, 'ann', client.signal).documents.get('a1', requirements);
    const outcome = Promise.allSettled([first]);
    await expect.poll(() => mock.requests.length).toBe(1);
    client.abort();
    const second = dmsFor(http).documents.get('a1', requirements);
    release();
    expect((await second).fullId).toBe('a1');
    expect(await outcome).toMatchObject([{ reason: { code: 'CANCELLED' } }]);
  });
});
