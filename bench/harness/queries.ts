import type { Workload } from '../workloads/index.ts';
import type { Problem, Slot } from './figures.ts';
import type { Loader, Upstream } from './helpers.ts';
import type { Options } from './options.ts';
import { cpuSeconds, memory, resetPeak } from './proc.ts';
import type { Started } from './start.ts';

export interface Bench {
  readonly options: Options;
  readonly upstream: Upstream;
  readonly loader: Loader;
  readonly slots: Slot[];
  readonly problems: Problem[];
  readonly say: (line: string) => void;
}

/** Suffix of the name of slots with one request in flight. */
export const OF_ONE_USER = ', one user';

/** What differs from the other measurements of a workload. */
interface Variation {
  /** Name of the results. Default: the workload's name. */
  readonly label?: string;
  /** Number of requests in flight. Default: that of the options. */
  readonly inFlight?: number;
}

/**
 * Measures one workload on all contestants. First, every response is checked. Then all contestants take one slot per
 * round, starting with another one each time. A contestant with a wrong response is excluded and listed.
 */
export async function measureQueries(
  bench: Bench,
  workload: Workload,
  contestants: readonly Started[],
  rounds: number,
  { label = workload.name, inFlight = bench.options.inFlight }: Variation = {},
): Promise<void> {
  const { options, loader, say } = bench;
  const sound: Started[] = [];
  for (const each of contestants) {
    try {
      await loader.execute({ kind: 'check', url: each.url, workload: workload.name });
      await loader.execute(loadCommand(each, workload, options.warmMs, inFlight));
      sound.push(each);
    } catch (error) {
      note(bench, each, label, error);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < sound.length; at += 1) {
      const each = sound[(at + round) % sound.length];
      if (each === undefined) continue;
      try {
        bench.slots.push(await takeSlot(bench, workload, each, round, { label, inFlight }));
      } catch (error) {
        note(bench, each, label, error);
      }
    }
  }
  say(`${label}: ${rounds} rounds of ${sound.map(({ name }) => name).join(', ')}`);
}

async function takeSlot(
  bench: Bench,
  workload: Workload,
  contestant: Started,
  round: number,
  { label, inFlight }: Required<Variation>,
): Promise<Slot> {
  const { options, loader, upstream } = bench;
  await upstream.takeCounts();
  resetPeak(contestant.pid);
  const before = cpuSeconds(contestant.pid);
  const command = loadCommand(contestant, workload, options.slotMs, inFlight);
  const figures = await loader.execute(command);
  const cpu = cpuSeconds(contestant.pid) - before;
  const calls = Object.values(await upstream.takeCounts()).reduce((sum, each) => sum + each, 0);
  if (figures === undefined) throw new Error('no figures');
  return {
    workload: label,
    contestant: contestant.name,
    round,
    cpuMs: (cpu * 1000) / figures.requests,
    perSecond: figures.requests / figures.seconds,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    peakMiB: memory(contestant.pid).peakMiB,
    calls: calls / figures.requests,
  };
}

function loadCommand({ url }: Started, workload: Workload, ms: number, inFlight: number) {
  return { kind: 'load', url, workload: workload.name, ms, inFlight } as const;
}

export function note(bench: Bench, { name }: Started, workload: string, error: unknown): void {
  const message = String(error);
  bench.problems.push({ contestant: name, workload, message });
  bench.say(`${workload}: ${name} is left out: ${message.split('\n')[0]}`);
}
