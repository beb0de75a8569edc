import { RAW } from '../../contestants/list.ts';
import type { Results } from '../results.ts';
import { median } from '../stats.ts';
import { figure, table } from './table.ts';
import { throughputToRaw } from './targets.ts';

type Contestants = Results['contestants'];

/** Titles that differ from those in the report. */
const titles: Readonly<Record<string, string>> = { raw: 'bare proxy' };

const transfers = [
  { workload: 'W6', title: 'W6 upload of 256 MiB' },
  { workload: 'W7', title: 'W7 download of 256 MiB' },
] as const;

/**
 * The figures of a run for the README: a table of CPU time and one of throughput. The first column has absolute values
 * of the raw proxy; the others are multiples of them.
 */
export function readmeFigures(results: Results): string {
  const { machine, starting } = results;
  const others = results.contestants.filter(({ name }) => name !== RAW.name);
  const head = [
    'workload',
    titles['raw']!,
    ...others.map(({ name, title }) => titles[name] ?? title),
  ];
  return [
    `Measured ${results.date.slice(0, 10)} on ${machine.cores} cores with Node ${machine.node}. The bare proxy makes the ` +
      `upstream calls of each workload without GraphQL. The other columns are multiples of it. Differences below 20 % are ` +
      `noise.`,
    '**CPU time per request** (lower is better)',
    table(head, cpuRows(results, others)),
    '**Throughput** (higher is better)',
    table(head, [...requestRows(results, others), ...transferRows(results, others)]),
    `The gateway is ready ${figure(starting?.readyMs, 0)} ms after its start, and uses ${figure(starting?.idleMiB, 0)} MiB when idle.`,
  ].join('\n\n');
}

function cpuRows(results: Results, others: Contestants): string[][] {
  return results.workloads.map(({ name, title }) => [
    `${name} ${title}`,
    `${figure(summaryOf(results, name, RAW.name)?.cpuMs, 2)} ms`,
    ...others.map((each) => figure(summaryOf(results, name, each.name)?.cpuToRaw, 2)),
  ]);
}

function requestRows(results: Results, others: Contestants): string[][] {
  return results.workloads.map(({ name, title }) => [
    `${name} ${title}`,
    `${figure(summaryOf(results, name, RAW.name)?.perSecond, 0)} requests/s`,
    ...others.map((each) => figure(summaryOf(results, name, each.name)?.perSecondToRaw, 2)),
  ]);
}

function transferRows(results: Results, others: Contestants): string[][] {
  return transfers.map(({ workload, title }) => {
    const own = results.transfers.filter(
      (each) => each.workload === workload && each.contestant === RAW.name,
    );
    return [
      title,
      `${figure(median(own.map(({ mibPerSecond }) => mibPerSecond)), 0)} MiB/s`,
      ...others.map(({ name }) => figure(throughputToRaw(results, workload, name), 2)),
    ];
  });
}

function summaryOf({ summaries }: Results, workload: string, contestant: string) {
  return summaries.find((each) => each.workload === workload && each.contestant === contestant);
}
