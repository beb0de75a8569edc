/** The load process: executes one order of the run at a time and returns measurements or an error. */
import { Pool } from 'undici';

import { ALL_WORKLOADS } from '../../workloads/index.ts';
import type { LoadFigures, Order, Reply } from '../messages.ts';
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

async function obey(order: Order): Promise<LoadFigures | void> {
  const pool = poolOf(order.url);
  switch (order.kind) {
    case 'check':
      return check(pool, workloadOf(order.workload));
    case 'load':
      return load(pool, workloadOf(order.workload), order.ms, order.inFlight);
    case 'upload':
      return inTurn(order.times, (caller) => upload(pool, order.bytes, caller));
    case 'download':
      return inTurn(order.times, (caller) =>
        download(pool, order.bytes, caller, order.times === 1),
      );
    case 'close':
      pools.delete(order.url);
      return pool.close();
  }
}

async function replyTo(order: Order): Promise<void> {
  let reply: Reply;
  try {
    const figures = await obey(order);
    reply = figures === undefined ? {} : { figures };
  } catch (error) {
    reply = { error: String(error) };
  }
  process.send?.(reply);
}

process.on('message', (order: Order) => void replyTo(order));
process.on('disconnect', () => process.exit(0));
