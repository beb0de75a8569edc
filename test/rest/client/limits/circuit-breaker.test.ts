import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import type { HttpClientOptions } from '../../../../src/rest/client/http-client.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { respondWith, refusingUrl, startFailingDms } from '../../../helpers/failing-dms.ts';
import { testCaller, testHttpOptions, testBudget } from '../../../helpers/mock-dms.ts';
import { passable } from '../../../helpers/passable-clock.ts';

const halfOpenAfterMs = 500;
const maxProbeWaitMs = 1000;

interface Service {
  /** Status of the response. Null: no response. Default: 200. */
  answer: (path: string, request: IncomingMessage) => number | null;
}

/** Starts a service on a real socket and a client, and records the states of the breaker. */
async function startService(options: Partial<HttpClientOptions> = {}) {
  const service: Service = { answer: () => 200 };
  const server = await startFailingDms(
    (request, response, nth) => {
      const path = request.url ?? '';
      const status = service.answer(path, request);
      if (status === null) return;
      const id = path.split('?')[0]?.split('/').at(-1) ?? '';
      const body = path.includes('/view/') ? '[]' : JSON.stringify({ _id: id, _id_sys: id });
      respondWith(status, body)(request, response, nth);
    },
    await freePort(),
  );
  const states: string[] = [];
  const openCircuits: number[] = [];
  const http = new HttpClient(
    { ...testHttpOptions, baseUrl: options.baseUrl ?? server.url, ...options },
    {
      breakerChanged: (state) => states.push(state),
      circuitsChanged: (open) => openCircuits.push(open),
    },
  );
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await http.close(0);
  });
  return { service, server, http, states, openCircuits };
}

function dmsFor(http: HttpClient, key = 'ann', signal?: AbortSignal): Dms {
  return new Dms(http, testCaller({ key }), testBudget(signal ? { signal } : {}));
}

const noRequirements = new Set<never>();
const inAll = { view: 'ALL', filter: {}, page: { first: 0, pageSize: 1 } } as const;

/** Reads different persons by different callers, one after the other. */
async function askMany(http: HttpClient, times = 20, id = (n: number) => `p${n}`): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await dmsFor(http, `caller-${n}`)
      .persons.get(id(n))
      .catch(() => {});
  }
}

const refused = {
  code: 'UPSTREAM_UNAVAILABLE',
  retryable: true,
  expected: 'a closed circuit breaker',
};

describe('the circuit of an endpoint', () => {
  it('opens after 503s and rejects calls', async () => {
    const { service, server, http, openCircuits, states } = await startService();
    service.answer = () => 503;
    await askMany(http, 25);
    expect(server.requests).toHaveLength(20);
    await expect(dmsFor(http, 'new').persons.get('new')).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(20);
    expect(openCircuits).toEqual([1]);
    expect(states).toEqual([]);
  });

  it.each([404, 500])('stays closed on any number of %i', async (status) => {
    const { service, server, http, openCircuits } = await startService();
    service.answer = () => status;
    await askMany(http, 60);
    expect(openCircuits).toEqual([]);
    expect(server.requests).toHaveLength(60);
  });

  it('stays closed when fewer than half of the calls fail', async () => {
    const { service, http, openCircuits } = await startService();
    service.answer = (path) => (path.endsWith('bad') ? 503 : 200);
    await askMany(http, 60, (n) => (n % 3 === 0 ? `${n}bad` : `${n}`));
    expect(openCircuits).toEqual([]);
  });

  it('does not affect reads of another endpoint', async () => {
    const { service, http, states } = await startService();
    service.answer = (path) => (path.includes('/view/') ? 504 : 200);
    const failing = Array.from({ length: 60 }, (_, n) =>
      dmsFor(http, `caller-${n}`).documents.inView(inAll, noRequirements),
    );
    const healthy = Array.from({ length: 167 }, (_, n) => dmsFor(http, 'bob').persons.get(`p${n}`));
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(dmsFor(http).documents.inView(inAll, noRequirements)).rejects.toMatchObject(
      refused,
    );
    expect(await Promise.all(healthy)).toHaveLength(167);
    expect(await dmsFor(http, 'bob').documents.get('d1', noRequirements)).toEqual({ fullId: 'd1' });
    expect(states).toEqual([]);
  });

  it('rejects only the caller whose calls failed', async () => {
    const { service, server, http } = await startService();
    service.answer = (path) => (path.includes('bad') ? 504 : 200);
    for (let n = 0; n < 30; n += 1)
      await dmsFor(http, 'ann')
        .persons.get(`bad${n}`)
        .catch(() => {});
    expect(server.requests).toHaveLength(20);
    await expect(dmsFor(http, 'ann').persons.get('p1')).rejects.toMatchObject(refused);
    expect(await dmsFor(http, 'bob').persons.get('p1')).toMatchObject({ systemId: 'p1' });
  });

  it('rejects only the document that fails', async () => {
    const { service, server, http } = await startService();
    service.answer = (path) => (path.includes('/bad') ? 504 : 200);
    for (let n = 0; n < 30; n += 1) {
      const requirements = new Set(
        n % 2 === 0 ? (['state'] as const) : (['step', 'files'] as const),
      );
      await dmsFor(http, `caller-${n}`)
        .documents.get('bad', requirements)
        .catch(() => {});
    }
    expect(server.requests).toHaveLength(20);
    const requirements = new Set(['meta'] as const);
    await expect(dmsFor(http).documents.get('bad', requirements)).rejects.toMatchObject(refused);
    expect(await dmsFor(http).documents.get('good', requirements)).toMatchObject({
      fullId: 'good',
    });
  });

  it('closes when other callers succeed', async () => {
    const { service, http, openCircuits } = await startService();
    service.answer = (path) => (path.includes('bad') ? 504 : 200);
    for (let n = 0; n < 20; n += 1)
      await dmsFor(http, 'ann')
        .persons.get(`bad${n}`)
        .catch(() => {});
    await askMany(http, 49);
    expect(openCircuits).toEqual([1]);
    await askMany(http, 1);
    expect(openCircuits).toEqual([1, 0]);
  });

  it('ignores calls of disconnected clients', async () => {
    const { service, server, http, openCircuits } = await startService();
    service.answer = () => null;
    for (let n = 1; n <= 30; n += 1) {
      const client = new AbortController();
      const read = dmsFor(http, `caller-${n}`, client.signal).persons.get(`p${n}`);
      await expect.poll(() => server.requests.length, { interval: 1 }).toBe(n);
      client.abort();
      await expect(read).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    expect(openCircuits).toEqual([]);
  });
});

/** A service with an open circuit for persons, and a clock that the test advances. */
async function startWithOpenCircuit(...options: Parameters<typeof startService>) {
  const pass = passable();
  const started = await startService(...options);
  started.service.answer = () => 503;
  await askMany(started.http);
  return { pass, ...started };
}

describe('a probe', () => {
  it('closes the circuit for all waiting calls', async () => {
    const { pass, service, server, http, openCircuits } = await startWithOpenCircuit();
    service.answer = () => 200;
    pass(halfOpenAfterMs);
    const reads = [1, 2, 3].map((n) => dmsFor(http).persons.get(`p${n}`));
    expect(await Promise.all(reads)).toHaveLength(3);
    expect(server.requests).toHaveLength(23);
    expect(openCircuits).toEqual([1, 0]);
  });

  it('opens the circuit again if it fails', async () => {
    const { pass, server, http, openCircuits } = await startWithOpenCircuit();
    pass(halfOpenAfterMs);
    await askMany(http, 5);
    expect(openCircuits).toEqual([1]);
    expect(server.requests).toHaveLength(21);
  });

  it('is replaced at once if its client disconnects', async () => {
    const { pass, service, server, http, openCircuits } = await startWithOpenCircuit();
    service.answer = (path) => (path.endsWith('/never') ? null : 200);
    pass(halfOpenAfterMs);
    for (let n = 0; n < 5; n += 1) {
      const client = new AbortController();
      const probe = dmsFor(http, 'ann', client.signal).persons.get('never');
      await expect.poll(() => server.requests.length, { interval: 1 }).toBe(21 + n);
      client.abort();
      await expect(probe).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    const client = new AbortController();
    const probe = dmsFor(http, 'ann', client.signal).persons.get('never');
    const waiting = Array.from({ length: 12 }, (_, n) => dmsFor(http, 'bob').persons.get(`p${n}`));
    await expect.poll(() => server.requests.length, { interval: 1 }).toBe(26);
    client.abort();
    await expect(probe).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await Promise.all(waiting)).toHaveLength(12);
    expect(openCircuits).toEqual([1, 0]);
  });

  it('delays other calls by at most a second', async () => {
    const { pass, service, server, http, openCircuits } = await startWithOpenCircuit();
    service.answer = (path) => (path.endsWith('/never') ? null : 200);
    pass.stopClock();
    pass(halfOpenAfterMs);
    const client = new AbortController();
    const probe = dmsFor(http, 'ann', client.signal).persons.get('never');
    await expect.poll(() => server.requests.length, { interval: 1 }).toBe(21);
    pass(maxProbeWaitMs - 1);
    await expect(dmsFor(http).persons.get('early')).rejects.toMatchObject(refused);
    pass(1);
    expect(await dmsFor(http).persons.get('later')).toMatchObject({ systemId: 'later' });
    expect(openCircuits).toEqual([1, 0]);
    expect(server.requests.slice(20)).toEqual([
      'GET /api/v2/person/never',
      'GET /api/v2/person/later',
    ]);
    client.abort();
    await expect(probe).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('does not block a client that disconnects', async () => {
    const { pass, service, server, http } = await startWithOpenCircuit();
    service.answer = () => null;
    pass(halfOpenAfterMs);
    const prober = new AbortController();
    const probe = dmsFor(http, 'ann', prober.signal).persons.get('p1');
    await expect.poll(() => server.requests.length, { interval: 1 }).toBe(21);
    const client = new AbortController();
    const waiting = dmsFor(http, 'bob', client.signal).persons.get('p2');
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    prober.abort();
    await expect(probe).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.requests).toHaveLength(21);
  });

  it('occupies no connections of waiting calls', async () => {
    const { pass, service, server, http } = await startWithOpenCircuit({ connections: 3 });
    service.answer = (path) => (path.includes('/person/') ? null : 200);
    pass(halfOpenAfterMs);
    const client = new AbortController();
    const waiting = Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => dmsFor(http, 'ann', client.signal).persons.get(`p${n}`)),
    );
    await expect.poll(() => server.requests.length, { interval: 1 }).toBe(21);
    expect(await dmsFor(http, 'bob').documents.get('d1', noRequirements)).toEqual({ fullId: 'd1' });
    client.abort();
    await waiting;
  });

  it('of a failing caller blocks only that caller', async () => {
    const { pass, service, http } = await startWithOpenCircuit();
    service.answer = (path) => (path.includes('bad') ? 504 : 200);
    for (let n = 0; n < 10; n += 1) {
      pass(halfOpenAfterMs);
      await expect(dmsFor(http, 'ann').persons.get(`bad${n}`)).rejects.toMatchObject({
        status: 504,
      });
    }
    await expect(dmsFor(http, 'ann').persons.get('bad')).rejects.toMatchObject(refused);
    expect(await dmsFor(http, 'bob').persons.get('p1')).toMatchObject({ systemId: 'p1' });
  });
});

describe('the whole service', () => {
  it('counts as unavailable if connections are refused', async () => {
    const pass = passable();
    const { server, http, states, openCircuits } = await startService({
      baseUrl: await refusingUrl(),
    });
    for (let n = 0; n < 20; n += 1)
      await dmsFor(http)
        .persons.get('p1')
        .catch(() => {});
    await expect(dmsFor(http, 'bob').documents.get('d1', noRequirements)).rejects.toMatchObject(
      refused,
    );
    await expect(dmsFor(http, 'bob').organizations.remove('o1')).rejects.toMatchObject(refused);
    pass(halfOpenAfterMs);
    await expect(dmsFor(http, 'bob').documents.get('d1', noRequirements)).rejects.toMatchObject({
      expected: 'a stable connection',
    });
    await expect(dmsFor(http).persons.get('p1')).rejects.toMatchObject(refused);
    expect(states).toEqual(['open', 'halfOpen', 'open']);
    expect(openCircuits).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('counts as unavailable despite few calls', async () => {
    const { pass, server, http, states, openCircuits } = await startWithOpenCircuit();
    await server[Symbol.asyncDispose]();
    for (let n = 0; n < 3; n += 1) {
      expect(states).toEqual([]);
      pass(halfOpenAfterMs);
      await askMany(http, 5);
    }
    expect(states).toEqual(['open']);
    expect(openCircuits).toEqual([1]);
    await expect(dmsFor(http, 'bob').documents.get('d1', noRequirements)).rejects.toMatchObject(
      refused,
    );
  });

  it('recovers with the first response', async () => {
    const pass = passable();
    const url = await refusingUrl();
    const { http, states } = await startService({ baseUrl: url });
    for (let n = 0; n < 20; n += 1)
      await dmsFor(http)
        .persons.get('p1')
        .catch(() => {});
    await using back = await startFailingDms(
      respondWith(200, '{"_id":"d1","_id_sys":"p1"}'),
      Number(new URL(url).port),
    );
    pass(halfOpenAfterMs);
    await Promise.all([
      dmsFor(http, 'bob').documents.get('d1', noRequirements),
      dmsFor(http).persons.get('p1'),
    ]);
    expect(states).toEqual(['open', 'halfOpen', 'closed']);
    expect(back.requests).toHaveLength(2);
  });

  const askAll = async (http: HttpClient, n: number): Promise<void> => {
    const dms = dmsFor(http, `caller-${n}`);
    await Promise.allSettled([
      dms.persons.get(`p${n}`),
      dms.documents.get(`d${n}`, noRequirements),
      dms.organizations.get(`o${n}`),
    ]);
  };

  it('counts as unavailable if three resources fail', async () => {
    const pass = passable();
    const { service, server, http, states, openCircuits } = await startService();
    service.answer = () => 504;
    for (let n = 0; n < 20; n += 1) await askAll(http, n);
    expect(openCircuits).toEqual([1, 2, 3]);
    expect(states).toEqual(['open']);
    await expect(dmsFor(http).orgUnits.get('unit1')).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(60);
    service.answer = () => 200;
    pass(halfOpenAfterMs);
    await dmsFor(http).orgUnits.get('unit1');
    expect(states).toEqual(['open', 'halfOpen', 'closed']);
  });

  it('stays available if a probe fails after a later one succeeded', async () => {
    const pass = passable();
    const { service, server, http, states } = await startService();
    service.answer = () => 504;
    for (let n = 0; n < 20; n += 1) await askAll(http, n);
    const hanging: IncomingMessage[] = [];
    service.answer = (path, request) => {
      if (!path.endsWith('/never')) return 200;
      hanging.push(request);
      return null;
    };
    pass(halfOpenAfterMs);
    const early = dmsFor(http).orgUnits.get('never');
    await expect.poll(() => server.requests.length, { interval: 1 }).toBe(61);
    pass(maxProbeWaitMs);
    await dmsFor(http).orgUnits.get('unit1');
    hanging[0]?.socket.destroy();
    await expect(early).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await dmsFor(http).orgUnits.get('unit2')).toMatchObject({ systemId: 'unit2' });
    expect(states).toEqual(['open', 'halfOpen', 'halfOpen', 'closed']);
  });

  it('counts as available if one resource responds', async () => {
    const { service, http, states, openCircuits } = await startService();
    service.answer = (path) => (path.includes('/orgUnit/') ? 200 : 504);
    for (let n = 0; n < 60; n += 1) {
      const dms = dmsFor(http, `caller-${n}`);
      const read = [dms.persons, dms.organizations].at(Math.floor(n / 20));
      await (read?.get(`x${n}`) ?? dms.documents.get(`x${n}`, noRequirements)).catch(() => {});
      await dms.orgUnits.get(`unit${n}`);
    }
    expect(openCircuits).toEqual([1, 2, 3]);
    expect(states).toEqual([]);
  });

  it('stays available for others if one caller fails', async () => {
    const { service, http } = await startService();
    service.answer = (path) => (path.includes('bad') ? 504 : 200);
    for (let n = 0; n < 20; n += 1) {
      const dms = dmsFor(http, 'ann');
      await Promise.allSettled([
        dms.persons.get(`bad${n}`),
        dms.documents.get(`bad${n}`, noRequirements),
        dms.organizations.get(`bad${n}`),
      ]);
    }
    await expect(dmsFor(http, 'ann').orgUnits.get('unit1')).rejects.toMatchObject(refused);
    expect(await dmsFor(http, 'bob').orgUnits.get('unit1')).toMatchObject({ systemId: 'unit1' });
  });
});
