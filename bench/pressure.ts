/**
 * What clients can do to the memory and the event loop of the gateway: pipelined requests, bodies that wait, many links
 * to files, long lists and large responses of the DMS. Prints the resident memory and the longest wait of /healthz for
 * each.
 *
 *     npm run bench:pressure
 *     npm run bench:pressure -- --folder ../other --only pipelined,bodies
 *
 * Each row has a gateway of its own, in a memory cgroup of 1 GiB. The clients and the DMS have a low priority, because
 * they share the processors with the gateway: a wait should be that of the gateway.
 *
 * Exits with code 1 if a gateway ended, and if no memory cgroup can be created: the run then proves nothing.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { getIntrospectionQuery } from 'graphql';

import { gateway } from './contestants/list.ts';
import { createMemoryGroup } from './harness/cgroup.ts';
import { describeMachine } from './harness/machine.ts';
import { memory, resetPeak } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { freePort, start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import type { Incomplete, Pressure, Responses } from './pressure/load.ts';
import type { Waits } from './pressure/probe.ts';

const LIMIT_MIB = 1024;
const REST_MS = 15_000;
const TOOLS = 200;

interface Attempt {
  readonly name: string;
  readonly title: string;
  /** Default 0. */
  readonly delayMs?: number;
  readonly documentBytes?: number;
  /** Length of the lists of the DMS. */
  readonly listLength?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly load: Omit<Pressure, 'port'>;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const pipelined = (count: number, body: string, path = '/graphql'): Pressure['requests'] => ({
  kind: 'pipelined',
  count,
  path,
  body,
});
const incomplete = (
  connections: number,
  request: Partial<Incomplete> = {},
  ms = 20_000,
): Attempt['load'] => ({
  connections,
  requests: { kind: 'incomplete', bytes: 1_000_000, ...request },
  ms,
});
const single = (query: string): Omit<Pressure, 'port'> => ({
  connections: 1,
  requests: pipelined(1, JSON.stringify({ query })),
  ms: 60_000,
});
const documentBody = (id: string): string =>
  `{"query":"query($i:ID!){document(id:$i){id shortId}}","variables":{"i":"${id}"}}`;
const aliases = Array.from({ length: 39 }, (_, at) => `a${at}:files{url}`).join(' ');
const account = { DMS_AUTHORIZATION: 'Bearer service' };
const service = { IDENTITY: 'service', ...account };
const tools = pathOf('./results/.tmp/tools.json');

const ATTEMPTS: readonly Attempt[] = [
  {
    name: 'pipelined',
    title: '30 × 1,000 pipelined, different documents; DMS takes 2 s',
    delayMs: 2000,
    load: { connections: 30, requests: pipelined(1000, documentBody('DOC-{id}')), ms: 20_000 },
  },
  {
    name: 'pipelined',
    title: '30 × 1,000 pipelined, one document; DMS takes 2 s',
    delayMs: 2000,
    load: { connections: 30, requests: pipelined(1000, documentBody('DOC-1')), ms: 20_000 },
  },
  {
    name: 'pipelined',
    title: '60 × 1,000 pipelined, different documents; DMS hangs',
    delayMs: 600_000,
    load: { connections: 60, requests: pipelined(1000, documentBody('DOC-{id}')), ms: 20_000 },
  },
  {
    name: 'pipelined',
    title: '20 × 1,000 pipelined `{ __typename }`',
    load: { connections: 20, requests: pipelined(1000, '{"query":"{__typename}"}'), ms: 20_000 },
  },
  {
    name: 'local',
    title: '30 × 2,000 pipelined /metrics',
    load: {
      connections: 30,
      requests: { kind: 'pipelined', count: 2000, path: '/metrics' },
      ms: 300_000,
    },
  },
  {
    name: 'local',
    title: '20 × 50 pipelined introspection queries',
    load: {
      connections: 20,
      requests: pipelined(50, JSON.stringify({ query: getIntrospectionQuery() })),
      ms: 300_000,
    },
  },
  {
    name: 'local',
    title: `30 × 200 pipelined tools/list of ${TOOLS} tools`,
    env: { ...service, MCP: 'on', PERSISTED_DOCUMENTS: tools },
    load: {
      connections: 30,
      requests: pipelined(200, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', '/mcp'),
      ms: 300_000,
    },
  },
  {
    name: 'bodies',
    title: '1,800 bodies of 1 MB without their last byte',
    load: incomplete(1800),
  },
  {
    name: 'bodies',
    title: '800 multipart bodies of 1 MB without the end of `operations`',
    load: incomplete(800, { what: 'operations' }),
  },
  {
    name: 'rejected',
    title: '1,800 bodies of 1 MB with a token that is not valid',
    env: { IDENTITY: 'jwt', JWT_SECRET: 'pressure'.repeat(4), ...account },
    load: incomplete(1800),
  },
  {
    name: 'rejected',
    title: '1,800 bodies of 1 MB with `Content-Encoding: gzip`',
    load: incomplete(1800, { headers: ['content-encoding: gzip'] }),
  },
  {
    name: 'bodies',
    title: '1,800 bodies of 1 MB that expect `100 Continue`',
    load: incomplete(1800, { headers: ['expect: 100-continue'] }),
  },
  {
    name: 'bodies',
    title: '1,800 bodies of 1 MB to /mcp',
    env: { ...service, MCP: 'on', PERSISTED_DOCUMENTS: tools },
    load: incomplete(1800, { path: '/mcp' }),
  },
  {
    name: 'bodies',
    title: '800 bodies of 1 MB from clients that leave and come again',
    load: incomplete(800, { pace: 'again' }),
  },
  {
    name: 'uploads',
    title: '2,500 uploads of 200 KB without the end of their file',
    load: incomplete(2500, { what: 'file', bytes: 200_000 }),
  },
  {
    name: 'chunks',
    title: '400 bodies of 100,000 chunks of 1 byte',
    load: incomplete(400, { bytes: 100_000, chunkBytes: 1 }),
  },
  {
    name: 'chunks',
    title: '400 uploads of 100,000 chunks of 1 byte',
    load: incomplete(400, { what: 'file', bytes: 100_000, chunkBytes: 1 }),
  },
  {
    name: 'connections',
    title: '400 clients that connect, ask and leave, again and again',
    load: { connections: 400, requests: { kind: 'reconnecting', path: '/healthz' }, ms: 15_000 },
  },
  {
    name: 'connections',
    title: 'the same for /metrics',
    load: { connections: 400, requests: { kind: 'reconnecting', path: '/metrics' }, ms: 15_000 },
  },
  {
    name: 'heads',
    title: '8,000 heads of 15 KB without their end',
    load: incomplete(8000, { what: 'head', bytes: 15_000 }, 5000),
  },
  {
    name: 'heads',
    title: '8,000 heads of 15 KB in 100 parts',
    load: incomplete(8000, { what: 'head', bytes: 15_000, pace: 'slowly' }, 15_000),
  },
  {
    name: 'links',
    title: '78,000 file links in one response',
    env: service,
    load: single(`{documents(first:500){nodes{${aliases}}}}`),
  },
  {
    name: 'lists',
    title: 'a value with the IDs of 99,000 documents',
    listLength: 99_000,
    load: single('{document(id:"DOC-1"){inv{many{id}}}}'),
  },
  {
    name: 'lists',
    title: 'a unit with 99,000 members',
    listLength: 99_000,
    load: single('{orgUnit(id:"U-1"){members{email}}}'),
  },
  {
    name: 'answers',
    title: '1 document of 15 MiB',
    documentBytes: 15 * 2 ** 20,
    load: { connections: 1, requests: pipelined(1, documentBody('DOC-{id}')), ms: 30_000 },
  },
  {
    name: 'answers',
    title: '60 documents of 15 MiB at once',
    documentBytes: 15 * 2 ** 20,
    load: { connections: 60, requests: pipelined(1, documentBody('DOC-{id}')), ms: 60_000 },
  },
];

const { values } = parseArgs({
  options: { folder: { type: 'string' }, only: { type: 'string', default: '' } },
});
const only = values.only.split(',').filter((name) => name !== '');
const group = createMemoryGroup(LIMIT_MIB * 2 ** 20);
const machine = describeMachine();
const dmsPort = await freePort();
const dms = forkWithLowPriority('./pressure/dms.ts', { ...process.env, PORT: String(dmsPort) });
await once(dms, 'message');

function forkWithLowPriority(file: string, env = process.env): ChildProcess {
  const child = fork(pathOf(file), { env });
  setPriority(child.pid!, 10);
  return child;
}

/** A manifest of trusted documents with a description, which are tools. */
function toolDocuments(): string {
  const documents = Array.from({ length: TOOLS }, (_, at) => {
    const text = `# Reads document ${at}.\nquery Tool${at}($id: ID!) { document(id: $id) { id shortId state status files { name url } author { ... on Person { fullName email } } } }`;
    return [createHash('sha256').update(text).digest('hex'), text];
  });
  return JSON.stringify(Object.fromEntries(documents));
}

interface Outcome {
  readonly title: string;
  readonly responses: Responses;
  readonly before: number;
  readonly peak: number;
  /** After the responses, with all connections open. Undefined: the process has ended. */
  readonly open: number | undefined;
  /** `REST_MS` after the connections have closed. Undefined: the process has ended. */
  readonly after: number | undefined;
  readonly waits: Waits;
}

/** Undefined if the process has ended. */
function memoryOf(pid: number): ReturnType<typeof memory> | undefined {
  try {
    const found = memory(pid);
    return found.rssMiB === 0 ? undefined : found;
  } catch {
    return undefined;
  }
}

async function attempt(one: Attempt): Promise<Outcome> {
  await setDms({}); // /readyz asks it
  const contestant = {
    ...gateway('pressure', 'gateway', one.env),
    args: ['--config', pathOf('./pressure/gateway.config.ts')],
    ...folderOf(),
  };
  const started = await start(contestant, `http://127.0.0.1:${dmsPort}`, [], group.wrapper);
  await setDms(one);
  const load = forkWithLowPriority('./pressure/load.ts');
  try {
    return await measure(one, started, load);
  } finally {
    if (load.connected) load.disconnect();
    await started.stop();
  }
}

async function setDms({
  delayMs = 0,
  documentBytes = 0,
  listLength = 0,
}: Pick<Attempt, 'delayMs' | 'documentBytes' | 'listLength'>): Promise<void> {
  const control = `http://127.0.0.1:${dmsPort}/control/${delayMs}/${documentBytes}/${listLength}`;
  await (await fetch(control, { method: 'POST' })).arrayBuffer();
}

function folderOf(): { cwd?: string } {
  return values.folder === undefined ? {} : { cwd: values.folder };
}

async function measure(
  { title, load }: Attempt,
  { url, pid }: Started,
  clients: ChildProcess,
): Promise<Outcome> {
  const before = memoryOf(pid)?.rssMiB ?? 0;
  resetPeak(pid);
  let peak = before;
  const probe = fork(pathOf('./pressure/probe.ts'));
  probe.send({ url, pid });
  await once(probe, 'message');
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid)?.peakMiB ?? 0);
  }, 50);
  clients.send({ ...load, port: Number(new URL(url).port) });
  const [responses] = (await once(clients, 'message')) as [Responses];
  const open = memoryOf(pid)?.rssMiB;
  clients.disconnect();
  await sleep(REST_MS);
  clearInterval(sampler);
  probe.send({});
  const [waits] = (await once(probe, 'message')) as [Waits];
  probe.disconnect();
  return { title, responses, before, peak, open, after: memoryOf(pid)?.rssMiB, waits };
}

function rowOf({ title, responses, before, peak, open, after, waits }: Outcome): string[] {
  const counts = Object.entries(responses).map(([status, count]) => `${count} × ${status}`);
  return [
    title,
    counts.join(', ') || 'none',
    figure(before, 0),
    figure(peak, 0),
    open === undefined ? 'ended' : figure(open, 0),
    after === undefined ? 'ended' : figure(after, 0),
    figure(waits.waitMs, 0),
    figure(waits.cpuMs, 0),
  ];
}

const outcomes: Outcome[] = [];
try {
  mkdirSync(dirname(tools), { recursive: true });
  writeFileSync(tools, toolDocuments());
  for (const one of ATTEMPTS) {
    if (only.length > 0 && !only.includes(one.name)) continue;
    const outcome = await attempt(one);
    outcomes.push(outcome);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
  process.exitCode = outcomes.some(({ after }) => after === undefined) ? 1 : 0;
} finally {
  dms.disconnect();
  group.remove();
}

const text = `# The gateway under pressure, ${new Date().toISOString()}

${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore}; a memory cgroup (${group.version}) of ${LIMIT_MIB} MiB. ${values.folder === undefined ? 'This checkout' : 'Another checkout'}.

${table(
  [
    'pressure',
    'responses',
    'before, MiB',
    'peak, MiB',
    'connections open, MiB',
    `after ${REST_MS / 1000} s, MiB`,
    'longest wait of /healthz, ms',
    'CPU time of the gateway meanwhile, at most, ms',
  ],
  outcomes.map(rowOf),
)}
`;
writeFileSync(pathOf('results/pressure.md'), text);
process.stdout.write(`\n${text}\nwritten to bench/results/pressure.md\n`);
