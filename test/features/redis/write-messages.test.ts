import { expect, it } from 'vitest';
import { Encryption } from '../../../src/features/redis/encryption.ts';
import type { WriteNotification } from '../../../src/rest/client/writes.ts';
import { describeWithRedis, redisClient, startRedis } from '../../helpers/redis.ts';
import { baseUrl, secret, startSharedState, type ReplicaOptions } from './replica.ts';

const channel = new Encryption(secret).name('written', baseUrl);

/** One of several gateways; resolves when it receives messages. */
async function startReplica(url: string, options: ReplicaOptions = {}) {
  const received: WriteNotification[] = [];
  const shared = startSharedState(url, {
    ...options,
    onWritten: (written) => received.push(written),
    onChange: (isUp) => changes.push(isUp),
  });
  const changes: boolean[] = [];
  await expect.poll(() => changes).toEqual([true]);
  await expect.poll(() => received).toHaveLength(1);
  received.length = 0; // what may have been missed
  return { received, write: (written: WriteNotification) => shared.cache.invalidate(written) };
}

const write = (documentId: string | null, resources: WriteNotification['resources'] = []) => ({
  resources,
  document: { caller: 'ann', documentId },
});

/** Two replicas, and what is published between them. */
async function startTwo() {
  const redis = await startRedis();
  const client = redisClient(redis);
  const messages: Buffer[] = [];
  const listener = redisClient(redis);
  listener.on('messageBuffer', (_channel, message: Buffer) => messages.push(message));
  await listener.subscribe(channel);
  const [one, other] = [await startReplica(redis.url), await startReplica(redis.url)];
  return {
    redis,
    one,
    other,
    messages,
    publish: (message: Buffer) => client.publish(channel, message),
    /** Resolves when the other replica has processed what was published before. */
    async settle() {
      await one.write(write('last'));
      await expect.poll(() => other.received.at(-1)).toEqual(write('last'));
      other.received.pop();
    },
  };
}

describeWithRedis('messages about writes', () => {
  it('reach the other replicas, with documents and reference data', async () => {
    const { one, other } = await startTwo();
    const writes = [write('d1'), write(null), write('d2', ['persons', 'forms'])];
    for (const each of writes) await one.write(each);
    await expect.poll(() => other.received).toEqual(writes);
    expect(one.received).toEqual([]);
  });

  it('are not received by processes of the same replica', async () => {
    const redis = await startRedis();
    const [one, same] = [
      await startReplica(redis.url, { replica: 'a' }),
      await startReplica(redis.url, { replica: 'a' }),
    ];
    const other = await startReplica(redis.url, { replica: 'b' });
    await one.write(write('d1'));
    await expect.poll(() => other.received).toEqual([write('d1')]);
    await other.write(write('d2'));
    await expect.poll(() => same.received).toEqual([write('d2')]);
  });

  it('are not received by gateways of another DMS', async () => {
    const { redis, one, settle } = await startTwo();
    const stranger = await startReplica(redis.url, { baseUrl: 'http://other.test' });
    await one.write(write('d1', ['persons']));
    await settle();
    expect(stranger.received).toEqual([]);
  });

  it('contain nothing that can be read in Redis', async () => {
    const { one, messages } = await startTwo();
    await one.write(write('a-document', ['persons']));
    await expect.poll(() => messages).toHaveLength(1);
    expect(messages[0]!.toString('latin1')).not.toMatch(/ann|a-document|persons|resources/);
  });

  it('omit a document with an ID above 1000 characters', async () => {
    const { one, other } = await startTwo();
    await one.write(write('d'.repeat(1001), ['persons']));
    await one.write(write('d'.repeat(1000)));
    await expect
      .poll(() => other.received)
      .toEqual([{ resources: ['persons'], document: null }, write('d'.repeat(1000))]);
  });
});

describeWithRedis('messages in Redis', () => {
  it('that are repeated are ignored', async () => {
    const { one, other, messages, publish, settle } = await startTwo();
    await one.write(write('d1', ['persons']));
    await one.write(write('d2'));
    await expect.poll(() => other.received).toHaveLength(2);
    for (const message of [...messages, ...messages]) await publish(message);
    await settle();
    expect(other.received).toHaveLength(2);
  });

  it('that are forged, changed or too large are ignored', async () => {
    const { redis, one, other, messages, publish, settle } = await startTwo();
    const stranger = await startReplica(redis.url, {
      secret: 'another secret, also of 32 characters',
    });
    await stranger.write(write('d0', ['persons']));
    await one.write(write('d1'));
    await expect.poll(() => messages).toHaveLength(1);
    const [message] = messages;
    const changed = Buffer.from(message!);
    changed[40]! ^= 1;
    const encryption = new Encryption(secret);
    const fields = { replica: 'x', process: 'x', nth: 1, sentAt: Date.now(), ...write('d3') };
    const forged = [
      changed,
      message!.subarray(0, 20),
      Buffer.alloc(0),
      Buffer.from('{}'),
      Buffer.alloc(1_000_000),
      new Encryption('another secret').encrypt(channel, JSON.stringify(fields)),
      encryption.encrypt('another-channel', JSON.stringify(fields)),
      encryption.encrypt(channel, JSON.stringify({ ...fields, filler: 'x'.repeat(5000) })),
    ];
    for (const each of forged) await publish(each);
    await settle();
    expect(other.received).toEqual([write('d1')]);
  });

  it('of an ended process name no document after five minutes', async () => {
    const { other, publish, settle } = await startTwo();
    const fields = { replica: 'x', nth: 1, ...write('d1', ['persons']) };
    for (const [process, ageMs] of [
      ['old', 300_001],
      ['early', -400_000],
      ['recent', 200_000],
    ] as const) {
      const text = JSON.stringify({ ...fields, process, sentAt: Date.now() - ageMs });
      await publish(new Encryption(secret).encrypt(channel, text));
    }
    await settle();
    const invalidation = { resources: ['persons'], document: null };
    expect(other.received).toEqual([invalidation, invalidation, write('d1', ['persons'])]);
  });

  it('of a newer version invalidate what this version knows', async () => {
    const { other, publish } = await startTwo();
    const fields = { replica: 'x', process: 'x', nth: 1, sentAt: 0, document: null };
    const text = JSON.stringify({ ...fields, resources: ['persons', 'somethingNew'] });
    await publish(new Encryption(secret).encrypt(channel, text));
    await expect.poll(() => other.received).toEqual([{ resources: ['persons'], document: null }]);
  });
});
