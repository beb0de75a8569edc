/*
 * What a hit in Redis costs beside memory and beside the DMS, and how soon another replica has dropped what a mutation
 * changed. Needs redis-server; the DMS is a local server that answers at once.
 *
 *   node bench/redis.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSharedState } from '../src/redis/index.ts';
import { createRequestBudget } from '../src/rest/client/resilience/request-budget.ts';
import { createHttpClient } from '../src/rest/client/http-client.ts';
import { createDms } from '../src/rest/dms.ts';

const reads = 2000;
const mutations = 300;
const port = 7790;

const redis = spawn('redis-server', ['--port', String(port), '--save', ''], { stdio: 'pipe' });
for await (const chunk of redis.stdout) {
  if (String(chunk).includes('Ready to accept connections')) break;
}
const person = JSON.stringify({ _id_sys: 'usr-a', email: 'a@example.com', note: 'x'.repeat(500) });
const service = createServer((request, response) => {
  request.resume().on('end', () => response.end(person));
}).listen(0, '127.0.0.1');
await once(service, 'listening');
const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

async function startReplica(cacheTtlMs: number, usesRedis: boolean) {
  const up = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  let onMessage = subscribed.resolve;
  const shared = createSharedState({
    url: `redis://127.0.0.1:${port}`,
    secret: 'a secret of more than 32 characters, for this bench',
    baseUrl,
    cacheTtlMs,
    onChange: () => up.resolve(),
    onWritten({ resources }) {
      http.invalidate(resources);
      onMessage();
    },
  });
  const http = createHttpClient({
    baseUrl,
    runAsHeader: 'svc-run-as',
    timeoutMs: 5000,
    retries: 0,
    connections: 16,
    projection: true,
    cacheTtlMs,
    ...(usesRedis && {
      sharedCache: shared.cache,
      onWrite: (resources, document) => shared.cache.invalidate({ resources, document }),
    }),
  });
  await Promise.all([up.promise, subscribed.promise]);
  const caller = { key: 'ann', runAs: null, authorize: () => 'Bearer ann' };
  return {
    http,
    persons: () => {
      const budget = createRequestBudget({
        requestId: 'bench',
        signal: new AbortController().signal,
        timeoutMs: 10_000,
        maxCalls: 10,
        maxInFlight: 10,
      });
      return createDms(http, caller, budget).persons;
    },
    nextMessage: () => new Promise<void>((resolve) => (onMessage = resolve)),
    close: async () => {
      shared.close();
      await http.close();
    },
  };
}

/** Median and 99th percentile of `count` runs, in microseconds. */
async function measure(count: number, run: (nth: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const startedAt = performance.now();
    await run(nth);
    times.push((performance.now() - startedAt) * 1000);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(count * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`;
}

const [one, other, alone] = [
  await startReplica(600_000, true),
  await startReplica(600_000, true),
  await startReplica(0, false),
];
for (let nth = 0; nth < reads; nth += 1) await one.persons().get(`usr-${nth}`);
await alone.persons().get('usr-0');

const results = {
  'hit in memory': await measure(reads, (nth) => one.persons().get(`usr-${nth}`)),
  'hit in Redis': await measure(reads, (nth) => other.persons().get(`usr-${nth}`)),
  'read from the DMS (answers at once)': await measure(reads, (nth) =>
    alone.persons().get(`usr-${nth}`),
  ),
  'mutation without Redis': await measure(mutations, () => alone.persons().update('usr-a', {})),
  'mutation, invalidation confirmed by Redis': await measure(mutations, () =>
    one.persons().update('usr-a', {}),
  ),
  'from the start of a mutation until the other replica has dropped the data': await measure(
    mutations,
    async () => {
      const message = other.nextMessage();
      await Promise.all([one.persons().update('usr-a', {}), message]);
    },
  ),
};
for (const [name, result] of Object.entries(results)) {
  process.stdout.write(`${name}: ${result}\n`);
}

await Promise.all([one, other, alone].map((replica) => replica.close()));
service.close();
redis.kill();
