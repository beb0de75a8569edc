/**
 * What a 304 costs beside a 200: CPU time of the gateway and bytes of the response, for a GET of a trusted document
 * that reads cached reference data only.
 *
 *     npm run bench:caching -- --requests 5000
 */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { gateway as gatewayWith } from './contestants/list.ts';
import { startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import { median } from './harness/stats.ts';
import { credentials, personId } from './upstream/ids.ts';

const ROUNDS = 5;
const CONCURRENCY = 16;

const { values } = parseArgs({ options: { requests: { type: 'string', default: '5000' } } });
const requests = Number(values.requests);

const persons = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, at) => `p${at}: person(id: "${personId(at)}") { id email fullName unitName officePhone meta { revision } }`).join(' ')} }`;
const documents = { 'one person': persons(1), '20 persons': persons(20) };

const { authorization, runAs } = credentials(0);
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

/** Sends one request and resolves with the status, the ETag and the number of bytes of head and body. */
function get(url: string, id: string, etag: string | null) {
  return new Promise<{ status: number; etag: string; bytes: number }>((resolve, reject) => {
    const headers = {
      authorization,
      'svc-run-as': runAs,
      accept: 'application/json',
      'apollo-require-preflight': '1',
      ...(etag !== null && { 'if-none-match': etag }),
    };
    const path = `${url}/graphql?documentId=${id}`;
    request(path, { agent, headers }, (response) => {
      let bytes = response.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, etag: response.headers.etag ?? '', bytes }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const directory = mkdtempSync(join(tmpdir(), 'bench-caching-'));
const manifest = join(directory, 'manifest.json');
const entries = Object.values(documents).map((text) => [hash('sha256', text), text]);
writeFileSync(manifest, JSON.stringify(Object.fromEntries(entries)));
const upstream = await startUpstream(5);
const settings = { PERSISTED_DOCUMENTS: manifest, CACHE_TTL_MS: '3600000' };
const gateway = await start(gatewayWith('gateway', 'gateway', settings), upstream.url);

/** Microseconds of CPU time of the gateway per request, and bytes per response. */
async function measure(id: string, etag: string | null, expected: number) {
  const before = cpuSeconds(gateway.pid);
  let left = requests;
  let bytes = 0;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const one = await get(gateway.url, id, etag);
      if (one.status !== expected) throw new Error(`status ${one.status}, not ${expected}`);
      ({ bytes } = one);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  return { cpuUs: ((cpuSeconds(gateway.pid) - before) / requests) * 1e6, bytes };
}

try {
  const { cpu, cores, node, loadBefore } = describeMachine();
  const rows: string[][] = [];
  for (const [name, text] of Object.entries(documents)) {
    const id = hash('sha256', text);
    const { etag } = await get(gateway.url, id, null);
    const figures = { 200: [] as number[], 304: [] as number[] };
    const bytes = { 200: 0, 304: 0 };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const status of [200, 304] as const) {
        const one = await measure(id, status === 304 ? etag : null, status);
        bytes[status] = one.bytes;
        if (round > 0) figures[status].push(one.cpuUs); // the first round warms up
      }
    }
    for (const status of [200, 304] as const) {
      rows.push([name, String(status), figure(median(figures[status]), 0), String(bytes[status])]);
    }
  }
  process.stdout.write(
    `${cpu}, ${cores} cores, Node ${node}, load before ${loadBefore}; ${ROUNDS} rounds of ${requests} requests\n\n${table(['result', 'status', 'CPU, µs a request', 'bytes a response'], rows)}\n`,
  );
} finally {
  agent.destroy();
  await gateway.stop();
  await upstream.stop();
  rmSync(directory, { recursive: true });
}
