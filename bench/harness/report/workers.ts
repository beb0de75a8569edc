import type { Slot } from '../figures.ts';
import type { Results } from '../results.ts';
import { ratioWithinRounds } from '../stats.ts';
import { BY_WORKERS, ONE_WORKER } from '../workers.ts';
import { figure, table } from './table.ts';

/** Compares one process with two workers. Ratios are computed within a round. */
export function workers(results: Results): string {
  const { cores } = results.machine;
  const rows = results.summaries
    .filter(({ workload }) => workload.endsWith(BY_WORKERS))
    .map((each) => [
      each.workload.replace(BY_WORKERS, ''),
      each.contestant,
      figure(each.perSecond, 0),
      figure(toOne(results, each, 'perSecond'), 2),
      figure(each.cpuMs, 3),
      figure(toOne(results, each, 'cpuMs'), 2),
      figure(each.p50Ms, 1),
      figure(each.p99Ms, 1),
      figure(each.peakMiB, 0),
      figure(each.calls, 2),
    ]);
  if (rows.length === 0) return '';
  const remark =
    `The machine has ${cores} cores, which the load generator and the upstream share, so a second ` +
    'worker adds less than it would on a core of its own. CPU and memory are those of all processes of the gateway. ' +
    'Workers do not share caches and reads, so a second worker increases the number of upstream calls per request.';
  const head = [
    '',
    'workers',
    'requests/s',
    '× 1 worker',
    'CPU ms per request',
    '× 1 worker',
    'p50 ms',
    'p99 ms',
    'peak MiB',
    'upstream calls',
  ];
  return `${remark}\n\n${table(head, rows)}`;
}

function toOne(
  { slots }: Results,
  { workload, contestant }: Pick<Slot, 'workload' | 'contestant'>,
  figureOf: 'perSecond' | 'cpuMs',
): number {
  const of = (name: string): Slot[] =>
    slots.filter((each) => each.workload === workload && each.contestant === name);
  return ratioWithinRounds(of(contestant), of(ONE_WORKER.name), (slot) => slot[figureOf]);
}
