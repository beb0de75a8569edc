import { describe, expect, it, vi } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import {
  CircuitBreaker,
  type CallOutcome,
} from '../../../../src/rest/client/limits/circuit-breaker.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { createMockDms, testBudget, testCaller, testHttp } from '../../../helpers/mock-dms.ts';

const route = 'GET /api/v2/person/{id}';

/** A breaker whose time passes with `vi.advanceTimersByTime`. */
function startBreaker() {
  fakeTimers('Date');
  const openCircuits: number[] = [];
  const breaker = new CircuitBreaker({ circuitsChanged: (open) => openCircuits.push(open) });
  const end = (outcome: CallOutcome, times = 1, caller = 'ann'): void => {
    for (let n = 0; n < times; n += 1) breaker.admit(route, caller)?.(caller, outcome);
  };
  return { breaker, openCircuits, end };
}

describe('a circuit', () => {
  it('opens after 20 failures, and for its route alone', () => {
    const { breaker, openCircuits, end } = startBreaker();
    end('failure', 19);
    expect(breaker.admit(route, 'ann')).not.toBeNull();
    end('failure');
    expect(breaker.admit(route, 'ann')).toBeNull();
    expect(breaker.admit('PUT /api/v2/person/{id}', 'ann')).not.toBeNull();
    expect(openCircuits).toEqual([1]);
  });

  it('stays closed while a quarter of the calls succeed', () => {
    const { breaker, end } = startBreaker();
    for (let n = 0; n < 100; n += 1) end(n % 4 === 0 ? 'success' : 'failure');
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });

  it('counts the calls of ten seconds', () => {
    const { breaker, end } = startBreaker();
    for (let second = 0; second < 60; second += 1) {
      end('failure');
      vi.advanceTimersByTime(1000);
    }
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });

  it('is not kept open by calls that were admitted before it opened', () => {
    const { breaker, end } = startBreaker();
    const early = breaker.admit(route, 'ann');
    end('failure', 20);
    vi.advanceTimersByTime(499);
    early?.('ann', 'failure');
    vi.advanceTimersByTime(1);
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });
});

describe('a circuit that one caller has opened', () => {
  function startOpen() {
    const started = startBreaker();
    started.end('failure', 20, 'ann');
    return started;
  }

  it('rejects this caller alone, and closes when another one succeeds', () => {
    const { breaker, openCircuits, end } = startOpen();
    expect(breaker.admit(route, 'ann')).toBeNull();
    for (let n = 0; n < 50; n += 1) expect(breaker.admit(route, 'ben')).not.toBeNull();
    end('success', 1, 'ben');
    expect(openCircuits).toEqual([1, 0]);
  });

  it('rejects all callers when another one fails too', () => {
    const { breaker, end } = startOpen();
    end('failure', 1, 'ben');
    for (const caller of ['ann', 'ben', 'cid']) expect(breaker.admit(route, caller)).toBeNull();
  });

  it('is not that of another one who failed before and succeeded since', () => {
    const { breaker, end } = startBreaker();
    end('failure', 1, 'ben');
    end('success', 1, 'ben');
    end('failure', 19, 'ann');
    expect(breaker.admit(route, 'ann')).toBeNull();
    expect(breaker.admit(route, 'ben')).not.toBeNull();
  });

  it('is not that of another one who failed more than ten seconds ago', () => {
    const { breaker, end } = startBreaker();
    end('failure', 1, 'ben');
    vi.advanceTimersByTime(10_001);
    end('failure', 20, 'ann');
    expect(breaker.admit(route, 'ben')).not.toBeNull();
  });
});

describe('the probe of a circuit', () => {
  function startOpen() {
    const started = startBreaker();
    started.end('failure', 20);
    vi.advanceTimersByTime(500);
    const probe = started.breaker.admit(route, 'ann');
    if (probe === null) throw new Error('no probe');
    expect(started.breaker.admit(route, 'ann')).toBeNull();
    return { ...started, probe };
  }

  it('closes it, and earlier failures no longer count', () => {
    const { breaker, openCircuits, end, probe } = startOpen();
    probe('ann', 'success');
    expect(openCircuits).toEqual([1, 0]);
    end('failure', 17);
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });

  it('opens it again for half a second', () => {
    const { breaker, probe } = startOpen();
    probe('ann', 'failure');
    vi.advanceTimersByTime(499);
    expect(breaker.admit(route, 'ann')).toBeNull();
    vi.advanceTimersByTime(1);
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });

  it('is followed by another one at once if its client disconnects', () => {
    const { breaker, probe } = startOpen();
    probe('ann', 'unknown');
    expect(breaker.admit(route, 'ann')).not.toBeNull();
  });

  it('keeps no other call from being the next one for more than a second', () => {
    const { breaker, openCircuits, probe } = startOpen();
    vi.advanceTimersByTime(1000);
    const next = breaker.admit(route, 'ann');
    expect(breaker.admit(route, 'ann')).toBeNull();
    next?.('ann', 'success');
    probe('ann', 'failure'); // one failure of a closed circuit
    expect(breaker.admit(route, 'ann')).not.toBeNull();
    expect(openCircuits).toEqual([1, 0]);
  });
});

describe('a route of the DMS', () => {
  it.each([
    [502, true],
    [503, true],
    [504, true],
    [404, false],
    [500, false],
  ])('that answers %i is suspended: %s', async (status, isSuspended) => {
    const mock = createMockDms().reply('GET', /person/, '', { status });
    const http = testHttp(mock);
    const read = (n: number): Promise<unknown> =>
      new Dms(http, testCaller({ key: `caller-${n}` }), testBudget()).persons.get(`p${n}`);
    for (let n = 0; n < 30; n += 1) await read(n).catch(() => {});
    expect(mock.requests).toHaveLength(isSuspended ? 20 : 30);
    await expect(read(30)).rejects.toMatchObject(
      isSuspended
        ? {
            code: 'UPSTREAM_UNAVAILABLE',
            retryable: true,
            expected: 'a closed circuit breaker',
          }
        : { status },
    );
  });

  it('is suspended if it does not answer in time, and not by clients that disconnect', async () => {
    const mock = createMockDms().reply('GET', /person/, () => new Promise<never>(() => {}));
    const http = testHttp(mock, { timeoutMs: 5 });
    const patient = testHttp(mock, { timeoutMs: 60_000 });
    for (let n = 0; n < 25; n += 1) {
      const client = new AbortController();
      const leaving = new Dms(
        patient,
        testCaller(),
        testBudget({ signal: client.signal }),
      ).persons.get(`p${n}`);
      await expect.poll(() => mock.requests.length).toBe(n + 1);
      client.abort();
      await expect(leaving).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    for (let n = 0; n < 25; n += 1) {
      await new Dms(http, testCaller(), testBudget()).persons.get(`q${n}`).catch(() => {});
    }
    expect(mock.requests).toHaveLength(25 + 20);
  });
});
