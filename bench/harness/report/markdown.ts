import { DOCUMENT_SERIES, LEVEL_SERIES } from '../../workloads/index.ts';
import type { Summary } from '../figures.ts';
import type { Results } from '../results.ts';
import { OF_ONE_USER } from '../queries.ts';
import { median } from '../stats.ts';
import { BY_WORKERS } from '../workers.ts';
import { figure, table } from './table.ts';
import { growth, targets, throughputToRaw } from './targets.ts';
import { workers } from './workers.ts';

/** The complete report: configuration, summary, then details. */
export function markdown(results: Results): string {
  const { machine, options } = results;
  const sections = [
    `# Benchmark, ${results.date}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.kernel}, Node ${machine.node}; ` +
      `load average before the run ${machine.loadBefore}. ${options.quick ? 'Quick run: a preview, not for comparison. ' : ''}` +
      `${options.rounds} rounds of ${options.slotMs} ms, ${options.inFlight} requests in flight, 16 callers in turn, upstream delay 5 ms ` +
      'unless stated otherwise. Figures are medians of the rounds, of peak memory and its growth the maximum. Ratios to raw are computed within a round. Differences below 20 % are not significant.',
    section('CPU of the contestant, as a multiple of raw', cpu(results)),
    section('One user alone: ms per request, as a multiple of raw', oneUser(results)),
    section('Targets of the gateway', targets(results)),
    section('Files', files(results)),
    section('Growth with the data: CPU ms per request', series(results)),
    section('More than one core', workers(results)),
    ...details(results),
    section('Excluded contestants', problems(results)),
  ];
  return `${sections.filter((each) => each !== '').join('\n\n')}\n`;
}

const section = (title: string, body: string): string =>
  body === '' ? '' : `## ${title}\n\n${body}`;

const cpu = (results: Results): string =>
  multiplesOfRaw(
    results,
    '',
    ({ cpuMs }) => `${figure(cpuMs, 3)} ms`,
    ({ cpuToRaw }) => cpuToRaw,
  );

/** One request in flight: the time of a request is the inverse of the throughput. */
const oneUser = (results: Results): string =>
  multiplesOfRaw(
    results,
    OF_ONE_USER,
    ({ perSecond }) => `${figure(1000 / perSecond, 1)} ms`,
    ({ perSecondToRaw }) => 1 / perSecondToRaw,
  );

function multiplesOfRaw(
  results: Results,
  suffix: string,
  ofRaw: (raw: Summary) => string,
  ratio: (of: Summary) => number,
): string {
  const rows = results.workloads.flatMap(({ name, title, idealCalls }) => {
    const of = (contestant: string): Summary | undefined =>
      results.summaries.find(
        (each) => each.workload === `${name}${suffix}` && each.contestant === contestant,
      );
    const raw = of('raw');
    if (raw === undefined) return [];
    const cells = results.contestants.map((each) => {
      const found = of(each.name);
      if (each.name === 'raw') return ofRaw(raw);
      return figure(found === undefined ? undefined : ratio(found), 2);
    });
    return [[`${name} ${title} (${idealCalls})`, ...cells]];
  });
  if (rows.length === 0) return '';
  return table(
    ['workload (ideal upstream calls)', ...results.contestants.map((c) => c.title)],
    rows,
  );
}

function files(results: Results): string {
  if (results.transfers.length === 0) return '';
  const rows = results.contestants.flatMap(({ name, title }) => {
    const of = (workload: string, pick: 'mibPerSecond' | 'cpuSecondsPerGiB'): number =>
      median(
        results.transfers
          .filter((each) => each.workload === workload && each.contestant === name)
          .map((each) => each[pick]),
      );
    const cells = ['W6', 'W7'].flatMap((workload) => [
      figure(of(workload, 'mibPerSecond'), 0),
      figure(throughputToRaw(results, workload, name), 2),
      figure(of(workload, 'cpuSecondsPerGiB'), 2),
      figure(finite(growth(results, name, workload)), 0),
    ]);
    return [[title, ...cells]];
  });
  const head = ['W6 upload', 'W7 download'].flatMap((each) => [
    `${each} MiB/s`,
    '× raw',
    'CPU s/GiB',
    'memory growth MiB',
  ]);
  return table([`${results.options.fileMiB} MiB, one at a time`, ...head], rows);
}

const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);

function series(results: Results): string {
  const rows = [...DOCUMENT_SERIES, ...LEVEL_SERIES].flatMap(({ name }) => {
    const own = results.summaries.filter((each) => each.workload === name);
    if (own.length === 0) return [];
    const cells = results.contestants.map((contestant) => {
      const found = own.find((each) => each.contestant === contestant.name);
      return found === undefined ? '–' : `${figure(found.cpuMs, 3)} (${figure(found.calls, 1)})`;
    });
    return [[name, ...cells]];
  });
  if (rows.length === 0) return '';
  return `Upstream calls are in parentheses.\n\n${table(['', ...results.contestants.map((c) => c.title)], rows)}`;
}

function details(results: Results): string[] {
  const labels = [...new Set(results.summaries.map(({ workload }) => workload))].filter((label) =>
    /^W\d/.test(label),
  );
  return labels
    .filter((label) => !label.endsWith(BY_WORKERS))
    .map((label) => {
      const rows = results.contestants.flatMap(({ name, title }) => {
        const own = results.summaries.find((s) => s.workload === label && s.contestant === name);
        if (own === undefined) return [];
        return [
          [
            title,
            figure(own.cpuMs, 3),
            figure(own.cpuToRaw, 2),
            figure(own.perSecond, 0),
            figure(own.perSecondToRaw, 2),
            figure(own.p50Ms, 1),
            figure(own.p99Ms, 1),
            figure(own.p99ToRaw, 2),
            figure(own.peakMiB, 0),
            figure(own.calls, 2),
          ],
        ];
      });
      const head = [
        '',
        'CPU s/1000',
        '× raw',
        'requests/s',
        '× raw',
        'p50 ms',
        'p99 ms',
        '× raw',
        'peak MiB',
        'upstream calls',
      ];
      return section(label, table(head, rows));
    });
}

function problems(results: Results): string {
  return results.problems
    .map(
      ({ contestant, workload, message }) =>
        `- ${contestant}, ${workload}: ${message.split('\n')[0]}`,
    )
    .join('\n');
}
