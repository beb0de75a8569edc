import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { gateway } from '../contestants/list.ts';
import { WORKLOADS } from '../workloads/index.ts';
import { measureQueries } from './queries.ts';
import type { Bench } from './queries.ts';
import { start } from './start.ts';
import type { Started } from './start.ts';

/** Suffix of the name of slots with one and two workers. */
export const BY_WORKERS = ' by workers';

export const ONE_WORKER = gateway('1 worker', '1 worker', { WORKERS: '1' });
const TWO_WORKERS = gateway('2 workers', '2 workers', { WORKERS: '2' });

/** A cheap operation and one with many calls, which differ in where the time is spent. */
const MEASURED = ['W1', 'W2'];

/** Measures the gateway with default settings as one process and with two workers, in the same rounds. */
export async function measureWorkers(bench: Bench): Promise<void> {
  const started: Started[] = [];
  try {
    for (const contestant of [ONE_WORKER, TWO_WORKERS]) {
      started.push(await start(contestant, bench.upstream.url));
    }
    await Promise.all(started.map(allListen));
    for (const workload of WORKLOADS.filter(({ name }) => MEASURED.includes(name))) {
      const label = `${workload.name}${BY_WORKERS}`;
      await measureQueries(bench, workload, started, bench.options.rounds, { label });
    }
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
}

/** Waits for all workers. Connections that are opened before the last worker listens would all go to the first one. */
async function allListen({ log }: Started): Promise<void> {
  while (!readFileSync(log, 'utf8').includes('GraphQL gateway: ')) await sleep(5);
}
