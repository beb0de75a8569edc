/**
 * Measures the gateway beside its peers and a raw proxy, and writes the results to results/.
 *
 * Exits with code 1 if a contestant could not be started or returned a wrong response.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { CONTESTANTS, GATEWAY, RAW } from './contestants/list.ts';
import type { Contestant } from './contestants/list.ts';
import { summarize } from './harness/figures.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { HELP, readOptions } from './harness/options.ts';
import type { Options } from './harness/options.ts';
import { measureQueries, OF_ONE_USER } from './harness/queries.ts';
import type { Bench } from './harness/queries.ts';
import { markdown } from './harness/report/markdown.ts';
import type { Results } from './harness/results.ts';
import { start } from './harness/start.ts';
import type { Started } from './harness/start.ts';
import { measureStarting } from './harness/starts.ts';
import { measureTransfers } from './harness/transfers.ts';
import { measureWorkers } from './harness/workers.ts';
import { DOCUMENT_SERIES, LEVEL_SERIES, WORKLOADS } from './workloads/index.ts';

const UPSTREAM_DELAY_MS = 5;

/** Contestants of the growth series. The others would show the same. */
const IN_SERIES = ['raw', 'gateway-alone', 'gateway', 'mercurius'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(options: Options): Promise<Results> {
  const machine = describeMachine();
  const upstream = await startUpstream(UPSTREAM_DELAY_MS);
  const loader = startLoader();
  const bench: Bench = { options, upstream, loader, say, slots: [], problems: [] };
  const all = options.workloads.length === 0;
  const chosen = CONTESTANTS.filter(
    ({ name }) =>
      options.contestants.length === 0 || name === RAW.name || options.contestants.includes(name),
  );
  try {
    const runnable = await measureAll(bench, chosen);
    const transfers = await measureTransfers(
      bench,
      runnable,
      (['W6', 'W7'] as const).filter((name) => all || options.workloads.includes(name)),
    );
    const withGateway = isComplete(options) && runnable.includes(GATEWAY);
    const starting = withGateway
      ? await measureStarting(GATEWAY, upstream, options.starts)
      : undefined;
    if (withGateway || options.workloads.includes('workers')) await measureWorkers(bench);
    return {
      date: new Date().toISOString(),
      machine,
      options,
      contestants: chosen.map(({ name, title }) => ({ name, title })),
      workloads: WORKLOADS.map(({ name, title, idealCalls }) => ({ name, title, idealCalls })),
      summaries: summarize(bench.slots, RAW.name),
      transfers,
      starting,
      problems: bench.problems,
      slots: bench.slots,
    };
  } finally {
    await loader.stop();
    await upstream.stop();
  }
}

/** Measures queries and mutations round by round, with all contestants running. Returns those that could be started. */
async function measureAll(
  bench: Bench,
  chosen: readonly Contestant[],
): Promise<readonly Contestant[]> {
  const { options, upstream } = bench;
  const started: Started[] = [];
  const runnable: Contestant[] = [];
  for (const contestant of chosen) {
    try {
      started.push(await start(contestant, upstream.url));
      runnable.push(contestant);
    } catch (error) {
      const message = String(error);
      bench.problems.push({ contestant: contestant.name, workload: 'start', message });
      bench.say(message);
    }
  }
  try {
    const wanted = WORKLOADS.filter(
      ({ name }) => options.workloads.length === 0 || options.workloads.includes(name),
    );
    for (const workload of wanted) {
      await measureQueries(bench, workload, started, options.rounds);
    }
    if (options.workloads.length === 0 || options.workloads.includes('one-user')) {
      for (const workload of WORKLOADS) {
        const variation = { label: `${workload.name}${OF_ONE_USER}`, inFlight: 1 };
        await measureQueries(bench, workload, started, options.seriesRounds, variation);
      }
    }
    if (options.workloads.length > 0) return runnable;
    const inSeries = started.filter(({ name }) => IN_SERIES.includes(name));
    for (const workload of series(options)) {
      await measureQueries(bench, workload, inSeries, options.seriesRounds);
    }
    if (options.quick) return runnable;
    await upstream.delay(0);
    for (const workload of WORKLOADS) {
      const label = `${workload.name}, upstream 0 ms`;
      await measureQueries(bench, workload, started, options.seriesRounds, { label });
    }
    await upstream.delay(UPSTREAM_DELAY_MS);
    return runnable;
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
}

const ends = <T>(list: readonly T[]): T[] =>
  [list[0], list.at(-1)].filter((each) => each !== undefined);

/** A quick run measures only the ends of each series. */
function series(options: Options) {
  return options.quick
    ? [...ends(DOCUMENT_SERIES), ...ends(LEVEL_SERIES)]
    : [...DOCUMENT_SERIES, ...LEVEL_SERIES];
}

/** Whether a run has all figures of the README: every contestant in every workload. */
function isComplete({ quick, contestants, workloads }: Options): boolean {
  const shown = [...WORKLOADS.map(({ name }) => name), 'W6', 'W7'];
  const all = workloads.length === 0 || shown.every((name) => workloads.includes(name));
  return !quick && contestants.length === 0 && all;
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) process.stdout.write(HELP);
else {
  const results = await run(options);
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const kept = isComplete(options) ? results.date.slice(0, 10) : 'partial';
  const name = options.quick ? 'quick' : kept;
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(`${folder}${name}.md`, markdown(results));
  process.stdout.write(`\n${markdown(results)}\nwritten to bench/results/${name}.md and .json\n`);
  process.exitCode = results.problems.length === 0 ? 0 : 1;
}
