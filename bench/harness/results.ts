import { readFileSync, readdirSync } from 'node:fs';

import type { Problem, Slot, Summary } from './figures.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import type { Starting } from './starts.ts';
import type { Transfer } from './transfers.ts';

/** The results of a run, as stored in the JSON file. */
export interface Results {
  readonly date: string;
  readonly machine: Machine;
  readonly options: Options;
  readonly contestants: readonly { name: string; title: string }[];
  readonly workloads: readonly { name: string; title: string; idealCalls: number }[];
  readonly summaries: readonly Summary[];
  readonly transfers: readonly Transfer[];
  readonly starting: Starting | undefined;
  readonly problems: readonly Problem[];
  readonly slots: readonly Slot[];
}

const folder = new URL('../results/', import.meta.url);

/** Reads the results of the last full run. @throws {Error} if there is none */
export function lastFullRun(): Results {
  const last = readdirSync(folder)
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
    .toSorted()
    .at(-1);
  if (last === undefined) throw new Error('there is no full run in bench/results');
  return JSON.parse(readFileSync(new URL(last, folder), 'utf8')) as Results;
}
