import { describe, expect, it } from 'vitest';
import {
  createRegisteredDocuments,
  type RegisteredDocumentLimits,
} from '../../../../src/server/graphql/persisted/registered-documents.ts';

/** Registers documents by name for a caller, with fake hashes and texts. */
function start(limits: Partial<RegisteredDocumentLimits> = {}) {
  const documents = createRegisteredDocuments({
    maxDocuments: 8,
    maxBytes: 2 ** 20,
    sharePerCaller: 1 / 2,
    ...limits,
  });
  return {
    register: (caller: string, name: string, text = name) => documents.set(name, text, caller),
    find: (name: string) => documents.get(name, 'reader'),
    /** Those of the names that are still stored. */
    async kept(...names: string[]): Promise<string[]> {
      const found = await Promise.all(names.map((name) => documents.get(name, 'reader')));
      return names.filter((_, at) => found[at] !== null);
    },
  };
}

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('registered documents', () => {
  it('are available to all callers', async () => {
    const { register, find } = start();
    await register('ann', 'a', 'text of a');
    await register('bob', 'a', 'text of a');
    expect(await find('a')).toBe('text of a');
    expect(await find('b')).toBeNull();
  });

  it('of one caller replace only its own', async () => {
    const { register, kept } = start();
    const bobs = numbered('bob', 3);
    for (const name of bobs) await register('bob', name);
    for (const name of numbered('eve', 1000)) await register('eve', name);
    expect(await kept(...bobs)).toEqual(bobs);
    expect(await kept(...numbered('eve', 1000))).toEqual(['eve996', 'eve997', 'eve998', 'eve999']);
  });

  it('of one caller have a share of the bytes', async () => {
    const { register, kept } = start({ maxDocuments: 1000, maxBytes: 40_000 });
    await register('bob', 'bob');
    const long = 'x'.repeat(4000); // 8,500 bytes: two of them are a share
    const names = numbered('eve', 10);
    for (const name of names) await register('eve', name, long);
    expect(await kept('bob', ...names)).toEqual(['bob', 'eve8', 'eve9']);
  });

  it('are not stored if larger than a share', async () => {
    const { register, kept } = start({ maxBytes: 40_000 });
    await register('eve', 'a');
    await register('eve', 'b', 'x'.repeat(10_000));
    expect(await kept('a', 'b')).toEqual(['a']);
  });

  it('of many callers displace the least recently used ones', async () => {
    const { register, find, kept } = start();
    for (const name of numbered('a', 8)) await register(`caller of ${name}`, name);
    await find('a0');
    await register('ann', 'b');
    await register('bob', 'a2'); // sent with its text again, which counts as use
    await register('bob', 'c');
    expect(await kept(...numbered('a', 8), 'b', 'c')).toEqual([
      'a0',
      'a2',
      'a4',
      'a5',
      'a6',
      'a7',
      'b',
      'c',
    ]);
  });

  it('release the share of their caller if displaced', async () => {
    const { register, kept } = start({ maxDocuments: 4 });
    await register('ann', 'a0');
    await register('ann', 'a1');
    for (const name of numbered('b', 4)) await register(`caller of ${name}`, name);
    await register('ann', 'a2');
    await register('ann', 'a3');
    expect(await kept('a0', 'a1', 'a2', 'a3')).toEqual(['a2', 'a3']);
    await register('ann', 'a4');
    expect(await kept('a2', 'a3', 'a4')).toEqual(['a3', 'a4']);
  });

  it('can all belong to a single caller', async () => {
    const { register, kept } = start({ sharePerCaller: 1 });
    const names = numbered('a', 9);
    for (const name of names) await register('service', name);
    expect(await kept(...names)).toEqual(names.slice(1));
  });
});
