import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { respondWith, startFailingDms, type Behaviour } from '../helpers/failing-dms.ts';
import { freePort } from '../helpers/free-port.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';

/** A DMS that can close its port and open it again. */
async function createUpstream() {
  const port = await freePort();
  const start = (behave: Behaviour) => startFailingDms(behave, port);
  const answer = respondWith(200, '{"_id":"5f0000000000000000000001","state":1}');
  let isSilent = false;
  let unanswered = 0;
  const behave: Behaviour = (...args) => {
    if (isSilent) unanswered += 1;
    else answer(...args);
  };
  let dms = await start(behave);
  return {
    url: dms.url,
    openSockets: () => dms.openSockets.size,
    /** Requests that it received and did not answer. */
    unanswered: () => unanswered,
    fallSilent: () => (isSilent = true),
    async up() {
      isSilent = false;
      dms = await start(behave);
    },
    down: () => dms[Symbol.asyncDispose](),
  };
}

it('survives an outage with 120 concurrent clients', async () => {
  const upstream = await createUpstream();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
  });
  // No time limit ends a request of this test, however long a busy machine takes for 120 of them.
  const { url, metrics } = await startGatewayBefore(upstream.url, {
    http: { retries: 2, connections: 64, timeoutMs: 120_000, maxWaitMs: 120_000 },
    server: { requestTimeoutMs: 120_000 },
  });
  const agent = new Agent({ connections: 120 });
  onTestFinished(() => agent.close());

  /** Requests different documents, so that few calls are shared. */
  const ask = async (n: number): Promise<string> => {
    const { body, statusCode } = await request(`${url}/graphql`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ document(id: "D-${n}") { state } }` }),
    });
    const { data, errors } = (await body.json()) as {
      data?: { document: { state: number } | null };
      errors?: { extensions: { code: string } }[];
    };
    const outcome = errors?.[0]?.extensions.code ?? (data?.document?.state === 1 ? 'OK' : '?');
    return `${statusCode} ${outcome}`;
  };
  /** The distinct responses of 120 clients. */
  const askAll = async (): Promise<string[]> => {
    const outcomes = await Promise.all(Array.from({ length: 120 }, (_, n) => ask(n)));
    return [...new Set(outcomes)];
  };

  expect(await askAll()).toEqual(['200 OK']);

  // It stops while one caller has the maximum number of running calls and the others are queued.
  upstream.fallSilent();
  const during = askAll();
  await expect.poll(upstream.unanswered).toBe(56); // the maximum of one caller
  await upstream.down();
  expect(await during).toEqual(['200 UPSTREAM_UNAVAILABLE']);
  expect(await askAll()).toEqual(['200 UPSTREAM_UNAVAILABLE']);
  expect(await metrics.text()).toMatch(/^gateway_upstream_open_circuits [1-9]$/m);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);

  await upstream.up();
  await expect.poll(() => ask(0)).toBe('200 OK');
  expect(await askAll()).toEqual(['200 OK']);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  expect(unhandled).toEqual([]);

  // All resources are released: no running call, no more sockets than pool and readiness need, and a closed breaker.
  expect(upstream.openSockets()).toBeLessThanOrEqual(64 + 1);
  const figures = await metrics.text();
  expect(figures).toMatch(/^gateway_upstream_calls_in_flight 0$/m);
  expect(figures).toMatch(/^gateway_requests_in_flight 0$/m);
  expect(figures).toMatch(/^gateway_upstream_open_circuits 0$/m);
});
