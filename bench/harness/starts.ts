import { setTimeout as sleep } from 'node:timers/promises';

import type { Contestant } from '../contestants/list.ts';
import { gateway } from '../contestants/list.ts';
import type { Workload } from '../workloads/index.ts';
import type { Upstream } from './helpers.ts';
import { memory, tree } from './proc.ts';
import { measureQueries } from './queries.ts';
import type { Bench } from './queries.ts';
import { start } from './start.ts';
import { median } from './stats.ts';

export interface Starting {
  readonly readyMs: number;
  readonly readyMsEach: readonly number[];
  /** Two seconds after the start, before any request; the playground was never opened. */
  readonly idleMiB: number;
}

/** From the spawn to the first 200 of /readyz before a reachable upstream, and the memory of the idle process. */
export async function measureStarting(
  contestant: Contestant,
  upstream: Upstream,
  times: number,
): Promise<Starting> {
  const readyMsEach: number[] = [];
  const idle: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const started = await start(contestant, upstream.url);
    readyMsEach.push(started.readyMs);
    await sleep(2000);
    idle.push(memory(started.pid).rssMiB);
    await started.stop();
  }
  return { readyMs: median(readyMsEach), readyMsEach, idleMiB: median(idle) };
}

/**
 * The same workload on one and two workers, filed as `<name>, n workers`.
 *
 * @returns false, with nothing measured, when the gateway starts no more processes for more workers.
 */
export async function measureWorkers(
  bench: Bench,
  workload: Workload,
  rounds: number,
): Promise<boolean> {
  const one = await start(gateway('1 worker', '1 worker', { WORKERS: '1' }), bench.upstream.url);
  const two = await start(gateway('2 workers', '2 workers', { WORKERS: '2' }), bench.upstream.url);
  try {
    if (tree(two.pid).length <= tree(one.pid).length) return false;
    await measureQueries(bench, workload, [one, two], rounds, `${workload.name} by workers`);
    return true;
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}
