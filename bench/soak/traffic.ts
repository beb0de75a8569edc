import { Pool } from 'undici';

import { download, upload } from '../harness/load/files.ts';
import { send } from '../harness/load/queries.ts';
import { WORKLOADS } from '../workloads/index.ts';

const MIB = 2 ** 20;

export interface Counts {
  ok: number;
  /** Responses without complete data, as during an outage. */
  failed: number;
  /** Requests without a response, because the connection broke. */
  broken: number;
}

/**
 * Sends mixed traffic until `until`: several clients run every workload in turn, one client uploads and one downloads.
 * Failures are counted and not thrown, because the upstream disappears repeatedly.
 */
export async function traffic(url: string, until: number, counts: Counts): Promise<void> {
  const pool = new Pool(url, { connections: 64 });
  const clients = [
    ...Array.from({ length: 12 }, (_, client) => queries(pool, until, counts, client)),
    transfers(until, counts, (turn) => upload(pool, (1 + (turn % 8)) * MIB, turn % 16)),
    transfers(until, counts, (turn) => download(pool, (1 + (turn % 8)) * MIB, turn % 16, true)),
  ];
  await Promise.all(clients);
  await pool.close();
}

async function queries(pool: Pool, until: number, counts: Counts, client: number): Promise<void> {
  for (let turn = client; Date.now() < until; turn += 1) {
    const workload = WORKLOADS[turn % WORKLOADS.length];
    const variant = workload?.variants[(turn * 7) % (workload.variants.length || 1)];
    if (variant === undefined) return;
    try {
      const { status, body } = await send(pool, variant, true);
      const whole = status === 200 && !body.toString().includes('"errors"');
      if (whole) counts.ok += 1;
      else counts.failed += 1;
    } catch {
      counts.broken += 1;
    }
    await pause(10);
  }
}

async function transfers(
  until: number,
  counts: Counts,
  transfer: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; Date.now() < until; turn += 1) {
    try {
      await transfer(turn);
      counts.ok += 1;
    } catch {
      counts.failed += 1;
    }
    await pause(200);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
