import { describe, expect, it, vi } from 'vitest';
import { Semaphore } from '../../../../src/rest/client/limits/semaphore.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

const cancelled = new RestError('CANCELLED', null);

const connected = new AbortController().signal;

describe('a fair semaphore', () => {
  function start(capacity: number) {
    const changes: number[] = [];
    const semaphore = new Semaphore({
      capacity,
      share: Infinity,
      maxWaiting: 10,
      maxWaitMs: 1000,
      onWaiting: (change) => changes.push(change),
    });
    /** Waits for a slot. `order` receives the key when it is acquired. */
    const order: string[] = [];
    const wait = (key: string, signal: AbortSignal = connected): void => {
      const slot = semaphore.acquire(key, signal);
      if (!(slot instanceof Promise)) throw new Error('nothing to wait for');
      void slot.then((isAdmitted) => order.push(isAdmitted ? key : `${key} is late`));
    };
    const hold = (...keys: readonly string[]): void => {
      for (const key of keys) expect(semaphore.acquire(key, connected)).toBeUndefined();
    };
    return { semaphore, changes, order, wait, hold };
  }

  it('ignores that a call is cancelled after it was admitted', async () => {
    const { semaphore, changes, order, wait, hold } = start(1);
    hold('ann');
    const client = new AbortController();
    wait('ben', client.signal);
    semaphore.release('ann');
    client.abort(cancelled);
    await expect.poll(() => order).toEqual(['ben']);
    expect(changes).toEqual([1, -1]);
  });

  it('ignores that a call is cancelled after it has waited too long', async () => {
    fakeTimers('performance', 'setInterval');
    const { changes, order, wait, hold } = start(1);
    hold('ann');
    const client = new AbortController();
    wait('ben', client.signal);
    vi.advanceTimersByTime(1000);
    client.abort(cancelled);
    await Promise.resolve();
    expect(order).toEqual(['ben is late']);
    expect(changes).toEqual([1, -1]);
  });
});
