import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RequestBudgetOptions } from '../../../../src/rest/client/limits/request-budget.ts';
import { Dms } from '../../../../src/rest/dms.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import type { HttpClientOptions } from '../../../../src/rest/client/http-client.ts';
import { startFailingDms } from '../../../helpers/failing-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { testCaller, testHttpOptions, testBudget } from '../../../helpers/mock-dms.ts';

/** A service that responds when the test says so, and a client of it. */
async function startHeld(options: Partial<HttpClientOptions> = {}) {
  const held = new Map<string, ServerResponse>();
  const server = await startFailingDms((request, response) => {
    request.resume();
    held.set(nameOf(`${request.url}`), response);
  });
  let waiting = 0;
  const refused: string[] = [];
  const http = new HttpClient(
    { ...testHttpOptions, baseUrl: server.url, ...options },
    {
      callsWaiting: (change) => (waiting += change),
      callRefused: (reason) => refused.push(reason),
    },
  );
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await http.close();
  });
  return {
    /** Last segments of the paths that arrived, in order. */
    arrived: () => server.requests.map(nameOf),
    requests: server.requests,
    waiting: () => waiting,
    refused,
    dmsOf: (key: string, budget: Partial<RequestBudgetOptions> = {}) =>
      new Dms(http, testCaller({ key }), testBudget(budget)),
    answer(name: string) {
      held.get(name)?.writeHead(200, { 'content-type': 'application/json' });
      held.get(name)?.end(JSON.stringify({ _id_sys: name }));
    },
  };
}

function nameOf(path: string): string {
  return path.split('?')[0]?.split('/').at(-1) ?? '';
}

/** Starts reads, which are observed by their arrival. All of them are answered or aborted when the test ends. */
function readAll(dms: Dms, ...names: readonly string[]): void {
  for (const name of names) dms.persons.get(name).catch(() => {});
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);
}

describe('connections for calls', () => {
  it('remain available beside a busy caller', async () => {
    const dms = await startHeld({ connections: 16 });
    for (const name of numbered('op', 5)) readAll(dms.dmsOf('ann'), ...numbered(`${name}-`, 20));
    await expect.poll(dms.arrived).toHaveLength(14);
    expect(dms.waiting()).toBe(86);
    readAll(dms.dmsOf('ben'), 'b1');
    await expect.poll(dms.arrived).toHaveLength(15);
    readAll(dms.dmsOf('cid'), 'c1');
    await expect.poll(dms.arrived).toHaveLength(16);
    expect(dms.arrived().slice(14)).toEqual(['b1', 'c1']);
    expect(dms.waiting()).toBe(86);
  });

  it('go to the waiting caller that holds the fewest', async () => {
    const dms = await startHeld({ connections: 2 });
    readAll(dms.dmsOf('ann'), 'a1', 'a2', 'a3', 'a4');
    await expect.poll(dms.arrived).toEqual(['a1', 'a2']);
    readAll(dms.dmsOf('ben'), 'b1');
    dms.answer('a1');
    await expect.poll(dms.arrived).toEqual(['a1', 'a2', 'b1']);
    dms.answer('b1');
    await expect.poll(dms.arrived).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('alternate between callers with equally many', async () => {
    const dms = await startHeld({ connections: 1 });
    readAll(dms.dmsOf('ann'), 'a1', 'a2', 'a3', 'a4');
    readAll(dms.dmsOf('ben'), 'b1', 'b2');
    readAll(dms.dmsOf('cid'), 'c1');
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'];
    for (const [index, name] of order.entries()) {
      await expect.poll(dms.arrived).toEqual(order.slice(0, index + 1));
      dms.answer(name);
    }
    await expect.poll(dms.waiting).toBe(0);
  });

  it('serve one caller fully when it is the only one', async () => {
    const dms = await startHeld({ connections: 16, fairShare: false });
    readAll(dms.dmsOf('service'), ...numbered('a', 20));
    await expect.poll(dms.arrived).toHaveLength(16);
  });

  it('are released if a waiting client disconnects', async () => {
    const dms = await startHeld({ connections: 1 });
    const client = new AbortController();
    readAll(dms.dmsOf('ann'), 'a1', 'a2');
    const left = dms.dmsOf('ben', { signal: client.signal }).persons.get('b1');
    expect(dms.waiting()).toBe(2);
    client.abort();
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(dms.waiting()).toBe(1);
    await expect.poll(dms.arrived).toEqual(['a1']);
    dms.answer('a1');
    await expect.poll(dms.arrived).toEqual(['a1', 'a2']);
  });
});

describe('a call that waits for a connection', () => {
  it('fails unsent after a long wait', async () => {
    fakeTimers('performance', 'setInterval');
    const dms = await startHeld({ connections: 1, maxWaitMs: 1000, retries: 2 });
    readAll(dms.dmsOf('ann'), 'a1');
    await expect.poll(dms.arrived).toEqual(['a1']);
    const late = Promise.allSettled([
      dms.dmsOf('ann').persons.get('a2'),
      dms.dmsOf('ben').documents.move({ documentId: 'd1', action: 'CANCEL' }),
    ]);
    vi.advanceTimersByTime(900);
    expect(dms.waiting()).toBe(2);
    vi.advanceTimersByTime(200);
    for (const outcome of await late) {
      expect(outcome).toMatchObject({
        reason: {
          code: 'UPSTREAM_UNAVAILABLE',
          retryable: true,
          retryAfterMs: 5000,
          expected: 'a free connection in time',
        },
      });
    }
    expect(dms.refused).toEqual(['late', 'late']);
    expect(dms.waiting()).toBe(0);
    readAll(dms.dmsOf('ben'), 'b2');
    dms.answer('a1');
    await expect.poll(dms.arrived).toEqual(['a1', 'b2']);
  });

  it('is sent once if it is a write', async () => {
    const dms = await startHeld({ connections: 1 });
    readAll(dms.dmsOf('ann'), 'a1', 'a2');
    const move = dms.dmsOf('ben').documents.move({ documentId: 'd1', action: 'CANCEL' });
    await expect.poll(dms.arrived).toEqual(['a1']);
    dms.answer('a1');
    await expect.poll(dms.arrived).toEqual(['a1', 'a2']);
    dms.answer('a2');
    await expect.poll(() => dms.requests.at(-1)).toBe('POST /api/v2/docForm/d1/docResponse');
    dms.answer('docResponse');
    expect(await move).toMatchObject({ outcome: 'done' });
    expect(dms.requests).toHaveLength(3);
  });

  it('does not fill the whole queue', async () => {
    const dms = await startHeld({ connections: 1, maxWaiting: 16 });
    readAll(dms.dmsOf('ann'), ...numbered('a', 15));
    expect(dms.waiting()).toBe(14);
    await expect(dms.dmsOf('ann').persons.get('a16')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      expected: 'a free place in the queue',
    });
    expect(dms.refused).toEqual(['full']);
    readAll(dms.dmsOf('ben'), 'b1');
    expect(dms.waiting()).toBe(15);
  });
});

describe('connections for transfers', () => {
  const endless = { name: 'endless', open: () => new Readable({ read() {} }) };
  const create = (dms: Dms) =>
    dms.documents.create(
      { formName: 'inv' },
      (async function* () {
        yield endless;
      })(),
    );

  it('leave half to other callers', async () => {
    const dms = await startHeld({ transferConnections: 4 });
    const client = new AbortController();
    const uploads = numbered('u', 4).map(() => create(dms.dmsOf('ann', { signal: client.signal })));
    const outcomes = Promise.allSettled(uploads);
    await expect.poll(() => dms.requests).toHaveLength(2);
    expect(dms.waiting()).toBe(2);
    dms
      .dmsOf('ben')
      .documents.file('d1', 'f1', {})
      .catch(() => {});
    await expect.poll(() => dms.requests.at(-1)).toBe('GET /api/v2/docForm/d1/file/f1');
    client.abort();
    await outcomes;
    expect(dms.waiting()).toBe(0);
  });

  it('have the waiting limit of calls', async () => {
    fakeTimers('performance', 'setInterval');
    const dms = await startHeld({ transferConnections: 1, maxWaitMs: 1000 });
    const client = new AbortController();
    const outcome = Promise.allSettled([create(dms.dmsOf('ann', { signal: client.signal }))]);
    await expect.poll(() => dms.requests).toHaveLength(1);
    const late = Promise.allSettled([
      create(dms.dmsOf('ben')),
      dms.dmsOf('cid').documents.file('d1', 'f1', {}),
    ]);
    expect(dms.waiting()).toBe(2);
    vi.advanceTimersByTime(1100); // checked at intervals of 100 ms
    for (const one of await late) {
      expect(one).toMatchObject({ reason: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } });
    }
    expect(dms.requests).toHaveLength(1);
    client.abort();
    await outcome;
  });
});
