/**
 * What DMS_COMPRESSION saves and costs if the DMS is far away: latency, throughput, bytes on the link, and CPU time of
 * the gateway, with it and without it.
 *
 *     npm run bench:compression
 *     npm run bench:compression -- --round-trip 40 --mbits 100 --coding zstd --in-flight 8
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { gateway } from './contestants/list.ts';
import { startLoader, startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start, type Started } from './harness/start.ts';
import { median } from './harness/stats.ts';

const WARM_MS = 8000;
const SLOT_MS = 3000;
const ROUNDS = 5;

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: 'W1,W2,W4' },
    'round-trip': { type: 'string', default: '20' },
    mbits: { type: 'string', default: '10' },
    coding: { type: 'string', default: 'gzip' },
    'in-flight': { type: 'string', default: '4' },
  },
});
const inFlight = Number(values['in-flight']);

interface Load {
  readonly p50Ms: number;
  readonly perSecond: number;
  readonly bytes: number;
  readonly cpuUs: number;
}

const machine = describeMachine();
const upstream = await startUpstream(5);
const far = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('compression/far.ts', import.meta.url)),
    upstream.url,
    values.coding,
    values['round-trip'],
    values.mbits,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = (await once(far.stdout, 'data')) as [Buffer];
const [linkUrl = '', proxyUrl = ''] = String(line).trim().split(' ');
const loader = startLoader();
const alone = { CACHE_TTL_MS: '0', SINGLE_FLIGHT: 'off' };
const startWith = (compression: string): Promise<Started> => {
  const settings = { ...alone, DMS_COMPRESSION: compression };
  return start(gateway(`gateway-${compression}`, 'gateway', settings), linkUrl);
};
const off = await startWith('off');
const on = await startWith('on');

const takeBytes = async (): Promise<number> =>
  Number(await (await fetch(`${proxyUrl}/control/bytes`)).text());

async function load({ url, pid }: Started, workload: string, ms: number): Promise<Load> {
  await takeBytes();
  const cpuBefore = cpuSeconds(pid);
  const figures = await loader.execute({ kind: 'load', url, workload, ms, inFlight });
  if (figures === undefined) throw new Error('no figures');
  const { requests, seconds, p50Ms } = figures;
  return {
    p50Ms,
    perSecond: requests / seconds,
    bytes: (await takeBytes()) / requests,
    cpuUs: ((cpuSeconds(pid) - cpuBefore) * 1e6) / requests,
  };
}

try {
  const rows: string[][] = [];
  for (const workload of values.workloads.split(',')) {
    const slots: Record<string, Load[]> = { off: [], on: [] };
    for (const each of [off, on]) {
      await loader.execute({ kind: 'check', url: each.url, workload });
      await load(each, workload, WARM_MS);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      slots['off']!.push(await load(off, workload, SLOT_MS));
      slots['on']!.push(await load(on, workload, SLOT_MS));
    }
    for (const [name, loads] of Object.entries(slots)) {
      const of = (key: keyof Load): number => median(loads.map((one) => one[key]));
      rows.push([
        `${workload}, ${name}`,
        figure(of('p50Ms'), 1),
        figure(of('perSecond'), 1),
        figure(of('bytes'), 0),
        figure(of('cpuUs'), 0),
      ]);
    }
  }
  process.stdout.write(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load before ${machine.loadBefore}; ${values.coding}, ${values['round-trip']} ms, ${values.mbits} Mbit/s, ${inFlight} in flight; medians of ${ROUNDS} rounds\n\n${table(['DMS_COMPRESSION', 'p50, ms', 'requests/s', 'bytes on the link', 'CPU, µs'], rows)}\n`,
  );
} finally {
  await loader.stop();
  await off.stop();
  await on.stop();
  far.kill();
  await upstream.stop();
}
