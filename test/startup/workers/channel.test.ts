import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Channel } from '../../../src/startup/workers/channel.ts';

type Remote = {
  double(value: number): Promise<number>;
  fail(none: null): never;
  hang(none: null): Promise<void>;
};

const remote: Remote = {
  double: async (value) => value * 2,
  fail() {
    throw new Error('x');
  },
  hang: () => new Promise(() => {}),
};

/** Two connected ends. Messages are sent as JSON, in order and asynchronously. */
function connect() {
  const ends = [0, 1].map((at) => {
    const emitter = new EventEmitter();
    return Object.assign(emitter, {
      connected: true,
      sent: 0,
      send(this: { sent: number }, message: object, _handle: unknown, _options: unknown) {
        this.sent += 1;
        const text = JSON.stringify(message);
        queueMicrotask(() => ends[1 - at]!.emit('message', JSON.parse(text)));
      },
    });
  });
  const [own, other] = ends;
  const channel = new Channel<Remote>(own!, {});
  return {
    own: own!,
    channel,
    other: new Channel(other!, remote),
    end() {
      own!.connected = false;
      own!.emit('disconnect');
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  if (left > 0) throw new Error(`${left} time limits were left running`);
});

it('returns the result of each call', async () => {
  const { channel } = connect();
  const calls = [channel.call('double', 1), channel.call('double', 2, 1000)];
  expect(await Promise.all(calls)).toEqual([2, 4]);
});

it('returns undefined if a function fails or does not exist', async () => {
  const { channel, other } = connect();
  expect(await channel.call('fail', null)).toBeUndefined();
  expect(await other.call('missing' as never, null as never)).toBeUndefined();
});

it('waits up to the limit, and ignores a late result', async () => {
  const { channel, own } = connect();
  const call = channel.call('hang', null, 1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await call).toBeUndefined();
  own.emit('message', { id: 1, result: 'late' });
  expect(await channel.call('double', 3)).toBe(6);
});

it('does not wait for a process that ends or has ended', async () => {
  const { channel, own, end } = connect();
  const calls = [channel.call('hang', null), channel.call('hang', null, 1000)];
  end();
  expect(await Promise.all(calls)).toEqual([undefined, undefined]);
  expect(await channel.call('double', 1)).toBeUndefined();
  expect(own.sent).toBe(2);
});
