/** @module-tag nightly */
import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf, logged, spawnGateway } from '../../helpers/process.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';
import { subscribe } from '../../helpers/subscriber.ts';

async function query(url: string, document: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ann' },
    body: JSON.stringify({ query: document }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

const documentId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const move = `mutation { moveDocument(input: { document: "${documentId}", action: BLOCK }) { __typename } }`;

/** Replicas that use one Redis, before a DMS with one document, whose revision a write increases. */
async function startFleet(count: number, settings: Readonly<Record<string, string>> = {}) {
  let revision = 1;
  const dms = await startFailingDms((request, response) => {
    if (request.method === 'POST') revision += 1;
    const body = JSON.stringify({ _id: documentId, _meta: { _rev: revision } });
    request.resume().once('end', () => response.end(body));
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  const redis = await startRedis();
  const replicas = Array.from({ length: count }, () =>
    spawnGateway({
      DMS_URL: dms.url,
      REDIS_URL: redis.url,
      SHARED_SECRET: 'a secret of more than 32 characters, for tests',
      RATE_LIMIT: '1000000', // its module is loaded while Redis connects
      LIVE_POLL_MS: '3600000',
      ...settings,
    }),
  );
  const urls = await Promise.all(replicas.map(addressOf));
  await Promise.all(replicas.map((replica) => logged(replica, { msg: 'using Redis' })));
  const clients = urls.map((url) => ({
    url,
    fetch(path: string, init: RequestInit = {}) {
      const headers = new Headers(init.headers);
      headers.set('authorization', 'Bearer ann');
      return fetch(url + path, { ...init, headers });
    },
  }));
  const polls = (): number => dms.requests.filter((line) => line.startsWith('GET /api')).length;
  return { polls, redis, clients, replicas };
}

const watch = `subscription { documentChanged(id: "${documentId}") { meta { revision } } }`;

describeWithRedis('replicas with REDIS_URL', () => {
  it('share writes, also after Redis was stopped', async () => {
    const { redis, clients, replicas } = await startFleet(2);
    const [one, other] = [clients[0]!, clients[1]!];
    const subscriber = await subscribe(other, watch);
    const events = () => subscriber.results.length;
    await expect.poll(events).toBe(1);
    // On a busy machine Redis can count as away for a moment, and messages are lost, so the test waits for the final state.
    const writeAndCount = async (): Promise<number> => {
      await query(one.url, move);
      return events();
    };
    await expect.poll(writeAndCount).toBeGreaterThan(1);

    redis.signal('SIGSTOP');
    // A replica notices it with its next command.
    for (const { url } of clients) {
      expect(await query(url, move)).toEqual({
        moveDocument: { __typename: 'MoveDocumentPayload' },
      });
    }
    for (const replica of replicas) await logged(replica, { msg: 'Redis not available' });
    redis.signal('SIGCONT');
    const before = events();
    await expect.poll(writeAndCount).toBeGreaterThan(before);
  });

  it('and workers poll once for a mutation through another of their workers', async () => {
    const { polls, clients } = await startFleet(1, { WORKERS: '2' });
    const [one] = clients;
    // The kernel distributes connections, so that some subscriptions are on another worker than the mutation.
    const subscribers = await Promise.all(Array.from({ length: 8 }, () => subscribe(one!, watch)));
    const counts = () => subscribers.map(({ results }) => results.length);
    await expect.poll(counts).toEqual(subscribers.map(() => 1));
    const workers = polls();
    await query(one!.url, move);
    await expect.poll(counts).toEqual(subscribers.map(() => 2));
    await query(one!.url, '{ __typename }');
    expect(polls()).toBe(2 * workers);
  });
});
