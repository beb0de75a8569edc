/** The process that measures how long a query takes on a new connection. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const INTERVAL_MS = 50;
const options = {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer probe' },
  localAddress: '127.0.0.2', // another client than the flood
  agent: false,
};
const body = JSON.stringify({ query: '{ document(id: "DOC-1") { id shortId } }' });

let longestMs = 0;

/** The time until a query is answered. A failure counts as the limit. */
function queryMs(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const asked = request(`${url}/graphql`, options, (response) => {
      const isAnswer = response.statusCode === 200;
      response.resume().once('close', () => {
        resolve(isAnswer ? performance.now() - startedAt : LIMIT_MS);
      });
    });
    asked.once('error', () => resolve(LIMIT_MS));
    asked.setTimeout(LIMIT_MS, () => asked.destroy());
    asked.end(body);
  });
}

/** Asks with pauses. The first answers are not counted: nothing is compiled yet. */
async function probe(url: string): Promise<void> {
  for (let at = 0; at < 50; at += 1) await queryMs(url);
  process.send?.('ready');
  while (process.connected) {
    longestMs = Math.max(longestMs, await queryMs(url));
    await sleep(INTERVAL_MS);
  }
}

process.on('message', ({ url }: { readonly url?: string }) => {
  if (url === undefined) process.send?.(longestMs);
  else void probe(url);
});
process.on('disconnect', () => process.exit(0));
