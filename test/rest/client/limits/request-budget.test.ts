import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import type { RequestBudget } from '../../../../src/rest/client/limits/request-budget.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { createMockDms, testCaller, testHttp, testBudget } from '../../../helpers/mock-dms.ts';
import type { MockDms } from '../../../helpers/mock-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

function people(): MockDms {
  return createMockDms().reply('GET', /person/, ({ path }) => ({
    _id_sys: path.split('/').at(-1),
  }));
}

function dmsWith(mock: MockDms, budget: RequestBudget): Dms {
  return new Dms(testHttp(mock), testCaller(), budget);
}

describe('an operation', () => {
  it('keeps reserved calls for other calls than repetitions', () => {
    const budget = testBudget({ maxCalls: 4 });
    expect(() => budget.reserveCalls(5)).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_BUDGET_EXCEEDED' }),
    );
    budget.reserveCalls(3);
    expect([budget.consumeRetry(), budget.consumeRetry()]).toEqual([true, false]);
    budget.consumeCall('x');
    expect(budget.consumeRetry()).toBe(false);
    budget.releaseCalls();
    expect([budget.consumeRetry(), budget.consumeRetry()]).toEqual([true, true]);
    expect(budget.consumeRetry()).toBe(false);
    expect(() => budget.consumeCall('x')).toThrow(RestError);
    expect(budget.calls).toBe(4);
  });

  it('has the rest of its calls for repetitions when the reserved ones were made', () => {
    const budget = testBudget({ maxCalls: 3 });
    budget.reserveCalls(2);
    budget.consumeCall('x');
    budget.consumeCall('x');
    expect([budget.consumeRetry(), budget.consumeRetry()]).toEqual([true, false]);
  });

  it('starts no calls after it has ended', async () => {
    const mock = people();
    const late = dmsWith(mock, testBudget({ timeoutMs: 0 }));
    await expect(late.persons.get('usr-a')).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    const gone = dmsWith(mock, testBudget({ signal: AbortSignal.abort() }));
    await expect(gone.persons.get('usr-a')).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(mock.requests).toEqual([]);
  });

  it('ends calls of a deadline that was extended after it had passed', () => {
    fakeTimers('performance', 'setTimeout');
    const budget = testBudget({ timeoutMs: 20 });
    const ended: string[] = [];
    budget.addEndListener(() => ended.push('first'));
    vi.advanceTimersByTime(20);
    budget.extendDeadline(performance.now() - 20);
    budget.addEndListener(() => ended.push('second'));
    vi.advanceTimersByTime(20);
    expect(ended).toEqual(['first', 'second']);
  });

  it('removes its signal listener without running calls', async () => {
    const client = new AbortController();
    const dms = dmsWith(people(), testBudget({ signal: client.signal }));
    await Promise.all(['usr-a', 'usr-b'].map((id) => dms.persons.get(id)));
    expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  });
});

describe('every request', () => {
  it('has credential, run-as and request ID', async () => {
    const mock = people();
    const asked: string[] = [];
    const caller = testCaller({
      runAs: 'ann@example.org',
      authorization: async (method, path) => {
        asked.push(`${method} ${path}`);
        return 'Bearer signed';
      },
    });
    const http = testHttp(mock, { runAsHeader: 'x-run-as' });
    const dms = new Dms(http, caller, testBudget({ requestId: 'r-7' }));
    await dms.organizations.list({ first: 0, pageSize: 1 }).catch(() => {});
    expect(mock.received[0]?.headers).toEqual({
      'x-request-id': 'r-7',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'x-run-as': 'ann@example.org',
      authorization: 'Bearer signed',
    });
    expect(asked).toEqual(['GET /api/v2/crm/org']);
  });

  it('has no credential and run-as without them', async () => {
    const mock = people();
    const caller = testCaller({ authorization: null });
    await new Dms(testHttp(mock), caller, testBudget()).persons.get('usr-a');
    expect(Object.keys(mock.received[0]?.headers ?? {})).toEqual([
      'x-request-id',
      'accept',
      'accept-encoding',
    ]);
  });

  it.each(['ann\r\nx-admin: 1', 'ann\u0000', 'Änne', ''])(
    'rejects the run-as %j',
    async (runAs) => {
      const mock = people();
      const dms = new Dms(testHttp(mock), testCaller({ runAs }), testBudget());
      await expect(dms.persons.get('usr-a')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(mock.requests).toEqual([]);
    },
  );

  it('keeps the path of the base URL', async () => {
    const mock = people();
    const http = testHttp(mock, { baseUrl: 'http://dms.test/tenant/one/' });
    await new Dms(http, testCaller(), testBudget()).persons.get('usr-a');
    expect(mock.requests).toEqual(['GET /tenant/one/api/v2/person/usr-a']);
  });
});

describe('ping', () => {
  it.each([200, 401, 404, 429, 500])(
    'treats a service with status %i as reachable',
    async (status) => {
      expect(await testHttp(createMockDms().reply('GET', '/', '', { status })).ping()).toBe(true);
    },
  );

  it.each([502, 503, 504])('treats a service with status %i as unavailable', async (status) => {
    expect(await testHttp(createMockDms().reply('GET', '/', '', { status })).ping()).toBe(false);
  });

  it('treats a broken connection as unavailable', async () => {
    const mock = createMockDms().reply('GET', '/', () => {
      throw new Error('cut');
    });
    expect(await testHttp(mock).ping()).toBe(false);
  });
});
