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
  const end = (outcome: CallOutcome, times = 1): void => {
    for (let n = 0; n < times; n += 1) breaker.admit(route)?.(outcome);
  };
  return { breaker, openCircuits, end };
}

describe('a circuit', () => {
  it('opens after 20 failures, and for its route alone', () => {
    const { breaker, openCircuits, end } = startBreaker();
    end('failure', 19);
    expect(breaker.admit(route)).not.toBeNull();
    end('failure');
    expect(breaker.admit(route)).toBeNull();
    expect(breaker.admit('PUT /api/v2/person/{id}')).not.toBeNull();
    expect(openCircuits).toEqual([1]);
  });

  it('stays closed while a quarter of the calls succeed', () => {
    const { breaker, end } = startBreaker();
    for (let n = 0; n < 100; n += 1) end(n % 4 === 0 ? 'success' : 'failure');
    expect(breaker.admit(route)).not.toBeNull();
  });

  it('ignores calls that were cancelled', () => {
    const { breaker, end } = startBreaker();
    end('unknown', 1000);
    end('success', 4);
    end('failure', 19);
    expect(breaker.admit(route)).toBeNull();
  });

  it('counts the calls of ten seconds', () => {
    const { breaker, end } = startBreaker();
    for (let second = 0; second < 60; second += 1) {
      end('failure');
      vi.advanceTimersByTime(1000);
    }
    expect(breaker.admit(route)).not.toBeNull();
  });

  it('is not kept open by calls that were admitted before it opened', () => {
    const { breaker, end } = startBreaker();
    const early = breaker.admit(route);
    end('failure', 20);
    vi.advanceTimersByTime(499);
    early?.('failure');
    vi.advanceTimersByTime(1);
    expect(breaker.admit(route)).not.toBeNull();
  });
});

describe('the probe of a circuit', () => {
  function startOpen() {
    const started = startBreaker();
    started.end('failure', 20);
    vi.advanceTimersByTime(500);
    const probe = started.breaker.admit(route);
    if (probe === null) throw new Error('no probe');
    expect(started.breaker.admit(route)).toBeNull();
    return { ...started, probe };
  }

  it('closes it, and earlier failures no longer count', () => {
    const { breaker, openCircuits, end, probe } = startOpen();
    probe('success');
    expect(openCircuits).toEqual([1, 0]);
    end('failure', 17);
    expect(breaker.admit(route)).not.toBeNull();
  });

  it('opens it again for half a second', () => {
    const { breaker, probe } = startOpen();
    probe('failure');
    vi.advanceTimersByTime(499);
    expect(breaker.admit(route)).toBeNull();
    vi.advanceTimersByTime(1);
    expect(breaker.admit(route)).not.toBeNull();
  });

  it('is followed by another one at once if its client disconnects', () => {
    const { breaker, probe } = startOpen();
    probe('unknown');
    expect(breaker.admit(route)).not.toBeNull();
  });

  it('keeps no other call from being the next one for more than a second', () => {
    const { breaker, openCircuits, probe } = startOpen();
    vi.advanceTimersByTime(1000);
    const next = breaker.admit(route);
    expect(breaker.admit(route)).toBeNull();
    next?.('success');
    probe('failure'); // one failure of a closed circuit
    expect(breaker.admit(route)).not.toBeNull();
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
