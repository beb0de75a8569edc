/**
 * Profiles contestants in one workload: self time by stage, or allocated memory, by module and by function. Of several
 * contestants, it compares the stages.
 *
 *     npm run bench:profile -- --contestant gateway-alone --workload W1 --seconds 5
 *     npm run bench:profile -- --contestant gateway-alone --workload W1 --allocations
 *     npm run bench:profile -- --contestant raw,mercurius,gateway --workload W1 --seconds 30
 *
 * The complete profiles are in results/.tmp, for the developer tools of a browser.
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
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import { rankAllocations, rankTime } from './profile/ranking.ts';
import type { Ranking, Share } from './profile/ranking.ts';

/** The workloads that transfer files. One request is 256 MiB. */
const TRANSFERS: Partial<Record<string, 'upload' | 'download'>> = { W6: 'upload', W7: 'download' };
/** Until then, code is being compiled. */
const WARM_MS = 10_000;

const { values } = parseArgs({
  options: {
    contestant: { type: 'string', default: 'gateway-alone' },
    workload: { type: 'string', default: 'W1' },
    seconds: { type: 'string', default: '5' },
    top: { type: 'string', default: '40' },
    allocations: { type: 'boolean', default: false },
  },
});
const { workload, allocations } = values;
const folder = fileURLToPath(new URL('results/.tmp/', import.meta.url));
mkdirSync(folder, { recursive: true });
const hook = new URL('profile/hook.ts', import.meta.url).href;
const upstream = await startUpstream(5);
const loader = startLoader();

interface Profile extends Ranking {
  readonly requests: number;
  /** CPU time of the process per request in microseconds, with the profiler on. */
  readonly cpuUs: number;
  readonly file: string;
}

async function profile(name: string): Promise<Profile> {
  const file = `${folder}${name}-${workload}.${allocations ? 'heapprofile' : 'cpuprofile'}`;
  rmSync(file, { force: true });
  const contestant = contestantNamed(name);
  const env = {
    ...contestant.env,
    PROFILE_TO: file,
    ...(allocations && { PROFILE_KIND: 'allocations' }),
  };
  const started = await start({ ...contestant, env }, upstream.url, ['--import', hook]);
  try {
    const { url, pid } = started;
    const transfer = TRANSFERS[workload];
    const work = async (ms: number): Promise<number> => {
      const command: Command =
        transfer === undefined
          ? { kind: 'load', url, workload, inFlight: 32, ms }
          : { kind: transfer, url, bytes: 2 ** 28, times: Math.max(1, Math.round(ms / 1000)) };
      return (await loader.execute(command))?.requests ?? 0;
    };
    if (transfer === undefined) await loader.execute({ kind: 'check', url, workload });
    await work(transfer === undefined ? WARM_MS : 2000);
    process.kill(pid, 'SIGUSR2');
    await sleep(200);
    const before = cpuSeconds(pid);
    const requests = await work(Number(values.seconds) * 1000);
    const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / requests;
    process.kill(pid, 'SIGUSR2');
    await sleep(1500);
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const ranking = allocations
      ? rankAllocations(written as HeapProfiler.SamplingHeapProfile)
      : rankTime(written as Profiler.Profile);
    return { ...ranking, requests, cpuUs, file };
  } finally {
    await started.stop();
  }
}

function show(name: string, of: Profile): string {
  const { requests, cpuUs, total, byStage, byModule, byFunction, file } = of;
  const amountOf = (amount: number): string =>
    allocations
      ? `${figure(amount / requests, 0).padStart(7)} B`
      : `${figure((amount * 1000) / requests, 1).padStart(7)} µs`;
  const line = ({ name: what, amount, share }: Share): string =>
    `${figure(share * 100, 1).padStart(5)} %  ${amountOf(amount)}  ${what}`;
  const top = Number(values.top);
  return [
    `${name}, ${workload}: ${requests} requests, ${figure(cpuUs, 0)} µs CPU each with the profiler on; ` +
      `${allocations ? 'allocated' : 'on the main thread'}: ${amountOf(total).trim()} each`,
    '\nby stage',
    ...byStage.map(line),
    '\nby module',
    ...byModule.slice(0, top).map(line),
    '\nby function',
    ...byFunction.slice(0, top).map(line),
    `\n${file}\n`,
  ].join('\n');
}

/** The stages of each contestant in microseconds on the main thread, in the order of the last one. */
function compare(names: readonly string[], profiles: readonly Profile[]): string {
  const us = ({ requests }: Profile, ms: number): string => figure((ms * 1000) / requests, 1);
  const amount = ({ byStage }: Profile, stage: string): number =>
    byStage.find(({ name }) => name === stage)?.amount ?? 0;
  const rows = profiles
    .at(-1)!
    .byStage.map(({ name }) => [name, ...profiles.map((each) => us(each, amount(each, name)))]);
  const whole = ['whole', ...profiles.map((each) => us(each, each.total))];
  return table(['Stage', ...names], [...rows, whole]);
}

try {
  const names = values.contestant.split(',');
  const profiles: Profile[] = [];
  for (const name of names) profiles.push(await profile(name));
  process.stdout.write(
    names.length === 1 ? show(names[0]!, profiles[0]!) : `${compare(names, profiles)}\n`,
  );
} finally {
  await loader.stop();
  await upstream.stop();
}
