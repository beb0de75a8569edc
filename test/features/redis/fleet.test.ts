import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf, logged, logOf, spawnGateway } from '../../helpers/process.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type GatewaySettings } from '../../../src/features/settings.ts';
import { startGateway } from '../../../src/startup/start-gateway.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { tokenWith } from '../../helpers/jwt.ts';

const person = '{ person(id: "usr-a") { email } }';

async function query(url: string, document: string, authorization = 'Bearer ann') {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query: document }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

async function metric(url: string, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name} `));
}

const secret = 'a secret of more than 32 characters, for tests';

const token = await tokenWith({ sub: 'ann' }, secret);

/** Starts a gateway of this process, which uses Redis. */
async function startReplica(settings: GatewaySettings) {
  const log: string[] = [];
  const onLog = (line: string): void => void log.push(line);
  const gateway = await startGateway({ ...settings, LOG_LEVEL: 'info' }, { onLog });
  onTestFinished(() => gateway.close());
  await expect.poll(() => log.join()).toContain('using Redis');
  return gateway;
}

/** A DMS with one person, whose e-mail address a write changes. */
async function startDms() {
  let email = 'old@example.com';
  const dms = await startFailingDms((request, response) => {
    request.resume();
    if (request.method === 'POST') email = 'new@example.com';
    response.end(JSON.stringify({ _id_sys: 'usr-a', email }));
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms;
}

describeWithRedis('two replicas with REDIS_URL', () => {
  it('share what they read and invalidate it together', async () => {
    const redis = await startRedis({ args: ['--requirepass', 'hunter2'] });
    const dms = await startDms();
    const settings = {
      DMS_URL: dms.url,
      REDIS_URL: redis.url.replace('//', '//:hunter2@'),
      SHARED_SECRET: secret,
      CACHE_TTL_MS: '600000',
    };
    const [one, other] = [spawnGateway(settings), spawnGateway(settings)];
    const [first, second] = await Promise.all([addressOf(one), addressOf(other)]);
    await Promise.all([one, other].map((replica) => logged(replica, { msg: 'using Redis' })));
    // On a busy machine an answer of Redis can be late and count as none: what has to hold holds in the end.
    let nth = 0;
    const readOnBoth = async (): Promise<string | undefined> => {
      nth += 1;
      await query(first, `{ person(id: "usr-${nth}") { email } }`);
      await query(second, `{ person(id: "usr-${nth}") { email } }`);
      return metric(second, 'gateway_cache_reads_total{outcome="redis"}');
    };
    await expect.poll(readOnBoth).toMatch(/ [1-9]\d*$/);
    const reads = dms.requests.filter((line) => line.startsWith('GET /api'));
    expect(reads.length).toBeLessThan(2 * nth);

    expect(await query(second, person)).toEqual({ person: { email: 'old@example.com' } });
    const update =
      'mutation { updatePerson(input: { id: "usr-a", unitName: "x" }) { __typename } }';
    const changeOnFirst = async (): Promise<unknown> => {
      await query(first, update);
      return query(second, person);
    };
    await expect.poll(changeOnFirst).toEqual({ person: { email: 'new@example.com' } });
    await expect
      .poll(() => metric(second, 'gateway_redis_unavailable'))
      .toBe('gateway_redis_unavailable 0');
    expect(one.output() + other.output()).not.toContain('hunter2');
    one.child.kill('SIGTERM');
    expect(await one.exited).toBe(0);
  });

  it.each([
    ['service', 'Bearer ann'],
    ['jwt', `Bearer ${token}`],
  ] as const)(
    'share nothing with another service account (IDENTITY=%s)',
    async (IDENTITY, authorization) => {
      const redis = await startRedis();
      const dms = await startFailingDms(({ headers }, response) => {
        response.end(JSON.stringify({ _id_sys: 'usr-a', email: headers.authorization }));
      });
      onTestFinished(() => dms[Symbol.asyncDispose]());
      const readAs = async (DMS_AUTHORIZATION: string): Promise<unknown> => {
        const { url } = await startReplica({
          DMS_URL: dms.url,
          IDENTITY,
          DMS_AUTHORIZATION,
          ...(IDENTITY === 'jwt' && { JWT_SECRET: secret, JWT_RUN_AS_CLAIM: 'sub' }),
          REDIS_URL: redis.url,
          SHARED_SECRET: secret,
        });
        return query(url, person, authorization);
      };
      expect(await readAs('Bearer all')).toEqual({ person: { email: 'Bearer all' } });
      await expect.poll(() => redis.cli('keys', '*:reference:*')).not.toBe('');
      expect(await readAs('Bearer few')).toEqual({ person: { email: 'Bearer few' } });
    },
  );

  it('work without Redis, and log once that it is away', async () => {
    const dms = await startDms();
    const replica = spawnGateway({
      DMS_URL: dms.url,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      SHARED_SECRET: secret,
    });
    const url = await addressOf(replica);
    expect(await query(url, person)).toEqual({ person: { email: 'old@example.com' } });
    const line = await logged(replica, { msg: 'Redis not available' });
    expect(line).toMatchObject({ level: 40, reason: expect.stringContaining('ECONNREFUSED') });
    expect(await metric(url, 'gateway_redis_unavailable')).toBe('gateway_redis_unavailable 1');
    replica.child.kill('SIGTERM');
    expect(await replica.exited).toBe(0);
    expect(logOf(replica).filter(({ msg }) => msg === 'Redis not available')).toHaveLength(1);
  });
});

it('leaves nothing that keeps the process running', async () => {
  const program = `
    import { startGateway } from './src/index.ts';
    const sharing = { REDIS_URL: 'redis://127.0.0.1:1', SHARED_SECRET: '${secret}' };
    const start = () => startGateway({ ...sharing, RATE_LIMIT: 100, LOG_LEVEL: 'silent' });
    const gateways = await Promise.all([start(), start()]);
    await Promise.all(gateways.map((gateway) => gateway.close()));
    console.log('closed');`;
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  expect(await running).toEqual({ stdout: 'closed\n', stderr: '' });
});

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
      SHARED_SECRET: secret,
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
    expect(await query(one.url, move)).toEqual({
      moveDocument: { __typename: 'MoveDocumentPayload' },
    });
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
