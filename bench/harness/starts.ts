import { setTimeout as sleep } from 'node:timers/promises';

import type { Contestant } from '../contestants/list.ts';
import type { Upstream } from './helpers.ts';
import { memory } from './proc.ts';
import { start } from './start.ts';
import { median } from './stats.ts';

export interface Starting {
  readonly readyMs: number;
  readonly readyMsEach: readonly number[];
  /** Memory two seconds after the start, before any request. The playground was not opened. */
  readonly idleMiB: number;
}

/**
 * Measures the time from spawning the gateway to the first 200 of /readyz with a reachable upstream, and the memory of
 * the idle process.
 */
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
