import { describe, expect, it, vi } from 'vitest';
import { CancelToken } from '../../../../src/rest/client/transport/cancellation.ts';
import { FairSemaphore } from '../../../../src/rest/client/limits/semaphore.ts';
import { Semaphore } from '../../../../src/rest/client/limits/request-budget.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

const cancelled = new RestError('CANCELLED', null);

describe('a semaphore', () => {
  it('passes the slot of a cancelled call on', async () => {
    const semaphore = new Semaphore(1);
    expect(semaphore.acquire(new CancelToken())).toBeUndefined();
    const leaving = new CancelToken();
    const left = semaphore.acquire(leaving);
    const next = semaphore.acquire(new CancelToken());
    leaving.cancel(cancelled);
    await expect(left).rejects.toBe(cancelled);
    semaphore.release();
    await next;
    semaphore.release();
    expect(semaphore.acquire(new CancelToken())).toBeUndefined();
  });
});

describe('a fair semaphore', () => {
  function start(capacity: number) {
    const changes: number[] = [];
    const semaphore = new FairSemaphore({
      capacity,
      share: Infinity,
      maxWaiting: 10,
      maxWaitMs: 1000,
      onWaiting: (change) => changes.push(change),
    });
    /** Waits for a slot. `order` receives the key when it is acquired. */
    const order: string[] = [];
    const wait = (key: string, cancelToken = new CancelToken()): void => {
      const slot = semaphore.acquire(key, cancelToken);
      if (!(slot instanceof Promise)) throw new Error('nothing to wait for');
      void slot.then((isAdmitted) => order.push(isAdmitted ? key : `${key} is late`));
    };
    const hold = (...keys: readonly string[]): void => {
      for (const key of keys) expect(semaphore.acquire(key, new CancelToken())).toBeUndefined();
    };
    return { semaphore, changes, order, wait, hold };
  }

  it('admits callers that hold equally many in their order of arrival', async () => {
    const { semaphore, order, wait, hold } = start(6);
    hold('ann', 'ben', 'cid', 'dan', 'dan', 'dan');
    wait('ann');
    wait('ben');
    wait('cid');
    for (let n = 0; n < 3; n += 1) semaphore.release('dan');
    await expect.poll(() => order).toEqual(['ann', 'ben', 'cid']);
  });

  it('ignores that a call is cancelled after it was admitted', async () => {
    const { semaphore, changes, order, wait, hold } = start(1);
    hold('ann');
    const cancelToken = new CancelToken();
    wait('ben', cancelToken);
    semaphore.release('ann');
    cancelToken.cancel(cancelled);
    await expect.poll(() => order).toEqual(['ben']);
    expect(changes).toEqual([1, -1]);
  });

  it('ignores that a call is cancelled after it has waited too long', async () => {
    fakeTimers('performance', 'setInterval');
    const { changes, order, wait, hold } = start(1);
    hold('ann');
    const cancelToken = new CancelToken();
    wait('ben', cancelToken);
    vi.advanceTimersByTime(1000);
    cancelToken.cancel(cancelled);
    await Promise.resolve();
    expect(order).toEqual(['ben is late']);
    expect(changes).toEqual([1, -1]);
  });
});

it('a cancel token keeps the first reason', () => {
  const cancelToken = new CancelToken();
  cancelToken.cancel(cancelled);
  cancelToken.cancel(new RestError('UPSTREAM_TIMEOUT', null));
  expect(cancelToken.reason).toBe(cancelled);
});
