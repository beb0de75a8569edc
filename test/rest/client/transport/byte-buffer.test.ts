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
  it('returns a single chunk without a copy', () => {
    const chunk = Buffer.from('{"a":1}');
    const buffer = new ByteBuffer(7);
    buffer.add(chunk);
    buffer.add(Buffer.alloc(0));
    expect(buffer.take()).toBe(chunk);
  });

  it('is empty without chunks', () => {
    expect(new ByteBuffer(100).take()).toHaveLength(0);
  });

  it.each<[string, number[], number | undefined]>([
    ['chunks of every size', [1, 5000, 3, 0, 70_000, 1, 16_384], undefined],
    ['chunks of the announced length', [5000, 5000, 5000], 15_000],
    ['chunks beyond the announced length', [5000, 5000, 5000], 6000],
    ['chunks of an invalid announced length', [3, 3], Number.NaN],
  ])('joins %s', (_what, sizes, expected) => {
    const { bytes, given } = collected(sizes, expected);
    expect(bytes.equals(given)).toBe(true);
  });

  it('allocates exactly the announced length', () => {
    expect(collected([5000, 5000], 10_000).bytes.buffer.byteLength).toBe(10_000);
  });

  it('allocates at most twice the length for single bytes', () => {
    const { bytes, given } = collected(Array.from({ length: 100_000 }, () => 1));
    expect(bytes.equals(given)).toBe(true);
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * given.length);
  });

  it('does not allocate an announced gigabyte', () => {
    expect(collected([1, 1], 2 ** 40).bytes.buffer.byteLength).toBe(1024 * 1024);
  });
});
