import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { addressOf, logged, logOf, spawnGateway } from '../helpers/process.ts';
import { freePort } from '../helpers/free-port.ts';
import { describeWithRedis, startRedis } from '../helpers/redis.ts';

const person = '{ person(id: "usr-a") { email } }';

async function query(url: string, document: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ann' },
    body: JSON.stringify({ query: document }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

async function metric(url: string, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name} `));
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
      SHARED_SECRET: 'a secret of more than 32 characters, for tests',
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
    expect(dms.requests.length).toBeLessThan(2 * nth);

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

  it('work without Redis, and log once that it is away', async () => {
    const dms = await startDms();
    const replica = spawnGateway({
      DMS_URL: dms.url,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      SHARED_SECRET: 'a secret of more than 32 characters, for tests',
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
