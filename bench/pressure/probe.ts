/**
 * The process that measures how long /healthz takes: the time, which includes that of other processes on the same
 * processors, and the CPU time that the gateway has used meanwhile.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const INTERVAL_MS = 10;
/** Another client than those of the load, as an orchestrator is. */
const localAddress = '127.0.0.2';

/** The maxima of all answers, in milliseconds. */
export interface Waits {
  readonly waitMs: number;
  /** CPU time of the main thread of the gateway. */
  readonly cpuMs: number;
}

let waits: Waits = { waitMs: 0, cpuMs: 0 };

/** CPU time of the main thread of a process, in milliseconds. Linux only. 0 if it has ended. */
function cpuMsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** The time until /healthz answers on a new connection or the gateway has ended. */
function healthMs(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (): void => resolve(performance.now() - startedAt);
    const asked = get(`${url}/healthz`, { agent: false, localAddress }, (response) => {
      response.resume().once('close', done);
    });
    asked.once('error', done);
    asked.setTimeout(LIMIT_MS, () => asked.destroy());
  });
}

/** Asks with pauses. The first answers are not counted: this process has compiled nothing yet. */
async function probe(url: string, pid: number): Promise<void> {
  for (let at = 0; at < 10; at += 1) await healthMs(url);
  process.send?.('ready');
  while (process.connected) {
    const before = cpuMsOf(pid);
    const waitMs = Math.max(waits.waitMs, await healthMs(url));
    waits = { waitMs, cpuMs: Math.max(waits.cpuMs, cpuMsOf(pid) - before) };
    await sleep(INTERVAL_MS);
  }
}

process.on('message', (message: { readonly url?: string; readonly pid: number }) => {
  if (message.url === undefined) process.send?.(waits);
  else void probe(message.url, message.pid);
});
process.on('disconnect', () => process.exit(0));
