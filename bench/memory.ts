/**
 * Measures the peak memory of the gateway under uploads: 64 MiB beside 1 GiB, each with a fresh process, and 16
 * concurrent uploads of 64 MiB.
 *
 * Exits with code 1 if 1 GiB takes 32 MiB more than 64 MiB.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { gateway as gatewayWith } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { memory, resetPeak } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import { median } from './harness/stats.ts';

const MIB = 2 ** 20;
const ALLOWED_MIB = 32;
const TIMES = 3;

interface Peak {
  readonly restMiB: number;
  readonly peakMiB: number;
}

/** The default limit is 1 GiB. It is raised so that the measured upload is below the limit. */
const GATEWAY = gatewayWith('gateway', 'gateway', { MAX_UPLOAD_BYTES: String(2 ** 31) });

const machine = describeMachine();
const upstream = await startUpstream(5);

/** Starts a fresh gateway, runs concurrent uploads and returns its peak memory. */
async function peakOf(bytes: number, atOnce: number): Promise<Peak> {
  const gateway = await start(GATEWAY, upstream.url);
  const loaders = Array.from({ length: atOnce }, () => startLoader());
  try {
    // A small upload first, which loads the code that every upload needs.
    await loaders[0]?.execute({ kind: 'upload', url: gateway.url, bytes: MIB, times: 1 });
    const restMiB = memory(gateway.pid).rssMiB;
    resetPeak(gateway.pid);
    const command = { kind: 'upload', url: gateway.url, bytes, times: 1 } as const;
    await Promise.all(loaders.map((loader) => loader.execute(command)));
    return { restMiB, peakMiB: memory(gateway.pid).peakMiB };
  } finally {
    await Promise.all(loaders.map((loader) => loader.stop()));
    await gateway.stop();
  }
}

async function medianOf(title: string, mib: number, atOnce: number) {
  const peaks: Peak[] = [];
  for (let time = 0; time < TIMES; time += 1) peaks.push(await peakOf(mib * MIB, atOnce));
  const peakMiB = median(peaks.map((each) => each.peakMiB));
  const restMiB = median(peaks.map((each) => each.restMiB));
  return { title, mib, atOnce, restMiB, peakMiB, peaks };
}

try {
  const small = await medianOf('one of 64 MiB', 64, 1);
  const large = await medianOf('one of 1 GiB', 1024, 1);
  const many = await medianOf('16 of 64 MiB at once', 64, 16);
  const difference = large.peakMiB - small.peakMiB;
  const all = [small, large, many];
  const text = [
    `# Memory under uploads, ${new Date().toISOString()}`,
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; medians of ${TIMES} fresh processes each.`,
    table(
      ['uploads', 'at rest, MiB', 'peak, MiB', 'growth, MiB'],
      all.map((each) => [
        each.title,
        figure(each.restMiB, 0),
        figure(each.peakMiB, 0),
        figure(each.peakMiB - each.restMiB, 0),
      ]),
    ),
    `1 GiB takes ${difference.toFixed(0)} MiB more than 64 MiB. The limit is ${ALLOWED_MIB} MiB.`,
  ].join('\n\n');
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  writeFileSync(`${folder}memory.md`, `${text}\n`);
  writeFileSync(`${folder}memory.json`, `${JSON.stringify({ machine, runs: all }, null, 1)}\n`);
  process.stdout.write(`${text}\n`);
  process.exitCode = difference <= ALLOWED_MIB ? 0 : 1;
} finally {
  await upstream.stop();
}
