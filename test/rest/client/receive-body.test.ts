import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ByteBuffer, runInImmediateBatch } from '../../../src/rest/client/receive-body.ts';
import { setImmediate as turn } from 'node:timers/promises';

function collected(sizes: readonly number[], expected?: number): { bytes: Buffer; given: Buffer } {
  const given = Buffer.from(
    Array.from({ length: sizes.reduce((a, b) => a + b, 0) }, (_, n) => n % 251),
  );
  const buffer = new ByteBuffer(expected);
  let at = 0;
  for (const size of sizes) {
    buffer.add(given.subarray(at, at + size));
    at += size;
  }
  expect(buffer.length).toBe(at);
  return { bytes: buffer.take(), given };
}

describe('a byte buffer', () => {
  it('returns a single chunk without a copy', () => {
    const chunk = Buffer.from('{"a":1}');
    const buffer = new ByteBuffer(7);
    buffer.add(chunk);
    buffer.add(Buffer.alloc(0));
    expect(buffer.take()).toBe(chunk);
  });

  it('is empty without chunks', () => {
    expect(new ByteBuffer(100).take()).toHaveLength(0);
  });

  it.each<[string, number[], number | undefined]>([
    ['chunks of every size', [1, 5000, 3, 0, 70_000, 1, 16_384], undefined],
    ['chunks of the announced length', [5000, 5000, 5000], 15_000],
    ['chunks beyond the announced length', [5000, 5000, 5000], 6000],
    ['chunks of an invalid announced length', [3, 3], Number.NaN],
  ])('joins %s', (_what, sizes, expected) => {
    const { bytes, given } = collected(sizes, expected);
    expect(bytes.equals(given)).toBe(true);
  });

  it('allocates exactly the announced length', () => {
    expect(collected([5000, 5000], 10_000).bytes.buffer.byteLength).toBe(10_000);
  });

  it('allocates at most twice the length for single bytes', () => {
    const { bytes, given } = collected(Array.from({ length: 100_000 }, () => 1));
    expect(bytes.equals(given)).toBe(true);
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * given.length);
  });

  it('does not allocate an announced gigabyte', () => {
    expect(collected([1, 1], 2 ** 40).bytes.buffer.byteLength).toBe(1024 * 1024);
  });
});

/** An event that is processed in three steps. */
function arrival(name: string, done: string[]): void {
  const came = new Promise<void>((resolve) => runInImmediateBatch(resolve, 0));
  void (async () => {
    await came;
    done.push(`${name}1`);
    await Promise.resolve();
    done.push(`${name}2`);
    await Promise.resolve();
    done.push(`${name}3`);
  })();
}

it('processes events of one iteration step by step', async () => {
  const done: string[] = [];
  arrival('a', done);
  await Promise.resolve();
  arrival('b', done);
  arrival('c', done);
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
});

it('defers callbacks of a batch to the next batch', async () => {
  const done: string[] = [];
  runInImmediateBatch(() => {
    done.push('first');
    runInImmediateBatch(() => done.push('later'), 0);
  }, 0);
  runInImmediateBatch(() => done.push('second'), 0);
  await turn();
  expect(done).toEqual(['first', 'second']);
  await turn();
  expect(done).toEqual(['first', 'second', 'later']);
});

/** Runs 40 events, each of which takes `ms` after its callback. Returns how many of them each iteration processed. */
async function batches(weight: number, ms: number): Promise<readonly number[]> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const done: unknown[] = [];
  const process = (): void => {
    done.push(null);
    vi.advanceTimersByTime(ms);
  };
  for (let at = 0; at < 40; at += 1) {
    const came = new Promise<void>((resolve) => runInImmediateBatch(resolve, weight));
    void came.then(process);
  }
  const counts: number[] = [];
  while (done.length < 40) {
    const before = done.length;
    await turn();
    counts.push(done.length - before);
  }
  return counts;
}

describe('a batch of many events', () => {
  it('has one iteration if they take little time', async () => {
    expect(await batches(32 * 1024, 0)).toEqual([40]);
  });

  it('is distributed over several iterations if they take long', async () => {
    // After a long group, groups are smaller.
    expect(await batches(32 * 1024, 10)).toEqual([16, 4, 4, 4, 4, 4, 4]);
    expect(await batches(2 ** 20, 30)).toEqual(Array.from({ length: 40 }, () => 1));
  });
});
