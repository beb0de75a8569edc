import { setTimeout as sleep } from 'node:timers/promises';

import type { Contestant } from '../contestants/list.ts';
import { cpuSeconds, memory, resetPeak } from './proc.ts';
import { note } from './queries.ts';
import type { Bench } from './queries.ts';
import { start } from './start.ts';
import type { Started } from './start.ts';

const MIB = 2 ** 20;

/** Number of transfers in a slot. */
const TIMED = 2;

/** The measurements of one direction of one contestant in one round. */
export interface Transfer {
  readonly workload: 'W6' | 'W7';
  readonly contestant: string;
  readonly round: number;
  readonly mibPerSecond: number;
  readonly cpuSecondsPerGiB: number;
  /**
   * Growth of peak memory over the fresh process after a transfer of 1 MiB, which loads the code that every transfer
   * needs.
   */
  readonly growthMiB: number;
}

/**
 * Measures uploads and downloads with fresh processes, so that memory of earlier work does not hide growth. One
 * transfer runs at a time. The first of each is compared by CRC-32 and not timed.
 */
export async function measureTransfers(
  bench: Bench,
  contestants: readonly Contestant[],
  workloads: readonly ('W6' | 'W7')[],
): Promise<Transfer[]> {
  const { options, upstream, say } = bench;
  const transfers: Transfer[] = [];
  const started: Started[] = [];
  try {
    for (const each of contestants) started.push(await start(each, upstream.url));
    await sleep(300);
    for (const workload of workloads) {
      const sound = new Map<Started, number>();
      for (const each of started) {
        try {
          await transfer(bench, each, workload, { mib: 1, times: 1 });
          const restMiB = memory(each.pid).rssMiB;
          resetPeak(each.pid);
          await transfer(bench, each, workload, { mib: options.fileMiB, times: 1 });
          sound.set(each, restMiB);
        } catch (error) {
          note(bench, each, workload, error);
        }
      }
      for (let round = 0; round < options.fileRounds; round += 1) {
        const order = [...sound.entries()];
        for (let at = 0; at < order.length; at += 1) {
          const [each, restMiB] = order[(at + round) % order.length] as [Started, number];
          transfers.push(await takeTransfer(bench, each, workload, round, restMiB));
        }
      }
      say(`${workload}: ${options.fileRounds} rounds of ${options.fileMiB} MiB`);
    }
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
  return transfers;
}

async function transfer(
  { loader }: Bench,
  { url }: Started,
  workload: 'W6' | 'W7',
  { mib, times }: { readonly mib: number; readonly times: number },
) {
  const kind = workload === 'W6' ? 'upload' : 'download';
  const figures = await loader.execute({ kind, url, bytes: mib * MIB, times });
  if (figures === undefined) throw new Error('no figures');
  return figures;
}

async function takeTransfer(
  bench: Bench,
  contestant: Started,
  workload: 'W6' | 'W7',
  round: number,
  restMiB: number,
): Promise<Transfer> {
  const { fileMiB } = bench.options;
  // The peak of the first, untimed transfer is part of the growth.
  if (round > 0) resetPeak(contestant.pid);
  const before = cpuSeconds(contestant.pid);
  const { seconds } = await transfer(bench, contestant, workload, { mib: fileMiB, times: TIMED });
  const mib = fileMiB * TIMED;
  return {
    workload,
    contestant: contestant.name,
    round,
    mibPerSecond: mib / seconds,
    cpuSecondsPerGiB: ((cpuSeconds(contestant.pid) - before) / mib) * 1024,
    growthMiB: memory(contestant.pid).peakMiB - restMiB,
  };
}
