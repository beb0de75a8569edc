/** The load process: executes one command of the run at a time and returns measurements or an error. */
import { Pool } from 'undici';

import { ALL_WORKLOADS } from '../../workloads/index.ts';
import type { LoadFigures, Command, Reply } from '../messages.ts';
import { quantile } from '../stats.ts';
import { download, upload } from './files.ts';
import { check, load } from './queries.ts';

const CONNECTIONS = 64;
const pools = new Map<string, Pool>();

function poolOf(url: string): Pool {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new Pool(url, { connections: CONNECTIONS, headersTimeout: 60_000, bodyTimeout: 60_000 });
    pools.set(url, pool);
  }
  return pool;
}

function workloadOf(name: string) {
  const workload = ALL_WORKLOADS.find((each) => each.name === name);
  if (workload === undefined) throw new Error(`no workload ${name}`);
  return workload;
}

/** Transfers one after the other, to measure throughput and not concurrency. */
async function inTurn(times: number, transfer: (caller: number) => Promise<void>) {
  const took: number[] = [];
  const started = performance.now();
  for (let time = 0; time < times; time += 1) {
    const from = performance.now();
    await transfer(time % 16);
    took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  return {
    requests: times,
    seconds: (performance.now() - started) / 1000,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
  };
}

async function execute(command: Command): Promise<LoadFigures | void> {
  const pool = poolOf(command.url);
  switch (command.kind) {
    case 'check':
      return check(pool, workloadOf(command.workload));
    case 'load':
      return load(pool, workloadOf(command.workload), command.ms, command.inFlight);
    case 'upload':
      return inTurn(command.times, (caller) => upload(pool, command.bytes, caller));
    case 'download':
      return inTurn(command.times, (caller) =>
        download(pool, command.bytes, caller, command.times === 1),
      );
  }
}

async function replyTo(command: Command): Promise<void> {
  let reply: Reply;
  try {
    const figures = await execute(command);
    reply = figures === undefined ? {} : { figures };
  } catch (error) {
    reply = { error: String(error) };
  }
  process.send?.(reply);
}

process.on('message', (command: Command) => void replyTo(command));
process.on('disconnect', () => process.exit(0));
