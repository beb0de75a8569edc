/** @module-tag nightly */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { freePort } from '../../helpers/free-port.ts';
import { readDeployFile } from '../compose.ts';

const person = '{ person(id: "usr-ann") { email } }';
const mutation =
  'mutation { updatePerson(input: { id: "usr-ann", firstName: "x" }) { __typename } }';

const ask = (url: string, query: string): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

/**
 * Starts HAProxy with deploy/haproxy.cfg. Only the addresses differ: there is no name server of Docker, so each gateway
 * has a line of its own.
 */
async function startLoadBalancer(gateways: readonly string[]): Promise<string> {
  const port = await freePort();
  const servers = gateways.map((url, at) => `  server gateway${at + 1} ${new URL(url).host}`);
  const text = readDeployFile('haproxy.cfg')
    .replace('bind :4000', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server-template .*$/m, servers.join('\n'));
  const folder = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => ask(url, person).then(({ status }) => status, String)).toBe(200);
  return url;
}

/** Two gateways behind HAProxy. `hold` makes the DMS leave the requests for a path open. */
async function startFleet(hold = 'nothing') {
  const held: ServerResponse[] = [];
  const dms = await startFailingDms((request, response) => {
    if (request.url?.includes('/file/')) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('first');
      held.push(response);
    } else if (`${request.method} ${request.url}`.includes(hold)) held.push(response);
    else response.end('{"_id_sys":"usr-ann","email":"x"}');
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  const gateways = [1, 2].map(() => spawnGateway({ DMS_URL: dms.url, CACHE_TTL_MS: '0' }));
  const urls = await Promise.all(gateways.map(addressOf));
  return { dms, held, gateways, urls, url: await startLoadBalancer(urls) };
}

async function requestsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^gateway_requests_total\{type="query".*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('deploy/haproxy.cfg', () => {
  it('distributes requests and hides monitoring', async () => {
    const { url, urls } = await startFleet();
    for (let time = 0; time < 10; time += 1) expect((await ask(url, person)).status).toBe(200);
    for (const gateway of urls) expect(await requestsOf(gateway)).toBeGreaterThan(2);
    for (const path of ['/metrics', '/healthz', '/readyz']) {
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    }
  });

  it('streams a response', async () => {
    const { url, held } = await startFleet();
    const response = await fetch(`${url}/files/documents/d/f`);
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
    held[0]!.end('rest');
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('rest');
  });

  it('limits bodies, and the requests of an address', async () => {
    const { url, dms } = await startFleet();
    expect((await ask(url, 'x'.repeat(2 ** 20))).status).toBe(413);
    let rejected: Response | undefined;
    while (rejected === undefined) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/none`)));
      rejected = answers.find(({ status }) => status === 429);
    }
    expect(rejected.headers.get('retry-after')).toBe('10');
    expect(dms.requests.filter((line) => line.includes('person'))).toHaveLength(1); // that of the start
  });

  it('uses the other gateway when one has ended', async () => {
    const { url, gateways } = await startFleet();
    const [first] = gateways;
    first!.child.kill('SIGTERM');
    expect(await first!.exited).toBe(0);
    // At once, before HAProxy has checked its health again.
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask(url, person)).status),
    );
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('does not repeat a mutation', async () => {
    const { url, dms, held, gateways, urls } = await startFleet('POST ');
    const answer = ask(url, mutation);
    await expect.poll(() => held.length).toBe(1);
    const inFlight = await Promise.all(
      urls.map(async (gateway) =>
        /^gateway_upstream_calls_in_flight 1$/m.test(
          await (await fetch(`${gateway}/metrics`)).text(),
        ),
      ),
    );
    gateways[inFlight.indexOf(true)]!.child.kill('SIGKILL');
    expect((await answer).status).toBe(502);
    expect((await ask(url, person)).status).toBe(200);
    expect(dms.requests.filter((request) => request.startsWith('POST '))).toHaveLength(1);
  });
});
