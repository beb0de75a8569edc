/** The process that measures how long /healthz takes, so that the work of other processes does not count. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const INTERVAL_MS = 10;

let longestWaitMs = 0;

/** The time until /healthz answers on a new connection or the gateway has ended. */
function healthMs(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (): void => resolve(performance.now() - startedAt);
    const asked = get(`${url}/healthz`, { agent: false }, (response) => {
      response.resume().once('close', done);
    });
    asked.once('error', done);
    asked.setTimeout(LIMIT_MS, () => asked.destroy());
  });
}

/** Asks with pauses. The first answers are not counted: this process has compiled nothing yet. */
async function probe(url: string): Promise<void> {
  for (let at = 0; at < 10; at += 1) await healthMs(url);
  process.send?.('ready');
  while (process.connected) {
    longestWaitMs = Math.max(longestWaitMs, await healthMs(url));
    await sleep(INTERVAL_MS);
  }
}

process.on('message', (message: { readonly url?: string }) => {
  if (message.url === undefined) process.send?.(longestWaitMs);
  else void probe(message.url);
});
process.on('disconnect', () => process.exit(0));
