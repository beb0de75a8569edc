/**
 * What clients can do to the memory and the event loop of the gateway: pipelined requests, bodies that wait, many links
 * to files, and large responses of the DMS. Prints the resident memory and the longest wait of /healthz for each.
 *
 *     npm run bench:pressure
 *     npm run bench:pressure -- --folder ../other --only pipelined,bodies
 *
 * The gateway may use 1 GiB: a scope of systemd if `systemd-run` works, otherwise V8's limit in a container of that size,
 * and memory above 1 GiB is reported as exceeded. Each row has a process of its own. The clients and the DMS have a low
 * priority, because they share the processors with the gateway: a wait should be that of the gateway.
 */
import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { gateway } from './contestants/list.ts';
import { describeMachine } from './harness/machine.ts';
import { memory, resetPeak } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { freePort, start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import type { Pressure, Responses } from './pressure/load.ts';

const LIMIT_MIB = 1024;
/** The heap that V8 allows itself in a container of 1 GiB. */
const HEAP_MIB = 512;
const REST_MS = 10_000;

interface Attempt {
  readonly name: string;
  readonly title: string;
  readonly delayMs: number;
  readonly documentBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly load: Omit<Pressure, 'port'>;
}

const pipelined = (count: number, body: string): Pressure['requests'] => ({
  kind: 'pipelined',
  count,
  body,
});
const documentBody = (id: string): string =>
  `{"query":"query($i:ID!){document(id:$i){id shortId}}","variables":{"i":"${id}"}}`;
const aliases = Array.from({ length: 39 }, (_, at) => `a${at}:files{url}`).join(' ');
const linksBody = `{"query":"{documents(first:500){nodes{${aliases}}}}"}`;
const service = { IDENTITY: 'service', DMS_AUTHORIZATION: 'Bearer service' };

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
    delayMs: 0,
    load: { connections: 20, requests: pipelined(1000, '{"query":"{__typename}"}'), ms: 20_000 },
  },
  {
    name: 'bodies',
    title: '1,800 bodies of 1 MB without their last byte',
    delayMs: 0,
    load: { connections: 1800, requests: { kind: 'incomplete', bytes: 1_000_000 }, ms: 20_000 },
  },
  {
    name: 'links',
    title: '78,000 file links in one response',
    delayMs: 0,
    env: service,
    load: { connections: 1, requests: pipelined(1, linksBody), ms: 30_000 },
  },
  {
    name: 'answers',
    title: '1 document of 15 MiB',
    delayMs: 0,
    documentBytes: 15 * 2 ** 20,
    load: { connections: 1, requests: pipelined(1, documentBody('DOC-{id}')), ms: 30_000 },
  },
  {
    name: 'answers',
    title: '60 documents of 15 MiB at once',
    delayMs: 0,
    documentBytes: 15 * 2 ** 20,
    load: { connections: 60, requests: pipelined(1, documentBody('DOC-{id}')), ms: 60_000 },
  },
];

const { values } = parseArgs({
  options: { folder: { type: 'string' }, only: { type: 'string', default: '' } },
});
const only = values.only.split(',').filter((name) => name !== '');
const scope = findScope();
const machine = describeMachine();
const dmsPort = await freePort();
const dms = forkWithLowPriority('./pressure/dms.ts', { ...process.env, PORT: String(dmsPort) });
await once(dms, 'message');

function forkWithLowPriority(file: string, env = process.env): ChildProcess {
  const child = fork(pathOf(file), { env });
  setPriority(child.pid!, 10);
  return child;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** The command that runs a process with 1 GiB of memory. Undefined if this machine has none. */
function findScope(): readonly string[] | undefined {
  const command = ['systemd-run', '--quiet', '--scope'];
  const limits = ['-p', `MemoryMax=${LIMIT_MIB}M`, '-p', 'MemorySwapMax=0'];
  const isRoot = process.getuid?.() === 0;
  const all = [...command, ...(isRoot ? [] : ['--user']), ...limits];
  try {
    execFileSync(all[0]!, [...all.slice(1), 'true'], { stdio: 'ignore' });
    return all;
  } catch {
    return undefined;
  }
}

interface Outcome {
  readonly title: string;
  readonly responses: Responses;
  readonly before: number;
  readonly peak: number;
  /** Ten seconds after the connections have closed. Undefined: the process has ended. */
  readonly after: number | undefined;
  readonly longestWaitMs: number;
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
  await setDms(0); // /readyz asks it
  const contestant = { ...gateway('pressure', 'gateway', one.env), ...folderOf() };
  const flags = scope === undefined ? [`--max-old-space-size=${HEAP_MIB}`] : [];
  const started = await start(contestant, `http://127.0.0.1:${dmsPort}`, flags, scope);
  await setDms(one.delayMs, one.documentBytes);
  const load = forkWithLowPriority('./pressure/load.ts');
  try {
    return await measure(one, started, async () => {
      load.send({ ...one.load, port: Number(new URL(started.url).port) });
      const [responses] = (await once(load, 'message')) as [Responses];
      return responses;
    });
  } finally {
    load.disconnect();
    await started.stop();
  }
}

async function setDms(delayMs: number, documentBytes = 0): Promise<void> {
  const control = `http://127.0.0.1:${dmsPort}/control/${delayMs}/${documentBytes}`;
  await (await fetch(control, { method: 'POST' })).arrayBuffer();
}

function folderOf(): { cwd?: string } {
  return values.folder === undefined ? {} : { cwd: values.folder };
}

async function measure(
  { title }: Attempt,
  { url, pid }: Started,
  press: () => Promise<Responses>,
): Promise<Outcome> {
  const before = memoryOf(pid)?.rssMiB ?? 0;
  resetPeak(pid);
  let peak = before;
  const probe = fork(pathOf('./pressure/probe.ts'));
  probe.send({ url });
  await once(probe, 'message');
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid)?.peakMiB ?? 0);
  }, 50);
  const responses = await press();
  await sleep(REST_MS);
  clearInterval(sampler);
  probe.send({});
  const [longestWaitMs] = (await once(probe, 'message')) as [number];
  probe.disconnect();
  return { title, responses, before, peak, after: memoryOf(pid)?.rssMiB, longestWaitMs };
}

function rowOf({ title, responses, before, peak, after, longestWaitMs }: Outcome): string[] {
  const counts = Object.entries(responses).map(([status, count]) => `${count} × ${status}`);
  const exceeds = peak > LIMIT_MIB ? ' (exceeded)' : '';
  return [
    title,
    counts.join(', ') || 'none',
    figure(before, 0),
    `${figure(peak, 0)}${exceeds}`,
    after === undefined ? 'ended' : figure(after, 0),
    figure(longestWaitMs, 0),
  ];
}

const outcomes: Outcome[] = [];
try {
  for (const one of ATTEMPTS) {
    if (only.length > 0 && !only.includes(one.name)) continue;
    const outcome = await attempt(one);
    outcomes.push(outcome);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
} finally {
  dms.disconnect();
}

const limit =
  scope === undefined
    ? `no memory limit by the system (\`systemd-run\` does not work here), a V8 heap of ${HEAP_MIB} MiB`
    : `a memory limit of ${LIMIT_MIB} MiB`;
const text = `# The gateway under pressure, ${new Date().toISOString()}

${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore}; ${limit}. ${values.folder === undefined ? 'This checkout' : 'Another checkout'}.

${table(
  [
    'pressure',
    'responses',
    'before, MiB',
    'peak, MiB',
    'after, MiB',
    'longest wait of /healthz, ms',
  ],
  outcomes.map(rowOf),
)}
`;
writeFileSync(pathOf('results/pressure.md'), text);
process.stdout.write(`\n${text}\nwritten to bench/results/pressure.md\n`);
