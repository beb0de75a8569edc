import { expect, it } from 'vitest';
import { Encryption } from '../../../src/features/redis/encryption.ts';
import { callerDigest } from '../../../src/rest/client/caller.ts';
import { RateLimiter } from '../../../src/rest/client/limits/rate-limiter.ts';
import { Dms } from '../../../src/rest/dms.ts';
import { createMockDms, testBudget, testCaller, testHttp } from '../../helpers/mock-dms.ts';
import { describeWithRedis, startRedis, startRedisProxy } from '../../helpers/redis.ts';
import { baseUrl, secret, startSharedState, type ReplicaOptions } from './replica.ts';

const mock = () => createMockDms().reply('GET', /person/, { _id_sys: 'usr-a' });

/** One of several gateways that count together; resolves when it uses Redis. */
async function startReplica(
  dms: ReturnType<typeof mock>,
  url: string,
  options: ReplicaOptions = {},
) {
  const changes: boolean[] = [];
  const shared = startSharedState(url, { ...options, onChange: (isUp) => changes.push(isUp) });
  const rateLimiter = new RateLimiter({ callsPerMinute: 3, shared: shared.counters });
  const http = testHttp(dms, { rateLimiter });
  await expect.poll(() => changes).toEqual([true]);
  return {
    changes,
    counterOf: (key: string) => new Encryption(secret).name('rate', baseUrl, callerDigest({ key })),
    read: (key = 'ann') =>
      new Dms(http, testCaller({ key }), testBudget()).persons.get('usr-a').then(
        () => 'sent',
        ({ code }) => code as string,
      ),
  };
}

describeWithRedis('replicas with RATE_LIMIT', () => {
  it('count the calls of a user together, under a hashed name', async () => {
    const redis = await startRedis();
    const dms = mock();
    const [one, other] = [await startReplica(dms, redis.url), await startReplica(dms, redis.url)];
    const outcomes = [await one.read(), await other.read(), await one.read(), await other.read()];
    expect(outcomes).toEqual(['sent', 'sent', 'sent', 'RATE_LIMITED']);
    expect(await other.read('ben')).toBe('sent');
    const names = redis.cli('keys', 'dms-gateway:1:rate:*').split('\n');
    expect(names).toHaveLength(2);
    expect(names.join()).not.toMatch(/ann|ben/);
    expect(Number(redis.cli('ttl', names[0]!))).toBeGreaterThan(0);
  });

  it('count apart from gateways of another DMS', async () => {
    const redis = await startRedis();
    const one = await startReplica(mock(), redis.url);
    const other = await startReplica(mock(), redis.url, { baseUrl: 'http://other.test' });
    for (let call = 0; call < 3; call += 1) await one.read();
    expect([await one.read(), await other.read()]).toEqual(['RATE_LIMITED', 'sent']);
  });

  it('count alone for a user whose counter in Redis is not a number', async () => {
    const redis = await startRedis();
    const one = await startReplica(mock(), redis.url);
    redis.cli('lpush', one.counterOf('ann'), 'x');
    redis.cli('set', one.counterOf('ben'), 'x');
    for (const user of ['ann', 'ben']) {
      const outcomes = [];
      for (let call = 0; call < 4; call += 1) outcomes.push(await one.read(user));
      expect(outcomes).toEqual(['sent', 'sent', 'sent', 'RATE_LIMITED']);
    }
    expect(one.changes).toEqual([true]);
  });

  it('count alone while Redis does not answer', async () => {
    const redis = await startRedis();
    const proxy = await startRedisProxy(redis.port);
    const one = await startReplica(mock(), proxy.url, { maxWaitMs: 500 });
    proxy.isHeld = true;
    const outcomes = [];
    for (let call = 0; call < 4; call += 1) outcomes.push(await one.read());
    expect(outcomes).toEqual(['sent', 'sent', 'sent', 'RATE_LIMITED']);
    expect(one.changes).toEqual([true, false]);
    proxy.isHeld = false;
    await expect.poll(() => one.changes.at(-1)).toBe(true);
  });
});
