/**
 * Compares the gateway with another checkout of it: CPU per request in several processes of each. One process alone says
 * little, because V8 optimizes the same code differently from process to process, by up to 20 %.
 *
 *     npm run bench:beside -- --folder ../other --workloads W1,W5 --processes 5
 *
 * By default nothing is kept across requests; with `--defaults` both run with their default settings.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { GATEWAY, GATEWAY_ALONE } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import type { Loader } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import { median } from './harness/stats.ts';

const WARM_MS = 8000;
const SLOT_MS = 1500;
const ROUNDS = 5;

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    workloads: { type: 'string', default: 'W1,W5' },
    processes: { type: 'string', default: '5' },
    defaults: { type: 'boolean', default: false },
  },
});
if (values.folder === undefined) throw new Error('--folder of the other checkout is missing');
const own = values.defaults ? GATEWAY : GATEWAY_ALONE;
const other = { ...own, name: `${own.name}-beside`, cwd: values.folder };

const machine = describeMachine();
const upstream = await startUpstream(5);
const loader = startLoader();
const rows: (readonly [workload: string, cpuUs: number, otherCpuUs: number])[] = [];
try {
  for (const workload of values.workloads.split(',')) {
    for (let at = 0; at < Number(values.processes); at += 1) {
      const row = [workload, ...(await comparePair(workload))] as const;
      rows.push(row);
      process.stdout.write(`${row.join(' ')}\n`);
    }
  }
} finally {
  await loader.stop();
  await upstream.stop();
}

/** The median CPU time per request of a new process of each checkout, in µs. They take turns. */
async function comparePair(workload: string): Promise<readonly [number, number]> {
  const started = [await start(own, upstream.url), await start(other, upstream.url)] as const;
  try {
    for (const each of started) {
      await loader.order({ kind: 'check', url: each.url, workload });
      await cpuPerRequest(loader, each, workload, WARM_MS);
    }
    const slots: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        slots[at].push(await cpuPerRequest(loader, started[at], workload, SLOT_MS));
      }
    }
    return [median(slots[0]), median(slots[1])];
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
}

async function cpuPerRequest(
  { order }: Loader,
  { url, pid }: Started,
  workload: string,
  ms: number,
): Promise<number> {
  const before = cpuSeconds(pid);
  const figures = await order({ kind: 'load', url, workload, ms, inFlight: 32 });
  if (figures === undefined) throw new Error('no figures');
  return ((cpuSeconds(pid) - before) * 1e6) / figures.requests;
}

const summary = [...Map.groupBy(rows, ([workload]) => workload)].map(([workload, pairs]) => {
  const ratios = pairs.map(([, cpuUs, otherCpuUs]) => cpuUs / otherCpuUs);
  return [workload, figure(median(ratios), 2), ratios.map((ratio) => figure(ratio, 2)).join(', ')];
});
const text = `# CPU per request beside another checkout, ${new Date().toISOString()}

${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore}. ${values.defaults ? 'Default settings' : 'Nothing kept across requests'}; a new process of each for every ratio.

${table(['workload', 'median', 'ratio by process'], summary)}
`;
const folder = fileURLToPath(new URL('results/', import.meta.url));
writeFileSync(`${folder}beside.md`, text);
process.stdout.write(`\n${text}\nwritten to bench/results/beside.md\n`);
