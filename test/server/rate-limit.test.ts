import { describe, expect, it, vi } from 'vitest';
import { RateLimiter } from '../../src/rest/client/limits/rate-limiter.ts';
import type { HttpObserver } from '../../src/rest/client/observer.ts';
import type { HttpClientOptions } from '../../src/rest/client/http-client.ts';
import { misbehave, startFailingDms } from '../helpers/failing-dms.ts';
import { startGateway, startGatewayBefore } from '../helpers/gateway.ts';
import { testBudget, testCaller } from '../helpers/mock-dms.ts';
import { createDocumentParts, multipart, startUpload } from '../helpers/multipart-request.ts';
import { fakeTimers } from '../helpers/fake-timers.ts';

const person = (id: string) => `{ person(id: "${id}") { email } }`;
const move = (id: string, selection = '__typename') =>
  `${id}: moveDocument(input: { document: "${id}", action: CANCEL }) { ${selection} }`;
const ann = { authorization: 'Bearer ann' };
const bob = { authorization: 'Bearer bob' };
const refused = {
  message: 'This user has reached the limit of DMS requests per minute. Try again later.',
  extensions: { code: 'RATE_LIMITED', retryable: true, requestId: expect.any(String) },
};

function limits(callsPerMinute: number, http: Partial<HttpClientOptions> = {}) {
  const counts = { rateLimited: 0 };
  const observer: Pick<HttpObserver, 'rateLimited'> = {
    rateLimited: () => (counts.rateLimited += 1),
  };
  return {
    counts,
    http: { ...http, rateLimiter: new RateLimiter({ callsPerMinute, observer }) },
    server: {
      identity: { mode: 'passthrough' as const },
      credential: null,
      rateLimit: callsPerMinute,
    },
  };
}

async function startLimited(callsPerMinute: number, options: Partial<HttpClientOptions> = {}) {
  const { counts, http, server } = limits(callsPerMinute, options);
  const gateway = await startGateway({ http, server });
  gateway.dms.reply('GET', /^\/api\/v2\/person\/[^/]+$/, ({ path }) => ({
    _id_sys: path.split('/').at(-1),
    email: 'a@example.com',
  }));
  gateway.dms.reply('POST', /docResponse$/, {});
  gateway.dms.reply('GET', /^\/api\/v2\/docForm\/[^/]+$/, { _id: 'd1', _id_web: 's1' });
  return { ...gateway, counts };
}

describe('a user who has reached the limit', () => {
  it('gets 429 and Retry-After, and nothing is sent', async () => {
    const { query, dms, counts } = await startLimited(2);
    await query(person('usr-1'), {}, ann);
    await query(person('usr-2'), {}, ann);
    const { status, headers, data, errors } = await query(person('usr-3'), {}, ann);
    expect({ status, data }).toEqual({ status: 429, data: undefined });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(errors).toMatchObject([refused]);
    expect(dms.requests).toHaveLength(2);
    expect(counts.rateLimited).toBe(1);
  });

  it('leaves other users and other run-as users unaffected', async () => {
    const { query } = await startLimited(1);
    const asEve = { ...ann, 'svc-run-as': 'eve' };
    const statuses = [];
    for (const headers of [ann, ann, bob, bob, asEve, asEve]) {
      statuses.push((await query(person('usr-1'), {}, headers)).status);
    }
    expect(statuses).toEqual([200, 429, 200, 429, 200, 429]);
  });

  it('can call again in the next minute', async () => {
    fakeTimers('Date');
    const { query } = await startLimited(1);
    const start = Date.now();
    expect((await query(person('usr-1'), {}, ann)).status).toBe(200);
    vi.setSystemTime(start + 59_000);
    const late = await query(person('usr-1'), {}, ann);
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe('1');
    vi.setSystemTime(start + 60_001);
    expect((await query(person('usr-1'), {}, ann)).status).toBe(200);
  });

  it('waits for at most a minute, also if the clock was set back', async () => {
    fakeTimers('Date');
    const { query } = await startLimited(1);
    await query(person('usr-1'), {}, ann);
    vi.setSystemTime(Date.now() - 90_000_000);
    const { status, headers } = await query(person('usr-1'), {}, ann);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  });

  it('gets 200 and the rest if one part is refused', async () => {
    const { query, dms } = await startLimited(2);
    await query(person('usr-0'), {}, ann);
    const two = '{ a: person(id: "usr-1") { email } b: person(id: "usr-2") { email } }';
    const { status, headers, data, errors } = await query(two, {}, ann);
    expect({ status, data }).toEqual({
      status: 200,
      data: { a: { email: 'a@example.com' }, b: null },
    });
    expect(headers.get('retry-after')).toBeNull();
    expect(errors).toMatchObject([{ ...refused, path: ['b'] }]);
    expect(dms.requests).toHaveLength(2);
  });

  it('sends exactly as many calls as are allowed at once', async () => {
    const { query, dms } = await startLimited(5);
    const ids = Array.from({ length: 20 }, (_, index) => `usr-${index}`);
    const all = await Promise.all(ids.map((id) => query(person(id), {}, ann)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(15);
    expect(dms.requests).toHaveLength(5);
  });

  it('can still read what is cached', async () => {
    const { query, dms } = await startLimited(1, { cacheTtlMs: 60_000 });
    for (let reads = 0; reads < 3; reads += 1) {
      expect((await query(person('usr-1'), {}, ann)).data).toEqual({
        person: { email: 'a@example.com' },
      });
    }
    expect(dms.requests).toEqual(['GET /api/v2/person/usr-1']);
  });

  it('gets 429 for a download and for an upload', async () => {
    const { http, server } = limits(1);
    const dms = await startFailingDms((request, response) => {
      request.resume();
      response.end('whole');
    });
    const gateway = await startGatewayBefore(dms.url, { http, server });
    const first = await gateway.fetch('/files/documents/d1/f1');
    expect(await first.text()).toBe('whole');
    const download = await gateway.fetch('/files/documents/d1/f1');
    expect(download.status).toBe(429);
    expect(Number(download.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await download.json()).toMatchObject({ errors: [refused] });

    const { req, response } = startUpload(gateway.url);
    req.end(multipart(createDocumentParts([{ filename: 'a', body: 'x'.repeat(100_000) }])));
    const { status, body } = await response;
    expect(status).toBe(429);
    expect(JSON.parse(body)).toMatchObject({ data: null, errors: [refused] });
    expect(dms.requests).toHaveLength(1);
  });
});

it('a repeated read counts each time it is sent', async () => {
  const { http, server } = limits(3, { retries: 3 });
  const dms = await startFailingDms(misbehave.reset);
  const gateway = await startGatewayBefore(dms.url, { http, server });
  await gateway.query(person('usr-1'));
  expect(dms.requests).toHaveLength(3);
  expect((await gateway.query(person('usr-1'))).status).toBe(429);
  expect(dms.requests).toHaveLength(3);
});

describe('a mutation', () => {
  it('is not refused any more when it has begun', async () => {
    const { query, dms } = await startLimited(1);
    const payload = '... on MoveDocumentPayload { document { shortId } }';
    const { status, data, errors } = await query(`mutation { ${move('d1', payload)} }`, {}, ann);
    expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    expect(data).toEqual({ d1: { document: { shortId: 's1' } } });
    expect(dms.requests).toEqual([
      'POST /api/v2/docForm/d1/docResponse',
      'GET /api/v2/docForm/d1?fields=_id,_id_web',
    ]);
    expect((await query(person('usr-1'), {}, ann)).status).toBe(429);
  });

  it('counts the calls beyond those that were expected', async () => {
    const { query, dms } = await startLimited(2);
    const payload = '... on MoveDocumentPayload { document { shortId } }';
    await query(`mutation { ${move('d1', payload)} }`, {}, ann);
    expect((await query(person('usr-1'), {}, ann)).status).toBe(429);
    expect(dms.requests).toHaveLength(2);
  });

  it('is refused as a whole before its first call', async () => {
    const { query, dms } = await startLimited(3);
    await query(person('usr-1'), {}, ann);
    await query(person('usr-1'), {}, ann);
    const both = await query(`mutation { ${move('d1')} ${move('d2')} }`, {}, ann);
    expect({ status: both.status, data: both.data }).toEqual({ status: 429, data: null });
    expect(both.errors).toMatchObject([{ ...refused, path: ['d1'] }]);
    // The call that is left has not been used up by what was refused.
    const one = await query(`mutation { ${move('d3')} }`, {}, ann);
    expect({ status: one.status, errors: one.errors }).toEqual({ status: 200, errors: undefined });
    expect(dms.requests.slice(2)).toEqual(['POST /api/v2/docForm/d3/docResponse']);
  });
});

describe('a bulk mutation', () => {
  const moveAll = (...ids: string[]) =>
    `mutation { moveDocuments(input: { moves: [${ids
      .map((id) => `{ document: "${id}", action: CANCEL }`)
      .join()}] }) { results { __typename } } }`;

  it('counts for all of its items before the first, and rejects all or none', async () => {
    const { query, dms } = await startLimited(4);
    await query(person('usr-1'), {}, ann);
    await query(person('usr-1'), {}, ann);
    const rejected = await query(moveAll('d1', 'd2', 'd3'), {}, ann);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.data).toBeUndefined();
    expect(rejected.errors).toMatchObject(
      [0, 1, 2].map((index) => ({
        path: ['moveDocuments', 'results', index],
        extensions: { code: 'RATE_LIMITED' },
      })),
    );
    expect(dms.requests).toHaveLength(2);
    const { data, errors } = await query(moveAll('d4', 'd5'), {}, ann);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ moveDocuments: { results: [{}, {}] } });
    expect(dms.requests.slice(2)).toEqual([
      'POST /api/v2/docForm/d4/docResponse',
      'POST /api/v2/docForm/d5/docResponse',
    ]);
    expect((await query(person('usr-1'), {}, ann)).status).toBe(429);
  });

  it('gets 200 if some of its items were not rejected by the limit', async () => {
    const { query, dms } = await startLimited(4);
    for (let i = 0; i < 4; i += 1) await query(person('usr-1'), {}, ann);
    const { status, data, errors } = await query(moveAll('d1', '/'), {}, ann);
    expect(status).toBe(200);
    expect(data).toEqual({ moveDocuments: { results: [null, { __typename: 'ValidationError' }] } });
    expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    expect(dms.requests).toHaveLength(4);
  });
});

it('an operation that needs more calls than a minute allows is rejected before it starts', async () => {
  const { query, dms } = await startLimited(2);
  const { errors } = await query(`mutation { ${move('a')} ${move('b')} ${move('c')} }`, {}, ann);
  expect(errors).toMatchObject([
    {
      message:
        'The operation can need up to 3 DMS requests; RATE_LIMIT allows 2. Request smaller pages.',
      extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' },
    },
  ]);
  expect(dms.requests).toEqual([]);
});

it('the counters in memory are bounded for any number of callers', async () => {
  const limiter = new RateLimiter({ callsPerMinute: 1, maxCallers: 100 });
  const call = (key: string) =>
    limiter
      .consume({
        caller: testCaller({ key }),
        budget: testBudget(),
        method: 'GET',
        path: '/',
      })
      .then(
        () => 'sent',
        ({ code }) => code as string,
      );
  fakeTimers('setTimeout');
  expect([await call('ann'), await call('ann')]).toEqual(['sent', 'RATE_LIMITED']);
  // The library has one timer for each caller that it counts.
  for (let nth = 0; nth < 1000; nth += 1) await call(`made-up-${nth}`);
  expect(vi.getTimerCount()).toBe(100);
  expect([await call('made-up-999'), await call('made-up-0')]).toEqual(['RATE_LIMITED', 'sent']);
});
