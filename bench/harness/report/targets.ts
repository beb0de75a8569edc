import { GATEWAY, GATEWAY_ALONE, RAW } from '../../contestants/list.ts';
import { ratioWithinRounds } from '../stats.ts';
import type { Results } from '../results.ts';
import { figure, table } from './table.ts';

/** Upper bounds of the gateway's CPU as a multiple of raw. */
const CPU_BOUNDS: readonly (readonly [workload: string, alone: number, defaults: number])[] = [
  ['W1', 1.7, 1.7],
  ['W2', 1.4, 0.7],
  ['W2s', 1.5, 1.0],
  ['W3', 1.4, 1.1],
  ['W4', 1.3, 0.6],
  ['W5', 1.6, 1.6],
  ['W5s', 1.6, 1.6],
];
const P99_BOUND = 2;
const UPLOAD_BOUND = 0.75;
const UPLOAD_GROWTH_OVER_RAW_MIB = 32;
const DOWNLOAD_BOUND = 0.95;
const START_BOUND_MS = 600;
const IDLE_BOUND_MIB = 130;

const met = (yes: boolean): string => (yes ? 'yes' : '**no**');

/** The targets of the gateway, and whether this run reached them. */
export function targets(results: Results): string {
  const rows = [...cpuRows(results), ...callRows(results), ...fileRows(results)];
  const { starting } = results;
  if (starting !== undefined) {
    rows.push(
      [
        'start to ready, ms',
        figure(starting.readyMs, 0),
        `≤ ${START_BOUND_MS}`,
        met(starting.readyMs <= START_BOUND_MS),
      ],
      [
        'idle memory, MiB',
        figure(starting.idleMiB, 0),
        `≤ ${IDLE_BOUND_MIB}`,
        met(starting.idleMiB <= IDLE_BOUND_MIB),
      ],
    );
  }
  return table(['target', 'measured', 'bound', 'met'], rows);
}

function find(results: Results, workload: string, contestant: string) {
  return results.summaries.find(
    (each) => each.workload === workload && each.contestant === contestant,
  );
}

function cpuRows(results: Results): string[][] {
  return CPU_BOUNDS.flatMap(([workload, alone, defaults]) =>
    [[GATEWAY_ALONE, alone] as const, [GATEWAY, defaults] as const].flatMap(
      ([{ name, title }, bound]) => {
        const own = find(results, workload, name);
        if (own === undefined) return [];
        return [
          [
            `${workload} CPU × raw, ${title}`,
            figure(own.cpuToRaw, 2),
            `≤ ${bound}`,
            met(own.cpuToRaw <= bound),
          ],
          [
            `${workload} p99 × raw, ${title}`,
            figure(own.p99ToRaw, 2),
            `≤ ${P99_BOUND}`,
            met(own.p99ToRaw <= P99_BOUND),
          ],
        ];
      },
    ),
  );
}

function callRows(results: Results): string[][] {
  return results.workloads.flatMap(({ name, idealCalls }) => {
    const own = find(results, name, GATEWAY_ALONE.name);
    if (own === undefined) return [];
    const calls = [
      `${name} upstream calls`,
      figure(own.calls, 2),
      `≤ ${idealCalls}`,
      met(own.calls <= idealCalls + 0.005),
    ];
    const of = (contestant: string) =>
      results.slots.filter((each) => each.workload === name && each.contestant === contestant);
    const ahead = ratioWithinRounds(
      of(GATEWAY_ALONE.name),
      of('mercurius'),
      ({ perSecond }) => perSecond,
    );
    if (Number.isNaN(ahead)) return [calls];
    return [calls, [`${name} throughput × Mercurius`, figure(ahead, 2), '> 1', met(ahead > 1)]];
  });
}

function fileRows(results: Results): string[][] {
  const rows: string[][] = [];
  const ratio = (workload: 'W6' | 'W7'): number => throughputToRaw(results, workload, GATEWAY.name);
  const upload = ratio('W6');
  if (!Number.isNaN(upload)) {
    const over = growth(results, GATEWAY.name) - growth(results, RAW.name);
    rows.push(
      ['W6 throughput × raw', figure(upload, 2), `≥ ${UPLOAD_BOUND}`, met(upload >= UPLOAD_BOUND)],
      [
        'W6 memory growth over raw, MiB',
        figure(over, 0),
        `≤ ${UPLOAD_GROWTH_OVER_RAW_MIB}`,
        met(over <= UPLOAD_GROWTH_OVER_RAW_MIB),
      ],
    );
  }
  const download = ratio('W7');
  if (!Number.isNaN(download)) {
    rows.push([
      'W7 throughput × raw',
      figure(download, 2),
      `≥ ${DOWNLOAD_BOUND}`,
      met(download >= DOWNLOAD_BOUND),
    ]);
  }
  return rows;
}

/** Maximum growth of peak memory over a fresh process, of all rounds. */
export function growth(results: Results, contestant: string, workload = 'W6'): number {
  const own = results.transfers.filter(
    (each) => each.workload === workload && each.contestant === contestant,
  );
  return Math.max(...own.map(({ growthMiB }) => growthMiB));
}

export function throughputToRaw(results: Results, workload: string, contestant: string): number {
  const of = (name: string) =>
    results.transfers.filter((each) => each.workload === workload && each.contestant === name);
  return ratioWithinRounds(of(contestant), of(RAW.name), ({ mibPerSecond }) => mibPerSecond);
}
