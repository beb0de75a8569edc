/**
 * What clients that flood can do to a gateway behind deploy/nginx.conf. Prints its resident memory and the longest wait
 * of a query of another client for each flood. Needs Debian's nginx.
 *
 *     npm run bench:pressure
 *     npm run bench:pressure -- --folder ../other --only "JSON bodies"
 *
 * Each row has a gateway and an nginx of its own. The gateway is in a memory cgroup of 1 GiB. The flood and the DMS have
 * a low priority, because they share the processors with the gateway.
 *
 * Exits with code 1 if a gateway ended, and if no memory cgroup can be created: the run then proves nothing.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { gateway } from './contestants/list.ts';
import { createMemoryGroup } from './harness/cgroup.ts';
import { describeMachine } from './harness/machine.ts';
import { memory, resetPeak } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { freePort, start } from './harness/start.ts';
import { floods } from './pressure/floods.ts';
import { startNginx } from './pressure/nginx.ts';
import type { FloodResult } from './pressure/load.ts';

const LIMIT_MIB = 1024;
const HOLD_MS = 15_000;

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const { values } = parseArgs({
  options: { folder: { type: 'string' }, only: { type: 'string', default: '' } },
});
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

interface Outcome {
  readonly title: string;
  readonly statuses: FloodResult;
  readonly before: number;
  readonly peak: number;
  /** With all connections open. Undefined: the process has ended. */
  readonly open: number | undefined;
  readonly waitMs: number;
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

async function measure(index: number, title: string): Promise<Outcome> {
  const contestant = {
    ...gateway('pressure', 'gateway'),
    ...(values.folder !== undefined && { cwd: values.folder }),
  };
  const started = await start(contestant, `http://127.0.0.1:${dmsPort}`, [], group.wrapper);
  const nginx = await startNginx(started.url, await freePort());
  const probe = fork(pathOf('./pressure/probe.ts'));
  const load = forkWithLowPriority('./pressure/load.ts');
  try {
    probe.send({ url: nginx.url });
    await once(probe, 'message');
    const before = memoryOf(started.pid)?.rssMiB ?? 0;
    resetPeak(started.pid);
    load.send({ index, url: nginx.url, ms: HOLD_MS });
    const [statuses] = (await once(load, 'message')) as [FloodResult];
    const found = memoryOf(started.pid);
    probe.send({});
    const [waitMs] = (await once(probe, 'message')) as [number];
    return { title, statuses, before, peak: found?.peakMiB ?? 0, open: found?.rssMiB, waitMs };
  } finally {
    for (const child of [probe, load]) child.disconnect();
    await nginx.stop();
    await started.stop();
  }
}

const outcomes: Outcome[] = [];
try {
  for (const [index, { title, connections }] of floods.entries()) {
    if (!title.includes(values.only)) continue;
    const outcome = await measure(index, `${connections} × ${title}`);
    outcomes.push(outcome);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
  process.exitCode = outcomes.some(({ open }) => open === undefined) ? 1 : 0;
} finally {
  dms.disconnect();
  await sleep(100);
  group.remove();
}

function rowOf({ title, statuses, before, peak, open, waitMs }: Outcome): string[] {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return [
    title,
    counts.join(', ') || 'none',
    figure(before, 0),
    figure(peak, 0),
    open === undefined ? 'ended' : figure(open, 0),
    figure(waitMs, 0),
  ];
}

const text = `# The gateway behind nginx under pressure, ${new Date().toISOString()}

${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore}; a memory cgroup (${group.version}) of ${LIMIT_MIB} MiB. ${values.folder === undefined ? 'This checkout' : 'Another checkout'}.

${table(
  [
    'flood',
    'responses',
    'before, MiB',
    'peak, MiB',
    `after ${HOLD_MS / 1000} s, MiB`,
    'longest wait of a query, ms',
  ],
  outcomes.map(rowOf),
)}
`;
writeFileSync(pathOf('results/pressure.md'), text);
process.stdout.write(`\n${text}\nwritten to bench/results/pressure.md\n`);
