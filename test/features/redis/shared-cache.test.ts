import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ReferenceResource } from '../../../src/model/resource.ts';
import { Dms } from '../../../src/rest/dms.ts';
import { createMockDms, testBudget, testCaller, testHttp } from '../../helpers/mock-dms.ts';
import type { MockDms } from '../../helpers/mock-dms.ts';
import {
  describeWithRedis,
  startFailingRedis,
  startRedis,
  startRedisFailover,
  startRedisProxy,
} from '../../helpers/redis.ts';
import { freePort } from '../../helpers/free-port.ts';
import { secret, startSharedState, type ReplicaOptions } from './replica.ts';

/** One of several gateways before the same DMS. */
function startReplica(mock: MockDms, url: string, options: ReplicaOptions = {}) {
  const changes: { isUp: boolean; reason: string | null }[] = [];
  const invalidated: (readonly ReferenceResource[])[] = [];
  const reads: string[] = [];
  const { cacheTtlMs = 60_000 } = options;
  const shared = startSharedState(url, {
    ...options,
    onWritten({ resources }) {
      invalidated.push(resources);
      http.invalidate(resources);
    },
    onChange: (isUp, reason) => changes.push({ isUp, reason }),
  });
  const http = testHttp(
    mock,
    {
      cacheTtlMs,
      sharedCache: shared.cache,
    },
    { cacheRead: (outcome) => reads.push(outcome) },
  );
  http.writes.on((write) => shared.cache.invalidate(write));
  return {
    changes,
    invalidated,
    reads,
    cache: shared.cache,
    dms: (key = 'ann'): Dms => new Dms(http, testCaller({ key }), testBudget()),
  };
}

/** A replica that uses Redis and receives the messages of the others. */
async function startConnected(mock: MockDms, url: string, options: ReplicaOptions = {}) {
  const replica = startReplica(mock, url, options);
  await expect.poll(() => replica.changes).toEqual([{ isUp: true, reason: null }]);
  await expect.poll(() => replica.invalidated).toHaveLength(1);
  return replica;
}

function personMock(email: () => string = () => 'ann@example.com'): MockDms {
  return createMockDms()
    .reply('GET', /\/person\//, ({ path }) => ({
      _id_sys: path.split('/').at(-1),
      email: email(),
    }))
    .reply('POST', /\/person/, { _id_sys: 'usr-a' });
}

/** Waits until what was read is kept: that nobody waits for it is the point. */
async function untilKept(redis: { cli(...args: string[]): string }, count = 1): Promise<void> {
  await expect.poll(() => keysOf(redis)).toHaveLength(count);
}

const keysOf = ({ cli }: { cli(...args: string[]): string }, kind = 'reference'): string[] =>
  cli('keys', `dms-gateway:1:${kind}:*`).split('\n').filter(Boolean);

/** A Redis with a person, and the replica that has read and stored it. */
async function startStored() {
  const redis = await startRedis();
  const mock = personMock();
  const one = await startConnected(mock, redis.url);
  await one.dms().persons.get('usr-a');
  await untilKept(redis);
  return { redis, mock, one };
}

describeWithRedis('reference data in Redis', () => {
  it('is not stored if it is nested too deeply to be written', async () => {
    const redis = await startRedis();
    const deep = `{"_id_sys":"usr-a","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const mock = createMockDms().reply('GET', /\/person\/usr-a/, deep);
    mock.reply('GET', /\/person\/usr-b/, { _id_sys: 'usr-b' });
    const one = await startConnected(mock, redis.url);
    expect(await one.dms().persons.get('usr-a')).toMatchObject({ systemId: 'usr-a' });
    expect(await one.dms().persons.get('usr-b')).toMatchObject({ systemId: 'usr-b' });
    await untilKept(redis);
    expect(one.reads).toEqual(['miss', 'miss']);
  });

  it('is read by one replica for all', async () => {
    const redis = await startRedis();
    const mock = personMock()
      .reply('GET', /crm\/org\?/, [{ _id: 'o1' }], { headers: { 'svc-total-count': '7' } })
      .reply('GET', /listValue/, [{ _id: 'l1', _id_kf: '' }])
      .reply('GET', /sysForm/, [{ _id: 'f1' }])
      .reply('GET', /orgUnit/, { _id_sys: 'unit1' });
    const reads: ((dms: Dms) => Promise<unknown>)[] = [
      (dms) => dms.persons.get('usr-a'),
      (dms) => dms.organizations.list({ first: 0, pageSize: 10 }),
      (dms) => dms.listValues.directories(),
      (dms) => dms.listValues.inDirectory('l1'),
      (dms) => dms.forms.all(),
      (dms) => dms.orgUnits.get('unit1'),
    ];
    const [one, other] = [
      await startConnected(mock, redis.url),
      await startConnected(mock, redis.url),
    ];
    const first = await Promise.all(reads.map((read) => read(one.dms())));
    await untilKept(redis, reads.length);
    const sent = mock.requests.length;
    expect(await Promise.all(reads.map((read) => read(other.dms())))).toEqual(first);
    expect(mock.requests).toHaveLength(sent);
    expect(other.reads).toEqual(reads.map(() => 'redis'));
    // From its own memory the second time.
    await reads[0]!(other.dms());
    expect(other.reads.at(-1)).toBe('hit');
  });

  it('hides names and values, and every key expires', async () => {
    const { redis, one } = await startStored();
    const [key] = keysOf(redis);
    expect(`${key} ${redis.cli('get', key!)}`).not.toMatch(/ann|usr-a|example|person/);
    expect(Number(redis.cli('pttl', key!))).toBeLessThanOrEqual(60_000);
    await one.dms().persons.update('usr-a', {});
    for (const name of redis.cli('keys', '*').split('\n')) {
      expect(Number(redis.cli('pttl', name))).not.toBe(-1); // -2 if it is gone
    }
    // A generation that expires during a read could not tell that there was a write.
    for (const name of keysOf(redis, 'generation')) {
      expect(Number(redis.cli('pttl', name))).toBeGreaterThan(3_600_000);
    }
  });

  it('contains the total of a list and no other header of the DMS', async () => {
    const redis = await startRedis();
    const { cache } = await startConnected(personMock(), redis.url);
    const { store } = await cache.read('organizations', 'ann', 'list');
    const headers = { 'svc-total-count': '7', 'set-cookie': ['session=secret'], date: 'today' };
    store({ body: [], headers, bytes: 2, request: 'GET /api/v2/crm/org' });
    await untilKept(redis);
    const { cached } = await cache.read('organizations', 'ann', 'list');
    expect(cached?.response.headers).toEqual({ 'svc-total-count': '7' });
  });

  it.each([
    ['than in Redis', '300', 60_000],
    ['than CACHE_TTL_MS of the replica that reads it', '60000', 300],
  ])('is cached in memory no longer %s', async (_, leftMs, cacheTtlMs) => {
    const { redis, mock } = await startStored();
    redis.cli('pexpire', keysOf(redis)[0]!, leftMs);
    const other = await startConnected(mock, redis.url, { cacheTtlMs });
    const readAgain = async () => {
      await other.dms().persons.get('usr-a');
      return mock.requests.length;
    };
    await expect.poll(readAgain).toBe(2);
  });

  it.each([
    ['was restored after CACHE_TTL_MS', 90_000],
    ['is from a clock that is ahead by more than CACHE_TTL_MS', -90_000],
  ])('is ignored if it %s', async (_, laterMs) => {
    const { redis, mock } = await startStored();
    const other = await startConnected(mock, redis.url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + laterMs });
    onTestFinished(() => void vi.useRealTimers());
    await other.dms().persons.get('usr-a');
    expect(other.reads).toEqual(['miss']);
  });

  it.each([
    ['identity', 'ben', {}],
    ['SHARED_SECRET', 'ann', { secret: `another ${secret}` }],
    ['DMS_URL', 'ann', { baseUrl: 'http://other.test' }],
  ])('is not shared with another %s', async (_name, key, options) => {
    const { redis, mock } = await startStored();
    const other = await startConnected(mock, redis.url, options);
    await other.dms(key).persons.get('usr-a');
    expect(mock.requests).toHaveLength(2);
  });

  it('is ignored if it was swapped, damaged or replaced', async () => {
    const { redis, mock, one } = await startStored();
    await one.dms().persons.get('usr-b');
    await untilKept(redis, 2);
    const [first, second] = keysOf(redis);
    redis.cli('copy', first!, second!, 'replace');
    redis.cli('setrange', first!, '40', 'xxxx');
    const other = await startConnected(mock, redis.url);
    expect((await other.dms().persons.get('usr-a')).systemId).toBe('usr-a');
    expect((await other.dms().persons.get('usr-b')).systemId).toBe('usr-b');
    expect(other.reads).toEqual(['miss', 'miss']);

    for (const key of [first!, second!, ...keysOf(redis, 'generation')]) {
      redis.cli('del', key);
      redis.cli('lpush', key, 'x');
    }
    const third = await startConnected(mock, redis.url);
    await third.dms().persons.get('usr-a');
    expect(third.reads).toEqual(['miss']);
    expect(third.changes).toHaveLength(1);
  });
});

describeWithRedis('a mutation', () => {
  it('invalidates what every replica keeps, for every identity', async () => {
    const redis = await startRedis();
    let email = 'old@example.com';
    const mock = personMock(() => email);
    const one = await startConnected(mock, redis.url);
    const other = await startConnected(mock, redis.url);
    await other.dms('ben').persons.get('usr-a');
    await untilKept(redis);
    email = 'new@example.com';
    await one.dms('ann').persons.update('usr-a', {});
    await expect.poll(() => other.invalidated).toHaveLength(2);
    expect(other.invalidated[1]).toEqual(['persons', 'orgUnits']);
    expect(one.invalidated).toHaveLength(1);
    expect((await other.dms('ben').persons.get('usr-a')).email).toBe('new@example.com');
    const third = await startConnected(mock, redis.url);
    expect((await third.dms('ben').persons.get('usr-a')).email).toBe('new@example.com');
  });

  it('ends what another replica was reading before it', async () => {
    const redis = await startRedis();
    let email = 'old@example.com';
    const mock = personMock(() => email).reply('POST', /\/person/, { _id_sys: 'usr-a' });
    const one = await startConnected(mock, redis.url);
    const other = await startConnected(mock, redis.url);
    const path = '/api/v2/person/usr-a';
    const before = await other.cache.read('persons', 'ann', path);
    const body = { _id_sys: 'usr-a', email };
    email = 'new@example.com';
    await one.dms().persons.update('usr-a', {});
    before.store({ body, headers: {}, bytes: 10, request: `GET ${path}` });
    await untilKept(redis); // under the generation before the write
    const third = await startConnected(mock, redis.url);
    expect((await third.dms().persons.get('usr-a')).email).toBe('new@example.com');
    await expect.poll(() => other.invalidated).toHaveLength(2);
    expect((await other.dms().persons.get('usr-a')).email).toBe('new@example.com');
  });

  it('prevents that another replica stores what it was reading before it', async () => {
    const redis = await startRedis();
    const slow = Promise.withResolvers<void>();
    let email = 'old@example.com';
    const mock = createMockDms()
      .reply('GET', /\/person\//, async () => {
        const answer = { _id_sys: 'usr-a', email };
        if (email.startsWith('old')) await slow.promise;
        return answer;
      })
      .reply('POST', /\/person/, { _id_sys: 'usr-a' });
    const one = await startConnected(mock, redis.url);
    const other = await startConnected(mock, redis.url);
    const before = other.dms().persons.get('usr-a');
    await expect.poll(() => mock.requests).toHaveLength(1);
    email = 'new@example.com';
    await one.dms().persons.update('usr-a', {});
    await expect.poll(() => other.invalidated).toHaveLength(2);
    slow.resolve();
    expect((await before).email).toBe('old@example.com');
    expect((await other.dms().persons.get('usr-a')).email).toBe('new@example.com');
    await untilKept(redis); // what it has read afterwards
    expect((await one.dms().persons.get('usr-a')).email).toBe('new@example.com');
  });

  it('is seen by its own replica even if Redis does not confirm it', async () => {
    const redis = await startRedis();
    const proxy = await startRedisProxy(redis.port);
    let email = 'old@example.com';
    const mock = personMock(() => email);
    const one = await startConnected(mock, proxy.url, { maxWaitMs: 2000 });
    await one.dms().persons.get('usr-a');
    await untilKept(redis);
    proxy.isHeld = true;
    email = 'new@example.com';
    await one.dms().persons.update('usr-a', {});
    await expect.poll(() => one.changes.at(-1)?.isUp).toBe(false);
    proxy.isHeld = false;
    await expect.poll(() => one.changes.at(-1)?.isUp).toBe(true);
    expect((await one.dms().persons.get('usr-a')).email).toBe('new@example.com');
  });

  it('is not missed by a replica that lost its subscription', async () => {
    const redis = await startRedis();
    const one = await startConnected(personMock(), redis.url);
    redis.cli('client', 'kill', 'type', 'pubsub');
    await expect.poll(() => one.invalidated).toHaveLength(2);
    expect(one.invalidated[1]).toContain('persons');
  });
});

describeWithRedis('a Redis that cannot be used', () => {
  const get = (replica: ReturnType<typeof startReplica>) => replica.dms().persons.get('usr-a');

  it('is away: everything works, and it is used when it is back', async () => {
    const port = await freePort();
    const mock = personMock();
    const one = startReplica(mock, `redis://127.0.0.1:${port}`);
    await expect.poll(() => one.changes).toHaveLength(1);
    expect(one.changes[0]).toMatchObject({ isUp: false, reason: /ECONNREFUSED/ });
    await get(one);
    await get(one);
    expect(one.reads).toEqual(['miss', 'hit']);
    await startRedis({ port });
    await expect.poll(() => one.changes.slice(1)).toEqual([{ isUp: true, reason: null }]);
  });

  it('stops answering: one read is sent to it, and no other', async () => {
    const redis = await startRedis();
    const proxy = await startRedisProxy(redis.port);
    const mock = personMock();
    const one = await startConnected(mock, proxy.url, { maxWaitMs: 2000 });
    proxy.isHeld = true;
    for (let id = 0; id < 50; id += 1) await one.dms().persons.get(`usr-${id}`);
    expect(proxy.lost.match(/\bpttl\b/g)).toHaveLength(1); // part of each read
    expect(mock.requests).toHaveLength(50);
    expect(one.changes.slice(1)).toEqual([{ isUp: false, reason: 'no answer within 2000 ms' }]);
    proxy.isHeld = false;
    await expect.poll(() => one.changes.at(-1)).toEqual({ isUp: true, reason: null });
  });

  it('never answers a new connection: it is reported, and the next connection is used', async () => {
    const redis = await startRedis();
    const failover = await startRedisFailover(redis.port);
    const one = startReplica(personMock(), failover.url, { maxConnectMs: 500 });
    await expect.poll(() => one.changes).toEqual([{ isUp: false, reason: 'Command timed out' }]);
    failover.switchOver();
    await expect.poll(() => one.changes.slice(1)).toEqual([{ isUp: true, reason: null }]);
    await expect.poll(() => one.invalidated).toHaveLength(1); // the subscription too
  });

  it('moves to another server without closing its connections', async () => {
    const redis = await startRedis();
    const failover = await startRedisFailover(redis.port);
    failover.switchOver();
    const one = await startConnected(personMock(), failover.url, { maxWaitMs: 2000 });
    failover.switchOver();
    await get(one);
    await expect.poll(() => one.changes.map(({ isUp }) => isUp)).toEqual([true, false, true]);
    await expect.poll(() => one.invalidated).toHaveLength(2);
  });

  it('becomes a replica, and its address moves to the new primary', async () => {
    const [old, primary] = [await startRedis(), await startRedis()];
    const proxy = await startRedisProxy(old.port);
    const one = await startConnected(personMock(), proxy.url);
    proxy.target = primary.port;
    old.cli('replicaof', '127.0.0.1', String(primary.port));
    await get(one);
    await expect.poll(() => one.changes.map(({ isUp }) => isUp)).toEqual([true, false, true]);
    await one.dms().persons.get('usr-b');
    await untilKept(primary);
  });

  it('is full, or a replica that takes no writes', async () => {
    const redis = await startRedis();
    const one = await startConnected(personMock(), redis.url);
    redis.cli('config', 'set', 'maxmemory', '1');
    await get(one);
    await expect.poll(() => one.changes.at(-1)?.reason).toMatch(/^OOM/);
    await one.dms().persons.get('usr-b');
    redis.cli('config', 'set', 'maxmemory', '0');
    await expect.poll(() => one.changes.at(-1)?.isUp).toBe(true);
    redis.cli('replicaof', '127.0.0.1', String(await freePort()));
    await one.dms().persons.get('usr-c');
    await expect.poll(() => one.changes.at(-1)?.reason).toMatch(/^READONLY/);
    await one.dms().persons.get('usr-d');
    redis.cli('replicaof', 'no', 'one');
    await expect.poll(() => one.changes.at(-1)?.isUp).toBe(true);
    expect(one.changes.map(({ isUp }) => isUp)).toEqual([true, false, true, false, true]);
  });

  it.each([
    ['publish or subscribe', 'resetchannels', '&dms-gateway:*'],
    ['subscribe', '-subscribe', '+subscribe'],
    ['run scripts', '-@scripting', '+@scripting'],
  ])('has a user that must not %s, until it may', async (_, without, permission) => {
    const redis = await startRedis();
    const setUser = (...rules: string[]): string =>
      redis.cli('acl', 'setuser', 'gateway', ...rules);
    setUser('on', '>right', '~dms-gateway:*', '&dms-gateway:*', '+@all', without);
    const one = startReplica(personMock(), redis.url.replace('//', '//gateway:right@'));
    await expect.poll(() => one.changes).toMatchObject([{ isUp: false, reason: /^NOPERM/ }]);
    await get(one);
    setUser(permission);
    await expect.poll(() => one.changes.slice(1)).toEqual([{ isUp: true, reason: null }]);
    await expect.poll(() => one.invalidated).toHaveLength(1);
  });

  it('does not know AUTH: the reason omits its arguments, which Redis repeats', async () => {
    const renamed = ['AUTH', 'HELLO'].flatMap((name) => ['--rename-command', name, '']);
    const redis = await startRedis({ args: renamed });
    const one = startReplica(personMock(), redis.url.replace('//', '//:hunter2@'));
    await expect
      .poll(() => one.changes)
      .toEqual([{ isUp: false, reason: "ERR unknown command 'auth'" }]);
  });
});

describe('a Redis that', () => {
  const isClosed = { isUp: false, reason: 'the connection was closed' };
  it.each([
    ['closes every connection', null, isClosed],
    ['is loading', '-LOADING Redis is loading\r\n', { isUp: false, reason: /LOADING/ }],
    ['sends only numbers', '(12345678901234567890\r\n', { isUp: true }],
    ['sends only lists', '*2\r\n$-1\r\n*0\r\n', { isUp: true }],
    ['sends HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', { isUp: false }],
  ])('%s disturbs no request', async (_, reply, change) => {
    const mock = personMock();
    const one = startReplica(mock, await startFailingRedis(reply));
    await expect.poll(() => one.changes).toMatchObject([change]);
    for (const id of ['usr-a', 'usr-b']) {
      expect((await one.dms().persons.get(id)).systemId).toBe(id);
    }
    expect(mock.requests).toHaveLength(2);
  });
});
