import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../../src/rest/client/transport/byte-buffer.ts';

function collected(sizes: readonly number[], expected?: number): { bytes: Buffer; given: Buffer } {
  const given = Buffer.from(
    Array.from({ length: sizes.reduce((a, b) => a + b, 0) }, (_, n) => n % 251),
  );
  const buffer = new ByteBuffer(expected);
  let at = 0;
  for (const size of sizes) {
    buffer.add(given.subarray(at, at + size));
    at += size;
  }
  expect(buffer.length).toBe(at);
  return { bytes: buffer.take(), given };
}

describe('a byte buffer', () => {
  it.each<[string, number[], number | undefined]>([
    ['chunks of every size', [1, 5000, 3, 0, 70_000, 1, 16_384], undefined],
    ['chunks of the announced length', [5000, 5000, 5000], 15_000],
    ['chunks beyond the announced length', [5000, 5000, 5000], 6000],
    ['chunks of an invalid announced length', [3, 3], Number.NaN],
  ])('joins %s', (_what, sizes, expected) => {
    const { bytes, given } = collected(sizes, expected);
    expect(bytes.equals(given)).toBe(true);
  });

  it('does not allocate an announced gigabyte', () => {
    expect(collected([1, 1], 2 ** 40).bytes.buffer.byteLength).toBe(1024 * 1024);
  });
});
