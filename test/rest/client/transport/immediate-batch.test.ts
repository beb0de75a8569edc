import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ImmediateBatch } from '../../../../src/rest/client/transport/immediate-batch.ts';

const batch = new ImmediateBatch();

/** An event that is processed in three steps. */
function arrival(name: string, done: string[]): void {
  const came = new Promise<void>((resolve) => batch.add(resolve));
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
  batch.add(() => {
    done.push('first');
    batch.add(() => done.push('later'));
  });
  batch.add(() => done.push('second'));
  await turn();
  expect(done).toEqual(['first', 'second']);
  await turn();
  expect(done).toEqual(['first', 'second', 'later']);
});
