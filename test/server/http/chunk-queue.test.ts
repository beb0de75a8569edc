import { expect, it } from 'vitest';
import { ChunkQueue } from '../../../src/server/http/chunk-queue.ts';

function bytesOf(queue: ChunkQueue): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = queue.shift(); chunk; chunk = queue.shift()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('holds many small chunks in few buffers', () => {
  const queue = new ChunkQueue();
  const byte = Buffer.from('x');
  for (let i = 0; i < 1_000_000; i += 1) queue.push(byte);
  expect(queue.byteLength).toBe(1_000_000);
  expect(queue.chunkCount).toBeLessThan(300);
});

it('keeps a single chunk as it is', () => {
  const queue = new ChunkQueue();
  const chunk = Buffer.from('{}');
  queue.push(chunk);
  expect(queue.shift()).toBe(chunk);
  expect(queue.byteLength).toBe(0);
});

it.each([
  ['small and large by turns', [1, 2000, 3, 1024, 1023, 1, 1, 5000, 1]],
  ['runs of small ones', [1, 1, 1, 1000, 1000, 1000, 1000, 1000, 1023, 1023]],
  ['blocks that are just full', [1, 1023, 1023, 1023, 1023, 3, 1]],
  ['empty ones', [0, 0, 1, 0]],
])('keeps the order of %s', (_what, lengths) => {
  const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1));
  const [shifted, mixed] = [new ChunkQueue(), new ChunkQueue()];
  const before: Buffer[] = [];
  for (const [i, chunk] of chunks.entries()) {
    for (const queue of [shifted, mixed]) queue.push(chunk);
    if (i % 3 === 2) before.push(mixed.shift()!);
  }
  const whole = Buffer.concat(chunks);
  expect(bytesOf(shifted)).toEqual(whole);
  expect(Buffer.concat([...before, bytesOf(mixed)])).toEqual(whole);
});
