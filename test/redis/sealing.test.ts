import { describe, expect, it } from 'vitest';
import { createSealing } from '../../src/redis/sealing.ts';

const sealing = createSealing('a secret of more than 32 characters, for tests');
const name = sealing.name('reference', 'persons', 'ann');

describe('a sealed value', () => {
  it('opens at its place with the same secret', () => {
    const again = createSealing('a secret of more than 32 characters, for tests');
    expect(again.open(name, sealing.seal(name, 'Grüße'))).toBe('Grüße');
    expect(sealing.open(name, sealing.seal(name, ''))).toBe('');
  });

  it('never looks the same twice and hides its text', () => {
    const [first, second] = [sealing.seal(name, 'secret text'), sealing.seal(name, 'secret text')];
    expect(first.equals(second)).toBe(false);
    expect(first.toString('latin1')).not.toContain('secret');
  });

  it('is ignored at another place or with another secret', () => {
    const sealed = sealing.seal(name, 'text');
    expect(sealing.open(sealing.name('reference', 'persons', 'ben'), sealed)).toBeNull();
    expect(createSealing('another secret').open(name, sealed)).toBeNull();
  });

  it('is ignored if one bit or its end is missing', () => {
    const sealed = sealing.seal(name, 'text');
    for (let index = 0; index < sealed.length; index += 1) {
      const damaged = Buffer.from(sealed);
      damaged[index]! ^= 1;
      expect(sealing.open(name, damaged)).toBeNull();
      expect(sealing.open(name, sealed.subarray(0, index))).toBeNull();
    }
  });
});

describe('a name', () => {
  it('has one length, and nothing but its kind in clear', () => {
    const long = sealing.name('reference', 'persons', `Bearer ${'x'.repeat(10_000)}`);
    expect(long).toMatch(/^dms-gateway:1:reference:[\w-]{43}$/);
    expect(long).toHaveLength(name.length);
  });

  it('keeps its parts apart', () => {
    const names = [['a', 'b'], ['ab'], ['a,b'], ['a","b'], ['a\nb'], ['', 'ab']].map((parts) =>
      sealing.name('k', ...parts),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(sealing.name('k', 'a')).not.toBe(createSealing('another secret').name('k', 'a'));
  });
});
