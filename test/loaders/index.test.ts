import { expect, it, vi } from 'vitest';
import { KeyedLoader } from '../../src/loaders/index.ts';
import { RestError } from '../../src/rest/client/rest-error.ts';

it('rejects all pending loads of a key and reads it again', async () => {
  const answers = [Promise.reject(new RestError('UPSTREAM_ERROR', 'GET')), Promise.resolve('one')];
  const loader = new KeyedLoader(() => answers.shift()!);
  const both = await Promise.allSettled([loader.load('a'), loader.load('a')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await loader.load('a')).toBe('one');
});

it('reads no object of a list that it knows', async () => {
  const read = vi.fn<(key: string) => Promise<string>>(async (key) => `read ${key}`);
  const loader = new KeyedLoader(read);
  loader.primeAll(['listed a', 'listed b'], (value) => value.slice(-1));
  expect(await loader.load('b')).toBe('listed b');
  expect(await loader.load('c')).toBe('read c');
  loader.primeAll(['listed d'], (value) => value.slice(-1));
  loader.clear();
  expect(await loader.load('d')).toBe('read d');
  expect(read.mock.calls).toEqual([['c'], ['d']]);
});
