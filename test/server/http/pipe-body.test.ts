import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { pipeBody } from '../../../src/server/http/pipe-body.ts';
import { RequestBody } from '../../../src/server/http/request-body.ts';
import { MemoryClaim, RequestMemory } from '../../../src/server/http/request-memory.ts';

/** What a sink gets of a chunked request body, write by write. It is busy with the first one until `isSent`. */
async function writesOf(chunks: readonly string[]): Promise<Buffer[]> {
  const writes: Buffer[] = [];
  const result = Promise.withResolvers<Buffer[]>();
  let received = 0;
  let release: (() => void) | null = null;
  const server = createServer((req, res) => {
    const sink = new Writable({
      write(bytes: Buffer, _encoding, done) {
        writes.push(bytes);
        if (writes.length === 1 && received < chunks.length) release = done;
        else done();
      },
      final(done) {
        done();
        res.end();
        result.resolve(writes);
      },
    });
    const count = (): void => {
      received += 1;
      if (received === chunks.length) setImmediate(() => release?.()); // once the last one waits too
    };
    const memory = new MemoryClaim(new RequestMemory({ requestTimeoutMs: 60_000 }), '');
    pipeBody(new RequestBody({ req, memory, body: null }, result.reject), sink, count, () => false);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const body = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
  return result.promise;
}

it('joins what arrives while the sink is busy, in its order', async () => {
  const chunks = Array.from({ length: 20_000 }, (_, n) => String(n % 10));
  const writes = await writesOf(chunks);
  expect(Buffer.concat(writes).toString()).toBe(chunks.join(''));
  expect(writes).toHaveLength(2);
});

it('joins small chunks that arrive in the same iteration of the event loop', async () => {
  const writes = await writesOf(Array.from({ length: 100 }, () => 'a'));
  expect(writes.map(({ length }) => length)).toEqual([100]);
});

it('passes a chunk on as it is if it is the only one', async () => {
  const writes = await writesOf(['a'.repeat(10_000)]);
  expect(writes.map(({ length }) => length)).toEqual([10_000]);
});

it.each([
  [false, 0],
  [true, 10_000],
])(
  'releases what waits in the sink if the reading ends early, unless it is shared: %s',
  async (isShared, length) => {
    const written = Promise.withResolvers<Buffer>();
    const sink = new Writable({ write: (bytes: Buffer) => written.resolve(bytes) });
    let reading: RequestBody | undefined;
    const server = createServer((req) => {
      const memory = new MemoryClaim(new RequestMemory({ requestTimeoutMs: 60_000 }), '');
      reading = new RequestBody({ req, memory, body: null }, () => {});
      pipeBody(
        reading,
        sink,
        () => {},
        () => isShared,
      );
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10001\r\n\r\n${'a'.repeat(10_000)}`,
    );
    const bytes = await written.promise;
    expect(bytes).toHaveLength(10_000);
    reading!.interrupt();
    await Promise.resolve();
    expect(bytes).toHaveLength(length);
  },
);
