import { expect, it, vi } from 'vitest';
import { StoppableIterator, type Item } from '../../../src/server/graphql/result-stream.ts';

const done = { done: true, value: undefined };

/** An iterator whose items the test delivers. */
function start() {
  let waiting = Promise.withResolvers<Item<number> | null>();
  const onEnd = vi.fn<() => void>();
  const iterator = new StoppableIterator<number>(() => {
    waiting = Promise.withResolvers();
    return waiting.promise;
  }, onEnd);
  return { iterator, onEnd, waiting: () => waiting };
}

it('returns items until there are no more', async () => {
  const { iterator, onEnd, waiting } = start();
  const first = iterator.next();
  waiting().resolve({ value: 1 });
  expect(await first).toEqual({ done: false, value: 1 });
  const second = iterator.next();
  waiting().resolve(null);
  expect(await second).toEqual(done);
  expect(await iterator.next()).toEqual(done);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

it('ends after its last item', async () => {
  const { iterator, onEnd, waiting } = start();
  const first = iterator.next();
  waiting().resolve({ value: 1, isLast: true });
  expect(await first).toEqual({ done: false, value: 1 });
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(await iterator.next()).toEqual(done);
});

it('ends while an item is pending, which is then ignored', async () => {
  const { iterator, onEnd, waiting } = start();
  const pending = iterator.next();
  expect(await iterator.return()).toEqual(done);
  expect(await pending).toEqual(done);
  waiting().resolve({ value: 1 });
  expect(await iterator.next()).toEqual(done);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

it('returns one more item if it is stopped with one', async () => {
  const { iterator } = start();
  const pending = iterator.next();
  iterator.stop(() => Promise.resolve(9));
  iterator.stop(() => 10);
  expect(await pending).toEqual({ done: false, value: 9 });
  expect(await iterator.next()).toEqual(done);
});

it('rejects with an error, and ends', async () => {
  const { iterator, onEnd, waiting } = start();
  const pending = iterator.next();
  waiting().reject(new Error('no item'));
  await expect(pending).rejects.toThrow('no item');
  expect(await iterator.next()).toEqual(done);
  expect(onEnd).toHaveBeenCalledTimes(1);
});
