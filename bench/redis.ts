/**
 * What sharing through Redis costs, in about two minutes: one step beside memory and beside the DMS, how soon another
 * replica knows what a mutation changed, and the throughput of 1, 2 and 4 replicas. Needs redis-server.
 *
 *     npm run bench:redis
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSharedState } from '../src/features/redis/shared-state.ts';
import { RequestBudget } from '../src/rest/client/limits/request-budget.ts';
import { HttpClient } from '../src/rest/client/http-client.ts';
import { Dms } from '../src/rest/dms.ts';
import { gateway } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import type { Loader } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import { CALLERS } from './upstream/ids.ts';

const reads = 2000;
const mutations = 300;
const port = 7790;
const secret = 'a secret of more than 32 characters, for this bench';
const inFlight = 32;
const warmMs = 2500;
const slotMs = 4000;

const machine = describeMachine();
const redis = spawn('redis-server', ['--port', String(port), '--save', ''], { stdio: 'pipe' });
process.once('exit', () => redis.kill()); // also after an error
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
    replica: randomUUID(),
    url: `redis://127.0.0.1:${port}`,
    secret,
    baseUrl,
    cacheTtlMs,
    onChange: () => up.resolve(),
    onWritten({ resources }) {
      http.invalidate(resources);
      onMessage();
    },
  });
  const http = new HttpClient({
    baseUrl,
    runAsHeader: 'svc-run-as',
    timeoutMs: 5000,
    retries: 0,
    connections: 16,
    projection: true,
    cacheTtlMs,
    ...(usesRedis && { sharedCache: shared.cache }),
  });
  if (usesRedis) http.writes.on((write) => shared.cache.invalidate(write));
  await Promise.all([up.promise, subscribed.promise]);
  const caller = { key: 'ann', runAs: null, authorization: 'Bearer ann' };
  return {
    http,
    persons: () => {
      const budget = new RequestBudget({
        requestId: 'bench',
        signal: new AbortController().signal,
        timeoutMs: 10_000,
        maxCalls: 10,
        maxInFlight: 10,
      });
      return new Dms(http, caller, budget).persons;
    },
    shared,
    nextMessage: () => new Promise<void>((resolve) => (onMessage = resolve)),
    close: async () => {
      shared.close();
      await http.close();
    },
  };
}

/** Median and 99th percentile of `count` runs, in microseconds. */
async function measure(count: number, run: (nth: number) => Promise<unknown>): Promise<string[]> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const startedAt = performance.now();
    await run(nth);
    times.push((performance.now() - startedAt) * 1000);
  }
  times.sort((a, b) => a - b);
  return [0.5, 0.99].map((share) => figure(times[Math.floor(count * share)], 0));
}

const [one, other, alone] = [
  await startReplica(600_000, true),
  await startReplica(600_000, true),
  await startReplica(0, false),
];
for (let nth = 0; nth < reads; nth += 1) await one.persons().get(`usr-${nth}`);
await alone.persons().get('usr-0');

const steps: Record<string, string[]> = {
  'hit in memory': await measure(reads, (nth) => one.persons().get(`usr-${nth}`)),
  'hit in Redis': await measure(reads, (nth) => other.persons().get(`usr-${nth}`)),
  'read from an upstream that responds immediately': await measure(reads, (nth) =>
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
  'from the end of a document write until the other replica has received the message':
    await measure(mutations, async () => {
      const message = other.nextMessage();
      const document = { caller: 'ann', documentId: 'a'.repeat(24) };
      void one.shared.cache.invalidate({ resources: [], document });
      await message;
    }),
};
await Promise.all([one, other, alone].map((replica) => replica.close()));
service.close();

/** Requests a second of several replicas together, each with its share of the requests in flight. */
async function throughput(count: number, workload: string, usesRedis: boolean): Promise<string[]> {
  const upstream = await startUpstream(5);
  const env = usesRedis ? { REDIS_URL: `redis://127.0.0.1:${port}`, SHARED_SECRET: secret } : {};
  const replicas: (Started & { readonly loader: Loader })[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const replica = await start(gateway(`replica-${nth}`, 'replica', env), upstream.url);
    replicas.push({ ...replica, loader: startLoader() });
  }
  try {
    const load = (ms: number) =>
      Promise.all(
        replicas.map(({ loader, url }) =>
          loader.execute({ kind: 'load', url, workload, ms, inFlight: inFlight / count }),
        ),
      );
    for (const { loader, url } of replicas) await loader.execute({ kind: 'check', url, workload });
    await load(warmMs);
    await upstream.takeCounts();
    const cpu = () => replicas.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
    const before = cpu();
    const figures = await load(slotMs);
    const requests = figures.reduce((sum, each) => sum + (each?.requests ?? 0), 0);
    const calls = Object.values(await upstream.takeCounts()).reduce((sum, each) => sum + each, 0);
    return [
      figure(requests / (slotMs / 1000), 0),
      figure(((cpu() - before) * 1000) / requests, 3),
      figure(calls / requests, 2),
    ];
  } finally {
    await Promise.all(replicas.map(({ loader }) => loader.stop()));
    await Promise.all(replicas.map((replica) => replica.stop()));
    await upstream.stop();
  }
}

const rows: string[][] = [];
for (const workload of ['W1', 'W2']) {
  for (const count of [1, 2, 4]) {
    for (const usesRedis of [false, true]) {
      const name = `${workload}, ${count} ${count === 1 ? 'replica' : 'replicas'}`;
      const label = `${name}${usesRedis ? ', with Redis' : ''}`;
      rows.push([label, ...(await throughput(count, workload, usesRedis))]);
    }
  }
}
redis.kill();

process.stdout.write(
  [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load before ${machine.loadBefore}. ${CALLERS} callers, ${inFlight} requests in flight.`,
    table(
      ['step', 'p50 µs', 'p99 µs'],
      Object.entries(steps).map(([name, times]) => [name, ...times]),
    ),
    table(['load', 'requests/s', 'CPU ms/request', 'upstream calls/request'], rows),
    '',
  ].join('\n\n'),
);
