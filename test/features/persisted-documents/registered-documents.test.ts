import { describe, expect, it } from 'vitest';
import {
  createRegisteredDocuments,
  type RegisteredDocumentLimits,
} from '../../../src/features/persisted-documents/registered-documents.ts';

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
    find: (name: string) => documents.get(name),
    /** Those of the names that are still stored. */
    kept: (...names: string[]) => names.filter((name) => documents.get(name) !== null),
  };
}

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('registered documents', () => {
  it('of one caller replace only its own', () => {
    const { register, kept } = start();
    const bobs = numbered('bob', 3);
    for (const name of bobs) register('bob', name);
    for (const name of numbered('eve', 1000)) register('eve', name);
    expect(kept(...bobs)).toEqual(bobs);
    expect(kept(...numbered('eve', 1000))).toEqual(['eve996', 'eve997', 'eve998', 'eve999']);
  });

  it('of one caller have a share of the bytes', () => {
    const { register, kept } = start({ maxDocuments: 1000, maxBytes: 40_000 });
    register('bob', 'bob');
    const long = 'x'.repeat(4000); // 8,500 bytes: two of them are a share
    const names = numbered('eve', 10);
    for (const name of names) register('eve', name, long);
    expect(kept('bob', ...names)).toEqual(['bob', 'eve8', 'eve9']);
  });

  it('are not stored if larger than a share', () => {
    const { register, kept } = start({ maxBytes: 40_000 });
    register('eve', 'a');
    register('eve', 'b', 'x'.repeat(10_000));
    expect(kept('a', 'b')).toEqual(['a']);
  });

  it('of many callers displace the least recently used ones', () => {
    const { register, find, kept } = start();
    for (const name of numbered('a', 8)) register(`caller of ${name}`, name);
    find('a0');
    register('ann', 'b');
    register('bob', 'a2'); // sent with its text again, which counts as use
    register('bob', 'c');
    expect(kept(...numbered('a', 8), 'b', 'c')).toEqual([
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

  it('release the share of their caller if displaced', () => {
    const { register, kept } = start({ maxDocuments: 4 });
    register('ann', 'a0');
    register('ann', 'a1');
    for (const name of numbered('b', 4)) register(`caller of ${name}`, name);
    register('ann', 'a2');
    register('ann', 'a3');
    expect(kept('a0', 'a1', 'a2', 'a3')).toEqual(['a2', 'a3']);
    register('ann', 'a4');
    expect(kept('a2', 'a3', 'a4')).toEqual(['a3', 'a4']);
  });
});
