import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { startGatewayBefore } from '../helpers/gateway.ts';

/** A DMS that can go away, port and all, and come back. */
async function createUpstream() {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  const upstream = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    openSockets: sockets,
    async up() {
      server = createServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        setTimeout(() => response.end('{"_id":"5f0000000000000000000001","state":1}'), 5);
      });
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
      });
      await new Promise<void>((resolve) => {
        server!.listen(port, '127.0.0.1', resolve);
      });
      port = (server.address() as AddressInfo).port;
    },
    async down() {
      for (const socket of sockets) socket.resetAndDestroy();
      await new Promise((resolve) => {
        server!.close(resolve);
      });
    },
  };
  await upstream.up();
  return upstream;
}

it('outlives five seconds without a DMS under 500 clients at once', async () => {
  const upstream = await createUpstream();
  onTestFinished(() => upstream.down());
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
  });
  const { url, metrics } = await startGatewayBefore(upstream.url, {
    http: { retries: 2, connections: 64 },
  });
  const agent = new Agent({ connections: 500 });
  onTestFinished(() => agent.close());

  const outcomes: { at: number; outcome: string }[] = [];
  const stop = new AbortController();
  const client = async (n: number): Promise<void> => {
    await pause(n % 250);
    while (!stop.signal.aborted) {
      const { body, statusCode } = await request(`${url}/graphql`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json' },
        // Different documents, so that few calls are shared.
        body: JSON.stringify({ query: `{ document(id: "D-${n}") { state } }` }),
      });
      const { data, errors } = (await body.json()) as {
        data?: { document: { state: number } | null };
        errors?: { extensions: { code: string } }[];
      };
      const outcome = errors?.[0]?.extensions.code ?? (data?.document?.state === 1 ? 'OK' : '?');
      outcomes.push({ at: performance.now(), outcome: `${statusCode} ${outcome}` });
      await pause(250);
    }
  };
  const clients = Array.from({ length: 500 }, (_, n) => client(n));
  await pause(1500);
  await upstream.down();
  const wentAt = performance.now();
  await pause(5000);
  expect(await metrics.text()).toMatch(/^gateway_upstream_breaker_state [12]$/m);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  await upstream.up();
  const cameAt = performance.now();
  await pause(3000);
  stop.abort();
  await Promise.all(clients);

  const kinds = new Set(outcomes.map(({ outcome }) => outcome));
  expect([...kinds].toSorted()).toEqual(['200 OK', '200 UPSTREAM_UNAVAILABLE']);
  const during = outcomes.filter(({ at }) => at > wentAt + 1000 && at < cameAt);
  expect(during.length).toBeGreaterThan(500);
  expect(new Set(during.map(({ outcome }) => outcome))).toEqual(
    new Set(['200 UPSTREAM_UNAVAILABLE']),
  );
  const after = outcomes.filter(({ at }) => at > cameAt + 2000);
  expect(after.length).toBeGreaterThan(100);
  expect(after.filter(({ outcome }) => outcome !== '200 OK')).toEqual([]);
  expect(unhandled).toEqual([]);

  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  // Nothing is left over: no call in flight, no more sockets than the pool holds and readiness needs, the breaker closed.
  expect(upstream.openSockets.size).toBeLessThanOrEqual(64 + 1);
  const figures = await metrics.text();
  expect(figures).toMatch(/^gateway_upstream_calls_in_flight 0$/m);
  expect(figures).toMatch(/^gateway_requests_in_flight 0$/m);
  expect(figures).toMatch(/^gateway_upstream_breaker_state 0$/m);
}, 30_000);
