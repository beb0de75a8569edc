import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { ByteBuffer } from '../../rest/client/receive-body.ts';

/** Number of waiting bytes above which the client is paused. */
const maxWaitingBytes = 64 * 1024;

/**
 * Writes a request body to `sink`, one chunk at a time, as fast as the sink accepts them, and ends the sink with the
 * body. `req.pipe(sink)` would have three queues of 64 KiB each, which take tens of MiB per request if the chunks have
 * one byte.
 *
 * @param check called with each chunk as it arrives
 * @param fail called with an error of `check` or the sink, which would otherwise be uncaught
 * @returns a function that stops writing and drops waiting bytes; the rest of the body stays unread
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

  // The server pauses and resumes all connections when much arrives.
  const stayPaused = (): void => void req.socket.pause();
  const hold = (): void => {
    // Bytes that were received in the same iteration of the event loop are still read here, because Node would keep
    // each chunk separately.
    if (waiting.length > 4 * maxWaitingBytes) req.pause();
    if (isHeld) return;
    isHeld = true;
    setImmediate(() => {
      if (!isHeld || req.complete) return;
      req.pause();
      req.socket.pause(); // Node would otherwise buffer another 64 KiB as separate chunks
      req.socket.on('resume', stayPaused);
    });
  };
  const release = (): void => {
    isHeld = false;
    req.socket.off('resume', stayPaused);
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
    isHeld = false;
    req.socket.off('resume', stayPaused);
    req.off('data', take);
    req.off('end', next);
    req.pause();
    waiting = new ByteBuffer();
  };
}
