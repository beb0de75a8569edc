import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ZstdFrames } from '../../../../src/rest/client/transport/zstd-frames.ts';

async function decode(chunks: Iterable<Buffer>): Promise<Buffer> {
  const frames = new ZstdFrames();
  const [decoded] = await Promise.all([buffer(frames), pipeline(Readable.from(chunks), frames)]);
  return decoded;
}

const large = Buffer.alloc(3_000_000, 'a');
const frame = zstdCompressSync(large);
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
const repeat = (one: Buffer, times: number) => [
  Buffer.concat(Array.from({ length: times }, () => one)),
];

it.each<readonly [string, readonly Buffer[], Buffer]>([
  ['one frame', [frame], large],
  [
    'several in one chunk',
    [Buffer.concat([frame, skippable, frame])],
    Buffer.concat([large, large]),
  ],
  [
    'several in chunks of one byte',
    [...frame, ...skippable, ...frame].map((byte) => Buffer.of(byte)),
    Buffer.concat([large, large]),
  ],
  ['no bytes', [], Buffer.alloc(0)],
  [
    'thousands of frames',
    repeat(zstdCompressSync(large.subarray(0, 1024)), 3000),
    Buffer.alloc(3000 * 1024, 'a'),
  ],
])('decodes %s', async (_what, chunks, expected) => {
  expect((await decode(chunks)).equals(expected)).toBe(true);
});

it('decodes several frames for a slow reader', async () => {
  const part = zstdCompressSync(large.subarray(0, 100_000));
  const frames = new ZstdFrames();
  let bytes = 0;
  frames.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    frames.pause();
    setTimeout(() => frames.resume(), 1);
  });
  const ended = once(frames, 'end');
  await pipeline(Readable.from(repeat(part, 5)), frames);
  await ended;
  expect(bytes).toBe(500_000);
});

it.each<readonly [string, readonly Buffer[], RegExp]>([
  ['is cut off in its first frame', [frame.subarray(0, 10)], /unexpected end/],
  [
    'is cut off in another frame',
    [Buffer.concat([frame, frame.subarray(0, 10)])],
    /unexpected end/,
  ],
  ['ends with other bytes', [Buffer.concat([frame, Buffer.from('\n')])], /Unknown frame/],
  ['has thousands of empty frames', repeat(skippable, 3000), /too many small frames/],
])('rejects a body that %s', async (_what, chunks, message) => {
  await expect(decode(chunks)).rejects.toThrow(message);
});
