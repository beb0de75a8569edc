import { expect, it, onTestFinished } from 'vitest';
import { createSharedState } from '../../src/redis/index.ts';
import { createSealing } from '../../src/redis/sealing.ts';
import { createRegisteredDocuments } from '../../src/server/graphql/persisted/registered-documents.ts';
import { sha256 } from '../helpers/persisted-documents.ts';
import {
  describeWithRedis,
  redisClient,
  startRedis,
  startRedisProxy,
  type TestRedis,
} from '../helpers/redis.ts';

const secret = 'a secret of more than 32 characters, for tests';
const baseUrl = 'http://dms.test';
const text = '{ person(id: "a") { email } }';
const id = sha256(text);

interface ReplicaOptions {
  readonly secret?: string;
  readonly baseUrl?: string;
  readonly maxWaitMs?: number;
  readonly checkMs?: number;
}

/** The registered documents of one of several gateways; resolves when it uses Redis. */
async function startReplica(url: string, options: ReplicaOptions = {}) {
  const changes: boolean[] = [];
  const shared = createSharedState({
    secret,
    baseUrl,
    cacheTtlMs: 0,
    maxWaitMs: 20_000,
    checkMs: 50,
    ...options,
    url,
    onWritten() {},
    onChange: (isUp) => changes.push(isUp),
  });
  onTestFinished(() => shared.close());
  const sharePerCaller = 1 / 8;
  const documents = createRegisteredDocuments({ sharePerCaller, shared: shared.documents });
  await expect.poll(() => changes).toEqual([true]);
  return {
    changes,
    register: (query = text, caller = 'ann') => documents.set(sha256(query), query, caller),
    find: (query = text) => documents.get(sha256(query), 'bob'),
  };
}

const namesIn = (redis: TestRedis, kind = 'document'): string[] =>
  redis.cli('keys', `dms-gateway:1:${kind}:*`).split('\n').filter(Boolean);

/** Nobody waits until a document is stored, so tests do. */
async function untilStored(redis: TestRedis, count = 1): Promise<void> {
  await expect.poll(() => namesIn(redis)).toHaveLength(count);
}

describeWithRedis('a document that a client registers with one replica', () => {
  it('is found by the others, and stays when Redis loses it', async () => {
    const redis = await startRedis();
    const [one, other] = [await startReplica(redis.url), await startReplica(redis.url)];
    expect(await other.find()).toBeNull();
    await one.register();
    await untilStored(redis);
    expect(await other.find()).toBe(text);
    redis.cli('flushall');
    expect(await other.find()).toBe(text);
    expect(await (await startReplica(redis.url)).find()).toBeNull();
  });

  it('is stored again when it has expired', async () => {
    const redis = await startRedis();
    const [one, other] = [await startReplica(redis.url), await startReplica(redis.url)];
    await one.register();
    await untilStored(redis);
    redis.cli('flushall');
    await one.register();
    await untilStored(redis);
    expect(await other.find()).toBe(text);
  });

  it('expires after a day, and cannot be read or recognized in Redis', async () => {
    const redis = await startRedis();
    await (await startReplica(redis.url)).register();
    await untilStored(redis);
    const all = redis.cli('keys', '*').split('\n');
    const names = all.filter((name) => !name.endsWith(':check')); // lasts a second
    for (const name of names) {
      expect(name).not.toContain(id);
      expect(Number(redis.cli('ttl', name))).toBeGreaterThan(0);
      expect(redis.cli('get', name)).not.toContain('person');
    }
    expect(Number(redis.cli('ttl', namesIn(redis)[0]!))).toBeGreaterThan(86_000);
  });

  it.each([
    ['SHARED_SECRET', { secret: 'another secret of more than 32 characters' }],
    ['DMS_URL', { baseUrl: 'http://other.test' }],
  ])('is not found by a gateway with another %s', async (_name, options) => {
    const redis = await startRedis();
    await (await startReplica(redis.url)).register();
    await untilStored(redis);
    expect(await (await startReplica(redis.url, options)).find()).toBeNull();
  });
});

describeWithRedis('a value in Redis', () => {
  it('that was moved, changed or truncated is ignored', async () => {
    const redis = await startRedis();
    const client = redisClient(redis);
    const one = await startReplica(redis.url);
    const find = async (query = text) => (await startReplica(redis.url)).find(query);
    await one.register();
    await untilStored(redis);
    const [name = ''] = namesIn(redis);
    await one.register('{ __typename }');
    await untilStored(redis, 2);
    const otherName = namesIn(redis).find((each) => each !== name)!;
    const value = (await client.getBuffer(name))!;
    await client.set(otherName, value);
    expect(await find('{ __typename }')).toBeNull();
    for (const damaged of [value.subarray(0, -1), value.subarray(0, 5), Buffer.alloc(0)]) {
      await client.set(name, damaged);
      expect(await find()).toBeNull();
    }
    const changed = Buffer.from(value);
    changed[changed.length - 1]! ^= 1;
    await client.set(name, changed);
    expect(await find()).toBeNull();
    await client.set(name, value);
    expect(await find()).toBe(text);
  });

  it('with another hash than its key is ignored, also if it was encrypted by a gateway', async () => {
    const redis = await startRedis();
    const sealing = createSealing(secret);
    const name = sealing.name('document', baseUrl, id);
    await redisClient(redis).set(name, sealing.seal(name, '{ other }'));
    expect(await (await startReplica(redis.url)).find()).toBeNull();
  });

  it('of another type counts as missing', async () => {
    const redis = await startRedis();
    redis.cli('hset', createSealing(secret).name('document', baseUrl, id), 'a', 'b');
    const one = await startReplica(redis.url);
    expect(await one.find()).toBeNull();
    expect(one.changes).toEqual([true]);
  });
});

describeWithRedis('what clients register in a day', () => {
  const long = (nth: number, length = 200_000): string => `#${'x'.repeat(length)}\n{ a${nth} }`;

  it('has a limit per caller and in total', async () => {
    const redis = await startRedis();
    const one = await startReplica(redis.url);
    const share = Math.floor((16 * 2 ** 20) / 8 / 200_510);
    const registerAll = async (caller: string, from: number): Promise<void> => {
      for (let nth = from; nth < from + share + 3; nth += 1) await one.register(long(nth), caller);
    };
    await registerAll('ann', 0);
    await untilStored(redis, share);
    await registerAll('ben', 100);
    await untilStored(redis, 2 * share);
    for (let caller = 2; caller < 12; caller += 1) await registerAll(`c${caller}`, 100 * caller);
    await one.register('{ b }', 'dan'); // what is left is enough for it
    const total = Math.floor((16 * 2 ** 20) / 200_510);
    await expect.poll(() => namesIn(redis).length).toBeGreaterThanOrEqual(8 * share);
    expect(namesIn(redis).length).toBeLessThanOrEqual(total + 1);
    expect(one.changes).toEqual([true]);
  });

  it('takes no more space for callers when the total is reached', async () => {
    const redis = await startRedis();
    const one = await startReplica(redis.url);
    const used = redisClient(redis);
    await one.register();
    await untilStored(redis);
    // The larger counter is the caller's, whose bytes count eightfold.
    const counters = namesIn(redis, 'bytes');
    const counts = counters.map((name) => Number(redis.cli('get', name)));
    const total = counters[counts.indexOf(Math.min(...counts))]!;
    await used.set(total, 16 * 2 ** 20 + 1, 'KEEPTTL');
    for (let nth = 0; nth < 50; nth += 1) await one.register(`{ a${nth} }`, `made up ${nth}`);
    await one.register('{ b }', 'ann');
    // Searches are answered in the order of the commands, so all registrations are done.
    for (let nth = 0; nth < 5; nth += 1) await one.find('{ unknown }');
    expect(namesIn(redis, 'bytes')).toHaveLength(2);
    expect(namesIn(redis)).toHaveLength(1);
  });

  it('does not include documents above 256 KiB', async () => {
    const redis = await startRedis();
    const one = await startReplica(redis.url);
    await one.register(long(1, 256 * 1024));
    await one.register();
    await untilStored(redis);
    expect(await one.find(long(1, 256 * 1024))).not.toBeNull();
  });
});

describeWithRedis('a Redis that fails', () => {
  it('is asked once until the time limit, then not until it answers again', async () => {
    const redis = await startRedis();
    const proxy = await startRedisProxy(redis.port);
    // Only commands detect that Redis does not answer. A new connection is checked all the same.
    const one = await startReplica(proxy.url, { maxWaitMs: 2000, checkMs: 3_600_000 });
    await (await startReplica(redis.url)).register();
    await untilStored(redis);
    proxy.isHeld = true;
    for (let nth = 0; nth < 5; nth += 1) expect(await one.find()).toBeNull();
    await one.register('{ a }');
    expect(await one.find('{ a }')).toBe('{ a }');
    expect(proxy.lost.match(/dms-gateway:1:document:/g)).toHaveLength(1);
    proxy.isHeld = false;
    await expect.poll(() => one.find()).toBe(text);
  });

  it('leaves each replica what its own clients register', async () => {
    const redis = await startRedis();
    const one = await startReplica(redis.url);
    redis.signal('SIGKILL');
    await expect.poll(() => one.changes.at(-1)).toBe(false);
    await one.register();
    expect(await one.find()).toBe(text);
    expect(await one.find('{ a }')).toBeNull();
  });

  it('because it is full stores nothing, and is used again', async () => {
    const redis = await startRedis();
    const one = await startReplica(redis.url);
    redis.cli('config', 'set', 'maxmemory', '1');
    await one.register();
    await expect.poll(() => one.changes.at(-1)).toBe(false);
    redis.cli('config', 'set', 'maxmemory', '0');
    await expect.poll(() => one.changes.at(-1)).toBe(true);
    await one.register();
    await untilStored(redis);
  });
});
