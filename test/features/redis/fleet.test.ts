import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type GatewaySettings } from '../../../src/features/settings.ts';
import { startGateway } from '../../../src/startup/start-gateway.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';
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

async function startGatewayWith(settings: GatewaySettings) {
  const log: string[] = [];
  const onLog = (line: string): void => void log.push(line);
  const gateway = await startGateway({ ...settings, LOG_LEVEL: 'info' }, { onLog });
  onTestFinished(() => gateway.close());
  return { url: gateway.url, log };
}

/** Starts a gateway that uses Redis. */
async function startReplica(settings: GatewaySettings) {
  const gateway = await startGatewayWith(settings);
  await expect.poll(() => gateway.log.join()).toContain('using Redis');
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
      CACHE_TTL_MS: 600_000,
    };
    const [one, other] = [await startReplica(settings), await startReplica(settings)];
    // On a busy machine an answer of Redis can be late and count as none: what has to hold holds in the end.
    let nth = 0;
    const readOnBoth = async (): Promise<string | undefined> => {
      nth += 1;
      await query(one.url, `{ person(id: "usr-${nth}") { email } }`);
      await query(other.url, `{ person(id: "usr-${nth}") { email } }`);
      return metric(other.url, 'gateway_cache_reads_total{outcome="redis"}');
    };
    await expect.poll(readOnBoth).toMatch(/ [1-9]\d*$/);
    const reads = dms.requests.filter((line) => line.startsWith('GET /api'));
    expect(reads.length).toBeLessThan(2 * nth);

    expect(await query(other.url, person)).toEqual({ person: { email: 'old@example.com' } });
    const update =
      'mutation { updatePerson(input: { id: "usr-a", unitName: "x" }) { __typename } }';
    const changeOnFirst = async (): Promise<unknown> => {
      await query(one.url, update);
      return query(other.url, person);
    };
    await expect.poll(changeOnFirst).toEqual({ person: { email: 'new@example.com' } });
    await expect
      .poll(() => metric(other.url, 'gateway_redis_unavailable'))
      .toBe('gateway_redis_unavailable 0');
    expect([...one.log, ...other.log].join('')).not.toContain('hunter2');
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
    const { url, log } = await startGatewayWith({
      DMS_URL: dms.url,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      SHARED_SECRET: secret,
    });
    expect(await query(url, person)).toEqual({ person: { email: 'old@example.com' } });
    const lines = () => log.filter((line) => line.includes('Redis not available'));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0]!)).toMatchObject({
      level: 40,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await metric(url, 'gateway_redis_unavailable')).toBe('gateway_redis_unavailable 1');
    await query(url, person);
    expect(lines()).toHaveLength(1);
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
