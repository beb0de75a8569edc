/**
 * What subscriptions cost while nothing changes: CPU, memory and upstream calls by callers, subscribers and watched
 * objects.
 *
 *     npm run bench:live -- --seconds 20
 *
 * Ends with 1 when upstream calls grow with the subscribers of a caller.
 */
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { gateway as gatewayWith } from './contestants/list.ts';
import { startUpstream } from './harness/helpers.ts';
import { describeMachine } from './harness/machine.ts';
import { cpuSeconds, memory } from './harness/proc.ts';
import { figure, table } from './harness/report/table.ts';
import { start } from './harness/start.ts';
import { credentials, documentId } from './upstream/ids.ts';

const POLL_MS = 5000;
const GATEWAY = gatewayWith('gateway', 'gateway', { LIVE_POLL_MS: String(POLL_MS) });

interface Setup {
  readonly watched: 'page' | 'document';
  readonly callers: number;
  /** Of each caller. */
  readonly subscribers: number;
  /** Of each caller: subscribers take turns. */
  readonly objects: number;
}

/** The fourth is the one of the promise: 1,000 subscribers of 100 callers on pages of 20 documents. */
const SETUPS: readonly Setup[] = [
  { watched: 'page', callers: 100, subscribers: 1, objects: 1 },
  { watched: 'page', callers: 10, subscribers: 10, objects: 1 },
  { watched: 'page', callers: 100, subscribers: 5, objects: 1 },
  { watched: 'page', callers: 100, subscribers: 10, objects: 1 },
  { watched: 'document', callers: 100, subscribers: 10, objects: 1 },
  { watched: 'document', callers: 100, subscribers: 20, objects: 20 },
];

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
const upstream = await startUpstream(5);

const PAGE = 'subscription { documentsChanged(first: 20) { added { shortId state } removedIds } }';
const documentQuery = (id: string): string =>
  `subscription { documentChanged(id: "${id}") { shortId state } }`;

/** Opens one subscription; resolves with its first event. */
function subscribe(url: string, agent: Agent, caller: number, query: string): Promise<void> {
  const { authorization, runAs } = credentials(caller);
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/graphql`, {
      agent,
      method: 'POST',
      headers: {
        authorization,
        'svc-run-as': runAs,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
    });
    asking.on('error', reject);
    asking.on('response', (response) => {
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => {
        const text = chunk.toString();
        if (text.includes('"errors"')) reject(new Error(text));
        if (text.includes('data: {')) resolve();
      });
    });
    asking.end(JSON.stringify({ query }));
  });
}

const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

async function measure(setup: Setup) {
  const { watched, callers, subscribers, objects } = setup;
  const gateway = await start(GATEWAY, upstream.url);
  const agent = new Agent({ maxSockets: Infinity });
  try {
    const restMiB = memory(gateway.pid).rssMiB;
    await upstream.takeCounts();
    for (let caller = 0; caller < callers; caller += 1) {
      const queries = Array.from({ length: subscribers }, (_, at) =>
        watched === 'page' ? PAGE : documentQuery(documentId(caller, 2000 + (at % objects))),
      );
      await Promise.all(queries.map((query) => subscribe(gateway.url, agent, caller, query)));
    }
    const opening = totalOf(await upstream.takeCounts());
    await sleep(POLL_MS); // until every watch has its rhythm
    await upstream.takeCounts();
    const cpuBefore = cpuSeconds(gateway.pid);
    const startedAt = performance.now();
    await sleep(seconds * 1000);
    const measuredS = (performance.now() - startedAt) / 1000;
    const cpu = cpuSeconds(gateway.pid) - cpuBefore;
    const calls = totalOf(await upstream.takeCounts());
    const { rssMiB } = memory(gateway.pid);
    return {
      ...setup,
      opening,
      callsPerS: calls / measuredS,
      cpuPercent: (cpu / measuredS) * 100,
      rssMiB,
      growthKiB: ((rssMiB - restMiB) * 1024) / (callers * subscribers),
    };
  } finally {
    agent.destroy();
    await gateway.stop();
  }
}

try {
  const machine = describeMachine();
  const results = [];
  for (const setup of SETUPS) results.push(await measure(setup));
  const rows = results.map((one) => [
    one.watched === 'page' ? 'page of 20 documents' : 'document',
    String(one.callers),
    String(one.callers * one.subscribers),
    String(one.callers * one.objects),
    String(one.opening),
    figure(one.callsPerS, 1),
    figure(one.cpuPercent, 1),
    figure(one.rssMiB, 0),
    figure(one.growthKiB, 0),
  ]);
  const head = [
    'watched',
    'callers',
    'subscribers',
    'objects',
    'calls to open',
    'calls/s',
    'CPU, % of a core',
    'memory, MiB',
    'KiB a subscriber',
  ];
  const [one, , , ten] = results;
  const isShared = one !== undefined && ten !== undefined && ten.callsPerS < one.callsPerS * 1.15;
  const text = [
    `# Subscriptions, ${new Date().toISOString()}`,
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load before ${machine.loadBefore}; LIVE_POLL_MS=${POLL_MS}, ${seconds} s without a change on a fresh process each.`,
    table(head, rows),
    isShared
      ? 'Upstream calls do not grow with the subscribers of a caller.'
      : 'Upstream calls GROW with the subscribers of a caller.',
  ].join('\n\n');
  const file = (name: string): string => fileURLToPath(new URL(`results/${name}`, import.meta.url));
  writeFileSync(file('live.md'), `${text}\n`);
  writeFileSync(file('live.json'), `${JSON.stringify({ machine, seconds, results })}\n`);
  process.stdout.write(`${text}\n`);
  if (!isShared) process.exitCode = 1;
} finally {
  await upstream.stop();
}
