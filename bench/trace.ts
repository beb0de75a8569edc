/**
 * Traces requests of one user alone: what a request waits for, as medians in milliseconds.
 *
 *     npm run bench:trace -- --workloads W1,W5 --contestants raw,gateway
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { contestantNamed } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import { median } from './harness/stats.ts';
import type { TracedRequest } from './profile/trace-hook.ts';

const { values } = parseArgs({
  options: {
    contestants: { type: 'string', default: 'raw,mercurius,gateway-alone,gateway' },
    workloads: { type: 'string', default: 'W1,W2,W4,W5' },
    seconds: { type: 'string', default: '5' },
  },
});

/** The parts of a request, in milliseconds. Their sum is the whole. */
interface Parts {
  /** Until the first call is written. */
  before: number;
  /** From the first to the last call of each group, that is, calls that are outstanding together. */
  sending: number;
  /** From the last call of each group to the end of its last response. */
  waiting: number;
  /** From the end of a group to the first call of the next one. */
  between: number;
  /** From the end of the last response to that of the request. */
  after: number;
}

function partsOf({ calls, endMs }: TracedRequest): Parts {
  const parts: Parts = { before: 0, sending: 0, waiting: 0, between: 0, after: 0 };
  let outstanding = 0;
  let last = 0;
  for (const [index, { event, at }] of calls.entries()) {
    const isSent = event === 'sent';
    if (index === 0) parts.before = at;
    else if (outstanding === 0) parts.between += at - last;
    else parts[isSent ? 'sending' : 'waiting'] += at - last;
    outstanding += isSent ? 1 : -1;
    last = at;
  }
  parts.after = endMs - last;
  return parts;
}

const folder = fileURLToPath(new URL('results/.tmp/', import.meta.url));
mkdirSync(folder, { recursive: true });
const hook = new URL('profile/trace-hook.ts', import.meta.url).href;
const upstream = await startUpstream(5);
const loader = startLoader();

async function trace(name: string, workload: string): Promise<TracedRequest[]> {
  const file = `${folder}${name}-${workload}.trace.json`;
  const contestant = contestantNamed(name);
  const env = { ...contestant.env, TRACE_TO: file };
  const { url, pid, stop } = await start({ ...contestant, env }, upstream.url, ['--import', hook]);
  const write = async (): Promise<void> => {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    await sleep(500);
  };
  try {
    const load = { kind: 'load', url, workload } as const;
    await loader.execute({ kind: 'check', url, workload });
    // Compiles what is executed often.
    await loader.execute({ ...load, inFlight: 32, ms: 3000 });
    await loader.execute({ ...load, inFlight: 1, ms: 1000 });
    await write();
    await loader.execute({ ...load, inFlight: 1, ms: Number(values.seconds) * 1000 });
    await write();
    return JSON.parse(readFileSync(file, 'utf8')) as TracedRequest[];
  } finally {
    await stop();
  }
}

const columns = ['before', 'sending', 'waiting', 'between', 'after'] as const;
const rows: string[][] = [];
try {
  for (const workload of values.workloads.split(',')) {
    for (const name of values.contestants.split(',')) {
      const requests = await trace(name, workload);
      const parts = requests.map(partsOf);
      rows.push([
        `${workload}, ${name}`,
        ...columns.map((column) => figure(median(parts.map((each) => each[column])), 2)),
        figure(median(requests.map(({ endMs }) => endMs)), 2),
        figure(median(requests.map(({ calls }) => calls.length / 2)), 0),
        figure(median(requests.map(({ iterations }) => iterations)), 0),
      ]);
    }
  }
} finally {
  await loader.stop();
  await upstream.stop();
}
process.stdout.write(`${table(['', ...columns, 'whole', 'calls', 'iterations'], rows)}\n`);
