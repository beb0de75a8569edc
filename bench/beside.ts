/**
 * Compares the gateway with another checkout of it or with a peer: CPU per request and throughput in several processes
 * of each. One process alone says little, because V8 optimizes the same code differently from process to process, by up
 * to 20 %.
 *
 *     npm run bench:beside -- --folder ../other --workloads W1,W5 --processes 5
 *     npm run bench:beside -- --peer mercurius --workloads W2,W4
 *     npm run bench:beside -- --peer raw --workloads W4 --in-flight 1
 *
 * By default both run with no cache or sharing across requests; with `--defaults` both run with their default settings.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { contestantNamed, GATEWAY, GATEWAY_ALONE } from './contestants/list.ts';
import type { Contestant } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import type { Loader } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import { median } from './harness/stats.ts';

const SLOT_MS = 1500;
const WARM_ROUNDS = 5;
const ROUNDS = 5;

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    peer: { type: 'string' },
    workloads: { type: 'string', default: 'W1,W5' },
    processes: { type: 'string', default: '5' },
    'in-flight': { type: 'string', default: '32' },
    defaults: { type: 'boolean', default: false },
  },
});
const inFlight = Number(values['in-flight']);
const own = values.defaults ? GATEWAY : GATEWAY_ALONE;
const other = otherContestant();

const machine = describeMachine();
const upstream = await startUpstream(5);
const loader = startLoader();
const pairs: { readonly workload: string; readonly own: Load; readonly other: Load }[] = [];
try {
  for (const workload of values.workloads.split(',')) {
    for (let at = 0; at < Number(values.processes); at += 1) {
      const pair = { workload, ...(await comparePair(workload)) };
      pairs.push(pair);
      process.stdout.write(`${JSON.stringify(pair)}\n`);
    }
  }
} finally {
  await loader.stop();
  await upstream.stop();
}

interface Load {
  /** CPU time per request in µs. */
  readonly cpuUs: number;
  readonly requestsPerSecond: number;
}

/** The other checkout or the peer. @throws {Error} if neither is given, or there is no such peer */
function otherContestant(): Contestant {
  const { folder, peer } = values;
  if (folder !== undefined) return { ...own, name: `${own.name}-beside`, cwd: folder };
  if (peer === undefined) throw new Error('--folder or --peer is missing');
  return contestantNamed(peer);
}

/** The medians of a new process of each. They take turns. */
async function comparePair(workload: string): Promise<{ own: Load; other: Load }> {
  const started = [await start(own, upstream.url), await start(other, upstream.url)] as const;
  try {
    for (const { url } of started) await loader.execute({ kind: 'check', url, workload });
    const slots: [Load[], Load[]] = [[], []];
    // Rounds that do not count. In them, too, the processes take turns: V8 reduces the heap of a process that is idle for
    // eight seconds, which costs the requests that follow more collections.
    for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const measured = await load(loader, started[at], workload, SLOT_MS);
        if (round >= 0) slots[at].push(measured);
      }
    }
    return { own: medians(slots[0]), other: medians(slots[1]) };
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
}

function medians(loads: readonly Load[]): Load {
  return {
    cpuUs: median(loads.map(({ cpuUs }) => cpuUs)),
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  };
}

async function load(
  { execute }: Loader,
  { url, pid }: Started,
  workload: string,
  ms: number,
): Promise<Load> {
  const cpuBefore = cpuSeconds(pid);
  const figures = await execute({ kind: 'load', url, workload, ms, inFlight });
  if (figures === undefined) throw new Error('no figures');
  return {
    cpuUs: ((cpuSeconds(pid) - cpuBefore) * 1e6) / figures.requests,
    requestsPerSecond: figures.requests / figures.seconds,
  };
}

function ratiosOf(
  loads: readonly { readonly own: Load; readonly other: Load }[],
  figureName: keyof Load,
): readonly [medianRatio: string, byProcess: string] {
  const ratios = loads.map((pair) => pair.own[figureName] / pair.other[figureName]);
  return [figure(median(ratios), 2), ratios.map((ratio) => figure(ratio, 2)).join(', ')];
}

const summary = [...Map.groupBy(pairs, ({ workload }) => workload)].map(([workload, loads]) => [
  workload,
  ...ratiosOf(loads, 'cpuUs'),
  ...ratiosOf(loads, 'requestsPerSecond'),
]);
const text = `# The gateway beside ${values.folder === undefined ? other.title : 'another checkout'}, ${new Date().toISOString()}

${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore}. ${values.defaults ? 'Default settings' : 'No cache or sharing'}; ${inFlight} in flight; a new process of each for every ratio.

${table(['workload', 'CPU per request', 'by process', 'throughput', 'by process'], summary)}
`;
const folder = fileURLToPath(new URL('results/', import.meta.url));
writeFileSync(`${folder}beside.md`, text);
process.stdout.write(`\n${text}\nwritten to bench/results/beside.md\n`);
