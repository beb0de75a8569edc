import { describe, expect, it, vi } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { TransportError } from '../../../../src/rest/client/transport/dispatch-handler.ts';
import { retryDelayMs } from '../../../../src/rest/client/call/retry.ts';
import type { RequestBudgetOptions } from '../../../../src/rest/client/limits/request-budget.ts';
import { createMockDms, testCaller, testHttp, testBudget } from '../../../helpers/mock-dms.ts';
import type { MockDms } from '../../../helpers/mock-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

const person = { _id_sys: 'usr-ann' };
const withResponse = new Set(['response'] as const);
const inbox = { view: 'INBOX', filter: {}, page: { first: 0, pageSize: 10 } } as const;

function retrying(mock: MockDms, budget: Partial<RequestBudgetOptions> = {}): Dms {
  return new Dms(testHttp(mock, { retries: 2 }), testCaller(), testBudget(budget));
}

describe('a read', () => {
  it('is retried until it succeeds', async () => {
    const mock = createMockDms();
    mock.reply('GET', '/api/v2/person/usr-ann', () => {
      if (mock.requests.length < 3) throw new Error('cut');
      return person;
    });
    expect(await retrying(mock).persons.get('usr-ann')).toMatchObject({ systemId: 'usr-ann' });
    expect(mock.requests).toHaveLength(3);
  });

  it.each<[string, (dms: Dms) => Promise<unknown>]>([
    ['a document', (dms) => dms.documents.get('a1', withResponse)],
    ['a page', (dms) => dms.documents.inView(inbox, withResponse)],
  ])('of %s is not retried if it creates a response', async (_name, read) => {
    const mock = createMockDms().reply('GET', /docForm/, '', { status: 503 });
    await expect(read(retrying(mock))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(mock.requests).toHaveLength(1);
  });

  it('stops waiting if the client disconnects', async () => {
    fakeTimers('setTimeout');
    const client = new AbortController();
    const mock = createMockDms().reply('GET', /person/, '', {
      status: 503,
      headers: { 'retry-after': '5' },
    });
    const waiting = Promise.withResolvers<void>();
    const http = testHttp(mock, { retries: 2 }, { retried: () => waiting.resolve() });
    const dms = new Dms(http, testCaller(), testBudget({ signal: client.signal }));
    const read = dms.persons.get('usr-ann');
    await waiting.promise;
    client.abort();
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(vi.getTimerCount()).toBe(0); // the back-off has ended
    expect(mock.requests).toHaveLength(1);
  });

  it('is not retried beyond its budget', async () => {
    const mock = createMockDms().reply('GET', /person/, '', { status: 503 });
    await expect(retrying(mock, { maxCalls: 2 }).persons.get('usr-ann')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
    expect(mock.requests).toHaveLength(2);
  });
});

describe('retryDelayMs', () => {
  const request = 'GET /x';
  const away = (retryAfterMs: number | null): RestError =>
    new RestError('UPSTREAM_UNAVAILABLE', request, { status: 503, retryAfterMs });
  const inAnHour = performance.now() + 3_600_000;

  it('adds jitter to Retry-After', () => {
    const bounds = { retries: 2, deadlineAt: () => inAnHour };
    const waits = Array.from({ length: 50 }, () => retryDelayMs(away(1500), 1, bounds)!);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1600);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });

  it('is random below a maximum that doubles', () => {
    const bounds = { retries: 9, deadlineAt: () => inAnHour };
    const longest = (attempt: number): number => {
      const waits = Array.from({ length: 500 }, () => retryDelayMs(away(null), attempt, bounds));
      return Math.max(...waits.map(Number));
    };
    expect(longest(1)).toBeLessThanOrEqual(100);
    expect(longest(2)).toBeGreaterThan(100);
    expect(longest(2)).toBeLessThanOrEqual(200);
    expect(longest(9)).toBeLessThanOrEqual(2000);
  });

  it('retries broken calls and not rejected ones', () => {
    const bounds = { retries: 2, deadlineAt: () => inAnHour };
    const cut = new TransportError('connection', true, null, null);
    const wasCut = new RestError('UPSTREAM_UNAVAILABLE', request, { cause: cut });
    const wasKeptBack = new RestError('UPSTREAM_UNAVAILABLE', request);
    expect(retryDelayMs(wasCut, 1, bounds)).not.toBeNull();
    expect(retryDelayMs(wasKeptBack, 1, bounds)).toBeNull();
    expect(retryDelayMs(wasCut, 3, bounds)).toBeNull();
  });
});
