/**
 * Sends mixed traffic to the gateway for several minutes while the upstream repeatedly disappears, and checks that
 * memory does not grow.
 *
 *     npm run bench:soak -- --minutes 3
 *
 * Exits with code 1 if memory grew, the gateway exited, or it does not respond after the last outage.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { GATEWAY } from './contestants/list.ts';
import { startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds, memory } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { freePort, start } from './harness/start.ts';
import { traffic } from './soak/traffic.ts';
import { isFlat, windowsOf } from './soak/windows.ts';
import type { Sample } from './soak/windows.ts';

const OUTAGE_EVERY_MS = 20_000;
const OUTAGE_MS = 3000;
const SAMPLE_EVERY_MS = 500;
const WINDOWS = 9;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } });
const minutes = Number(values.minutes);
const machine = describeMachine();
const port = await freePort();
let upstream = await startUpstream(5, port);
const gateway = await start(GATEWAY, upstream.url);
const startedAt = Date.now();
const until = startedAt + minutes * 60_000;
const samples: Sample[] = [];
const counts = { ok: 0, failed: 0, broken: 0 };
let outages = 0;

async function sample(): Promise<void> {
  while (Date.now() < until) {
    samples.push({
      atSecond: (Date.now() - startedAt) / 1000,
      rssMiB: memory(gateway.pid).rssMiB,
    });
    await sleep(SAMPLE_EVERY_MS);
  }
}

/** Kills the upstream with all its connections and restarts it on the same port. */
async function outage(): Promise<void> {
  while (Date.now() + OUTAGE_EVERY_MS < until) {
    await sleep(OUTAGE_EVERY_MS - OUTAGE_MS);
    await upstream.stop();
    await sleep(OUTAGE_MS);
    upstream = await startUpstream(5, port);
    outages += 1;
  }
}

try {
  await Promise.all([traffic(gateway.url, until, counts), sample(), outage()]);
  await sleep(3000);
  const after = { ok: 0, failed: 0, broken: 0 };
  await traffic(gateway.url, Date.now() + 2000, after);
  const windows = windowsOf(samples, WINDOWS);
  const flat = isFlat(windows);
  const recovered = after.ok > 0 && after.failed + after.broken === 0;
  const text = [
    `# Soak, ${new Date().toISOString()}`,
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}. ${minutes} minutes, ${outages} outages of ${OUTAGE_MS} ms: ` +
      `${counts.ok} complete responses, ${counts.failed} with an error, ${counts.broken} broken connections; ` +
      `CPU ${cpuSeconds(gateway.pid).toFixed(0)} s.`,
    table(
      ['from second', 'median RSS, MiB'],
      windows.map((each) => [String(each.fromSecond), figure(each.rssMiB, 0)]),
    ),
    `Memory is ${flat ? 'flat' : '**not flat**'}; after the last outage ${recovered ? 'all requests succeed' : `**${after.failed + after.broken} of ${after.ok + after.failed + after.broken} fail**`}.`,
  ].join('\n\n');
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  writeFileSync(`${folder}soak.md`, `${text}\n`);
  const record = { machine, minutes, outages, tally: counts, after, windows, samples };
  writeFileSync(`${folder}soak.json`, `${JSON.stringify(record)}\n`);
  process.stdout.write(`${text}\n`);
  process.exitCode = flat && recovered ? 0 : 1;
} finally {
  await gateway.stop();
  await upstream.stop();
}
