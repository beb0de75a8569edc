import { parseArgs } from 'node:util';

import { contestantNamed } from '../contestants/list.ts';
import { WORKLOADS } from '../workloads/index.ts';

/** Duration and number of repetitions: the full run for figures to keep, the quick run for a preview. */
export interface Options {
  readonly quick: boolean;
  readonly rounds: number;
  readonly slotMs: number;
  readonly warmMs: number;
  readonly inFlight: number;
  readonly fileMiB: number;
  readonly fileRounds: number;
  readonly seriesRounds: number;
  readonly starts: number;
  /** Names of contestants. Empty means all. `raw` always takes part, because the others are compared with it. */
  readonly contestants: readonly string[];
  /** Names of workloads. Empty means all. */
  readonly workloads: readonly string[];
}

/** The contestants of a quick run. The other two take half of the time and take part only if they are named. */
const QUICK_CONTESTANTS = ['raw', 'gateway-alone', 'gateway', 'mercurius'];

/** The names that `--workloads` accepts. */
const MEASURED = [...WORKLOADS.map(({ name }) => name), 'W6', 'W7', 'workers', 'one-user'];

const QUICK = {
  rounds: 2,
  slotMs: 180,
  warmMs: 120,
  fileMiB: 64,
  fileRounds: 1,
  seriesRounds: 1,
  starts: 1,
};

const FULL = {
  rounds: 7,
  slotMs: 2000,
  // Time until V8 has compiled all hot code, which takes longer in a server with many modules.
  warmMs: 8000,
  fileMiB: 256,
  fileRounds: 5,
  seriesRounds: 3,
  starts: 7,
};

export const HELP = `npm run bench [-- options]
  --quick               a look in under a minute instead of figures to keep, without Apollo and Yoga
  --rounds <n>          rounds of every workload
  --contestants <a,b>   only these (and raw)
  --workloads <W1,W6>   only these, \`workers\` for one and two workers, and \`one-user\` for one request in flight; without
                        the series and the starts; into results/partial.md, unless all of W1 to W7 and all
                        contestants take part
`;

/** Parses the command line. @throws {Error} for an unknown option, contestant or workload */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      contestants: { type: 'string', default: '' },
      workloads: { type: 'string', default: '' },
    },
  });
  if (values.help) return undefined;
  const form = values.quick ? QUICK : FULL;
  const contestants = list(values.contestants);
  const workloads = list(values.workloads);
  contestants.forEach(contestantNamed);
  const unknown = workloads.find((name) => !MEASURED.includes(name));
  if (unknown !== undefined) throw new Error(`no workload ${unknown}`);
  return {
    ...form,
    quick: values.quick,
    rounds: Number(values.rounds ?? form.rounds),
    inFlight: 32,
    contestants: contestants.length === 0 && values.quick ? QUICK_CONTESTANTS : contestants,
    workloads,
  };
}

const list = (text: string): string[] => text.split(',').filter((each) => each !== '');
