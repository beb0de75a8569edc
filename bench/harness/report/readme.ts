import type { Results } from '../results.ts';
import { figure, table } from './table.ts';
import { throughputToRaw } from './targets.ts';

/** The short answer of a run, for the README: CPU of each contestant as a multiple of raw, files by throughput. */
export function readmeFigures(results: Results): string {
  const { contestants, machine, starting, summaries, workloads } = results;
  const others = contestants.filter(({ name }) => name !== 'raw' && !name.startsWith('beside'));
  const cpu = workloads.map(({ name, title }) => {
    const of = (contestant: string) =>
      summaries.find((each) => each.workload === name && each.contestant === contestant);
    return [
      `${name} ${title}`,
      `${figure(of('raw')?.cpuMs, 2)} ms`,
      ...others.map((each) => figure(of(each.name)?.cpuToRaw, 2)),
    ];
  });
  const files = (['W6', 'W7'] as const).map((workload) => [
    workload === 'W6' ? 'W6 upload of 256 MiB: throughput' : 'W7 download of 256 MiB: throughput',
    '1',
    ...others.map(({ name }) => figure(throughputToRaw(results, workload, name), 2)),
  ]);
  return [
    table(['workload', 'raw', ...others.map(({ title }) => title)], [...cpu, ...files]),
    `${results.date.slice(0, 10)}, ${machine.cores} cores, Node ${machine.node}; CPU as a multiple of raw's, files as a ` +
      `multiple of raw's throughput. Ready ${figure(starting?.readyMs, 0)} ms after the start, idle with ` +
      `${figure(starting?.idleMiB, 0)} MiB.`,
  ].join('\n\n');
}
