/**
 * Profiles a contestant in one workload: self time by stage, or allocated memory, by module and by function.
 *
 *     npm run bench:profile -- --contestant gateway-alone --workload W1 --seconds 5
 *     npm run bench:profile -- --contestant gateway-alone --workload W1 --allocations
 *
 * The complete profile is in results/.tmp, for the developer tools of a browser.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { HeapProfiler, Profiler } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { contestantNamed } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import { cpuSeconds } from './harness/proc.ts';
import type { Command } from './harness/messages.ts';
import { start } from './harness/start.ts';
import { rankAllocations, rankTime } from './profile/ranking.ts';
import type { Share } from './profile/ranking.ts';

/** The workloads that transfer files. One request is 256 MiB. */
const TRANSFERS: Partial<Record<string, 'upload' | 'download'>> = { W6: 'upload', W7: 'download' };

const { values } = parseArgs({
  options: {
    contestant: { type: 'string', default: 'gateway-alone' },
    workload: { type: 'string', default: 'W1' },
    seconds: { type: 'string', default: '5' },
    top: { type: 'string', default: '40' },
    allocations: { type: 'boolean', default: false },
  },
});
const contestant = contestantNamed(values.contestant);

const folder = fileURLToPath(new URL('results/.tmp/', import.meta.url));
mkdirSync(folder, { recursive: true });
const extension = values.allocations ? 'heapprofile' : 'cpuprofile';
const file = `${folder}${values.contestant}-${values.workload}.${extension}`;
rmSync(file, { force: true });
const hook = new URL('profile/hook.ts', import.meta.url).href;

const upstream = await startUpstream(5);
const loader = startLoader();
const env = {
  ...contestant.env,
  PROFILE_TO: file,
  ...(values.allocations && { PROFILE_KIND: 'allocations' }),
};
const started = await start({ ...contestant, env }, upstream.url, ['--import', hook]);
try {
  const { url, pid } = started;
  const { workload } = values;
  const work = async (ms: number): Promise<number> => {
    const kind = TRANSFERS[workload];
    const command: Command =
      kind === undefined
        ? { kind: 'load', url, workload, inFlight: 32, ms }
        : { kind, url, bytes: 2 ** 28, times: Math.max(1, Math.round(ms / 1000)) };
    return (await loader.execute(command))?.requests ?? 0;
  };
  if (TRANSFERS[workload] === undefined) await loader.execute({ kind: 'check', url, workload });
  await work(2000);
  process.kill(pid, 'SIGUSR2');
  await sleep(200);
  const before = cpuSeconds(pid);
  const requests = await work(Number(values.seconds) * 1000);
  const cpu = cpuSeconds(pid) - before;
  process.kill(pid, 'SIGUSR2');
  await sleep(1500);
  const profile: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const { total, byModule, byFunction, byStage } = values.allocations
    ? rankAllocations(profile as HeapProfiler.SamplingHeapProfile)
    : rankTime(profile as Profiler.Profile);
  const amountOf = (amount: number): string =>
    values.allocations
      ? `${(amount / requests).toFixed(0).padStart(7)} B`
      : `${((amount * 1000) / requests).toFixed(1).padStart(7)} µs`;
  const line = ({ name, amount, share }: Share): string =>
    `${(share * 100).toFixed(1).padStart(5)} %  ${amountOf(amount)}  ${name}`;
  const top = Number(values.top);
  process.stdout.write(
    [
      `${values.contestant}, ${workload}: ${requests} requests, ${((cpu * 1e6) / requests).toFixed(0)} µs CPU each ` +
        `with the profiler on; ${values.allocations ? 'allocated' : 'on the main thread'}: ${amountOf(total).trim()} each`,
      '\nby stage',
      ...byStage.map(line),
      '\nby module',
      ...byModule.slice(0, top).map(line),
      '\nby function',
      ...byFunction.slice(0, top).map(line),
      `\n${file}\n`,
    ].join('\n'),
  );
} finally {
  await started.stop();
  await loader.stop();
  await upstream.stop();
}
