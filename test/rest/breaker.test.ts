import { describe, expect, it } from 'vitest';
import { createDms } from '../../src/rest/dms.ts';
import type { Dms } from '../../src/rest/dms.ts';
import type { Http } from '../../src/rest/http.ts';
import { createMockDms, testCaller, testHttp, testOperation } from '../helpers/mock-dms.ts';

/** A service in which the id of a person is the status of the answer, and what the breaker said. */
function watched() {
  const states: string[] = [];
  const mock = createMockDms();
  for (const status of [200, 404, 500, 503]) {
    mock.reply('GET', `/api/v2/person/${status}`, { _id_sys: 'usr-a' }, { status });
  }
  const http = testHttp(mock, {}, { breakerChanged: (state) => states.push(state) });
  return { http, mock, states };
}

function dmsFor(http: Http): Dms {
  return createDms(http, testCaller(), testOperation());
}

async function askTimes(times: number, http: Http, status: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await dmsFor(http)
      .persons.get(String(status))
      .catch(() => {});
  }
}

const halfOpenAfterMs = 500;

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

describe('the breaker', () => {
  it('opens on 503s and then lets nothing through', async () => {
    const { http, mock, states } = watched();
    await askTimes(25, http, 503);
    expect(states).toEqual(['open']);
    expect(mock.requests).toHaveLength(20);
    await expect(dmsFor(http).persons.get('200')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
      expected: 'a closed circuit breaker',
    });
    expect(mock.requests).toHaveLength(20);
  });

  it.each([404, 500])('stays closed on any number of %i', async (status) => {
    const { http, mock, states } = watched();
    await askTimes(60, http, status);
    expect(states).toEqual([]);
    expect(mock.requests).toHaveLength(60);
  });

  it('stays closed when fewer than half of the calls fail', async () => {
    const { http, states } = watched();
    for (let n = 0; n < 20; n += 1) {
      await askTimes(2, http, 200);
      await askTimes(1, http, 503);
    }
    expect(states).toEqual([]);
  });

  it('probes after a while and closes on an answer', async () => {
    const { http, states } = watched();
    await askTimes(20, http, 503);
    await pass(halfOpenAfterMs + 50);
    const answers = await Promise.all([1, 2, 3].map(() => dmsFor(http).persons.get('200')));
    expect(answers).toHaveLength(3);
    expect(states).toEqual(['open', 'halfOpen', 'closed']);
  });

  it('opens again when its probe fails', async () => {
    const { http, mock, states } = watched();
    await askTimes(20, http, 503);
    await pass(halfOpenAfterMs + 50);
    await askTimes(5, http, 503);
    expect(states).toEqual(['open', 'halfOpen', 'open']);
    expect(mock.requests).toHaveLength(21);
  });

  it('lets nobody wait long for a probe that is silent, and sends none of them later', async () => {
    const { http, mock, states } = watched();
    const { promise: probed, resolve: answerProbe } = Promise.withResolvers<void>();
    mock.reply('GET', '/api/v2/person/slow', async () => {
      await probed;
      return { _id_sys: 'usr-a' };
    });
    mock.reply('POST', '/api/v2/person', { _id_sys: 'usr-a' });
    await askTimes(20, http, 503);
    await pass(halfOpenAfterMs + 50);
    const probe = dmsFor(http).persons.get('slow');
    await pass(20);
    const waiting = await Promise.allSettled([
      dmsFor(http).persons.get('200'),
      dmsFor(http).persons.update('usr-a', { firstName: 'A' }),
    ]);
    expect(waiting).toMatchObject([
      { status: 'rejected', reason: { code: 'UPSTREAM_UNAVAILABLE' } },
      { status: 'rejected', reason: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
    answerProbe();
    await probe;
    await pass(50);
    expect(states).toEqual(['open', 'halfOpen', 'closed']);
    expect(mock.requests.slice(20)).toEqual(['GET /api/v2/person/slow']);
  });

  it('does not take a client that left for a probe that succeeded', async () => {
    const { http, mock, states } = watched();
    mock.reply('GET', '/api/v2/person/never', () => new Promise(() => {}));
    await askTimes(20, http, 503);
    await pass(halfOpenAfterMs + 50);
    const client = new AbortController();
    const operation = testOperation({ signal: client.signal });
    const probe = createDms(http, testCaller(), operation).persons.get('never');
    await pass(1);
    client.abort();
    await expect(probe).rejects.toMatchObject({ code: 'CANCELLED' });
    await pass(1);
    expect(states).toEqual(['open', 'halfOpen', 'open']);
  });

  it('lets a client leave that waits for the probe of another', async () => {
    const { http, mock } = watched();
    mock.reply('GET', '/api/v2/person/never', () => new Promise(() => {}));
    await askTimes(20, http, 503);
    await pass(halfOpenAfterMs + 50);
    const prober = new AbortController();
    const probe = createDms(http, testCaller(), testOperation({ signal: prober.signal }))
      .persons.get('never')
      .catch(() => {});
    await pass(1);
    const client = new AbortController();
    const waiting = createDms(
      http,
      testCaller(),
      testOperation({ signal: client.signal }),
    ).organizations.remove('o1');
    await pass(1);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    prober.abort();
    await probe;
  });
});

describe('the queue for connections', () => {
  it('gives the place of a client that left to the next', async () => {
    const mock = createMockDms();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mock.reply('GET', /person/, async ({ path }) => {
      await released;
      return { _id_sys: path };
    });
    const http = testHttp(mock, { connections: 1 });
    const client = new AbortController();
    const holding = dmsFor(http).persons.get('a');
    const leaving = createDms(http, testCaller(), testOperation({ signal: client.signal }))
      .persons.get('b')
      .catch(() => 'left');
    const waiting = dmsFor(http).persons.get('c');
    client.abort();
    expect(await leaving).toBe('left');
    release();
    expect(await Promise.all([holding, waiting])).toHaveLength(2);
    expect(mock.requests).toEqual(['GET /api/v2/person/a', 'GET /api/v2/person/c']);
  });

  it('refuses at once what finds it full', async () => {
    const mock = createMockDms();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mock.reply('GET', /person/, async ({ path }) => {
      await released;
      return { _id_sys: path };
    });
    const http = testHttp(mock, { connections: 2, maxWaiting: 1 });
    const reads = ['a', 'b', 'c', 'd'].map((id) => dmsFor(http).persons.get(id));
    const outcomes = Promise.allSettled(reads);
    await expect(reads[3]).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      expected: 'a place in the queue',
    });
    expect(mock.requests).toHaveLength(2);
    release();
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });
});
