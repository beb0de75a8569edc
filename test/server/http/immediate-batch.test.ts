import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  connectionAccepted,
  runInImmediateBatch,
} from '../../../src/server/http/immediate-batch.ts';
import { fakeTimers } from '../../helpers/fake-timers.ts';

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
  fakeTimers('performance');
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

it('waits while a connection is accepted in each iteration, for a limited number of them', async () => {
  const iterations: number[] = [];
  for (let at = 0; at < 2; at += 1) {
    const done: unknown[] = [];
    let count = 0;
    runInImmediateBatch(() => done.push(null), 0);
    while (done.length === 0 && count < 1000) {
      if (at === 0 || count < 3) connectionAccepted();
      await turn();
      count += 1;
    }
    iterations.push(count);
  }
  expect(iterations).toEqual([129, 4]);
});
