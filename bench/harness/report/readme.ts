import { RAW } from '../../contestants/list.ts';
import { OF_ONE_USER } from '../queries.ts';
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
    ...oneUser(results, head, others),
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

/** The time of a request of one user alone. Empty if the run did not measure it. */
function oneUser(results: Results, head: readonly string[], others: Contestants): string[] {
  const rows = results.workloads.flatMap(({ name }) => {
    const of = (contestant: string) => summaryOf(results, `${name}${OF_ONE_USER}`, contestant);
    const raw = of(RAW.name);
    if (raw === undefined) return [];
    const cells = others.map((each) => figure(1 / (of(each.name)?.perSecondToRaw ?? NaN), 2));
    return [[name, `${figure(1000 / raw.perSecond, 1)} ms`, ...cells]];
  });
  if (rows.length === 0) return [];
  return [
    'Time of a request with one user alone and 5 ms per upstream call:',
    table([...head], rows),
  ];
}

function summaryOf({ summaries }: Results, workload: string, contestant: string) {
  return summaries.find((each) => each.workload === workload && each.contestant === contestant);
}
