import { describe, expect, it } from 'vitest';
import { Encryption } from '../../../src/features/redis/encryption.ts';

const encryption = new Encryption('a secret of more than 32 characters, for tests');
const name = encryption.name('reference', 'persons', 'ann');

describe('an encrypted value', () => {
  it('never looks the same twice and hides its text', () => {
    const [first, second] = [
      encryption.encrypt(name, 'secret text'),
      encryption.encrypt(name, 'secret text'),
    ];
    expect(first.equals(second)).toBe(false);
    expect(first.toString('latin1')).not.toContain('secret');
  });
});

describe('a name', () => {
  it('keeps its parts apart', () => {
    const names = [['a', 'b'], ['ab'], ['a,b'], ['a","b'], ['a\nb'], ['', 'ab']].map((parts) =>
      encryption.name('k', ...parts),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(encryption.name('k', 'a')).not.toBe(new Encryption('another secret').name('k', 'a'));
  });
});
