import { RAW } from '../../contestants/list.ts';
import type { Results } from '../results.ts';
import { figure, table } from './table.ts';

type Contestants = Results['contestants'];

/** Titles that differ from those in the report. */
const titles: Readonly<Record<string, string>> = { raw: 'bare proxy' };

/**
 * The figures of a run for the README: the CPU time of the raw proxy in milliseconds, and that of the others as multiples
 * of it.
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
    `CPU time per request, measured ${results.date.slice(0, 10)} on ${machine.cores} cores with Node ${machine.node}. The bare ` +
      `proxy makes the upstream calls of each workload without GraphQL; the other columns are multiples of it. Lower is ` +
      `better. Differences below 20 % are noise.`,
    table(head, cpuRows(results, others)),
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

function summaryOf({ summaries }: Results, workload: string, contestant: string) {
  return summaries.find((each) => each.workload === workload && each.contestant === contestant);
}
