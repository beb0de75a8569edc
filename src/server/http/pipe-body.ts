import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { ByteBuffer } from '../../rest/client/byte-buffer.ts';

/** Bytes that wait for the sink before the client is held back. */
const maxWaitingBytes = 64 * 1024;

/**
 * Writes a request's body to `sink`, no faster than the sink takes it, and ends the sink with the body. What arrives
 * while the sink is busy is joined, and takes about as much memory as it has bytes. In place of `req.pipe(sink)`, where
 * three queues in a row would each hold 64 KiB: cut into chunks of one byte that is tens of MiB for one request.
 *
 * @param check sees each chunk as it arrives
 * @param fail is called with what `check` or the sink threw, in place of an uncaught exception
 * @returns stops feeding and drops what waits; the rest of the body stays unread
 */
export function pipeBody(
  req: IncomingMessage,
  sink: Writable,
  check: (chunk: Buffer) => void,
  fail: (error: unknown) => void,
): () => void {
  let waiting = new ByteBuffer();
  let isWriting = false;
  let isHeld = false;
  let isStopped = false;

  const hold = (): void => {
    // Read here as well, what is left of this iteration's bytes shares our buffers. Node would keep each chunk on its own.
    if (waiting.length > 4 * maxWaitingBytes) req.pause();
    if (isHeld) return;
    isHeld = true;
    setImmediate(() => {
      if (!isHeld || req.complete) return;
      req.pause();
      req.socket.pause(); // or Node would read on until it holds 64 KiB, again each chunk on its own
    });
  };
  const release = (): void => {
    isHeld = false;
    req.resume();
    req.socket.resume();
  };
  const next = (): void => {
    if (isWriting || isStopped) return;
    const bytes = waiting.take();
    waiting = new ByteBuffer();
    try {
      if (bytes.length > 0) {
        isWriting = true;
        sink.write(bytes, written);
      } else if (req.readableEnded) sink.end();
    } catch (error) {
      fail(error);
    }
    if (isHeld && waiting.length <= maxWaitingBytes) release();
  };
  const written = (): void => {
    isWriting = false;
    next();
  };
  const take = (chunk: Buffer): void => {
    try {
      check(chunk);
    } catch (error) {
      fail(error);
      return;
    }
    waiting.add(chunk);
    next();
    if (waiting.length > maxWaitingBytes) hold();
  };
  req.on('data', take);
  req.on('end', next);

  return () => {
    isStopped = true;
    req.off('data', take);
    req.off('end', next);
    req.pause();
    waiting = new ByteBuffer();
  };
}
