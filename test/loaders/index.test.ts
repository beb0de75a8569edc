import { expect, it } from 'vitest';
import { KeyedLoader } from '../../src/loaders/index.ts';
import { RestError } from '../../src/rest/client/rest-error.ts';

it('rejects all pending loads of a key and reads it again', async () => {
  const answers = [Promise.reject(new RestError('UPSTREAM_ERROR', 'GET')), Promise.resolve('one')];
  const loader = new KeyedLoader(() => answers.shift()!);
  const both = await Promise.allSettled([loader.load('a'), loader.load('a')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await loader.load('a')).toBe('one');
});
