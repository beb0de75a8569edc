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

  it('is ignored if one bit or its end is missing', () => {
    const encrypted = encryption.encrypt(name, 'text');
    for (let index = 0; index < encrypted.length; index += 1) {
      const damaged = Buffer.from(encrypted);
      damaged[index]! ^= 1;
      expect(encryption.decrypt(name, damaged)).toBeNull();
      expect(encryption.decrypt(name, encrypted.subarray(0, index))).toBeNull();
    }
  });
});

describe('a name', () => {
  it('has one length, and nothing but its kind in clear', () => {
    const long = encryption.name('reference', 'persons', `Bearer ${'x'.repeat(10_000)}`);
    expect(long).toMatch(/^dms-gateway:1:reference:[\w-]{43}$/);
    expect(long).toHaveLength(name.length);
  });

  it('keeps its parts apart', () => {
    const names = [['a', 'b'], ['ab'], ['a,b'], ['a","b'], ['a\nb'], ['', 'ab']].map((parts) =>
      encryption.name('k', ...parts),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(encryption.name('k', 'a')).not.toBe(new Encryption('another secret').name('k', 'a'));
  });
});
