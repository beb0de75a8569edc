import type { Writable } from 'node:stream';
import { freeChunk } from './body-buffer.ts';
import type { RequestBody } from './request-body.ts';

/** Number of waiting bytes above which the client is paused. */
const maxWaitingBytes = 64 * 1024;
/** Chunks below this size are joined with others that arrive in the same iteration of the event loop, in bytes. */
const minWriteBytes = 4 * 1024;
/** At most a third of it is used: reading continues for a while when the client is paused. */
const bufferBytes = 2 ** 20;

/** What the sink has accepted can still wait in it, in so many writes: a multipart parser ends a write before all its parts. */
const maxTracked = 4;

/**
 * Writes a request body to `sink`, one chunk at a time, as fast as the sink accepts them, and ends the sink with the
 * body. `req.pipe(sink)` would have three queues of 64 KiB each, which take tens of MiB per request if the chunks have
 * one byte.
 *
 * If the reading ends early, what waits in the sink is released, too.
 *
 * @param check called with the length of each chunk as it arrives. If it throws, the reading ends
 * @param isShared whether others can use bytes that were written. Once true, it stays true, and they are not released
 */
export function pipeBody(
  body: RequestBody,
  sink: Writable,
  check: (length: number) => void,
  isShared: () => boolean,
): void {
  const { req } = body;
  const waiting = body.createBuffer(bufferBytes);
  let isWriting = false;
  let isHeld = false;
  let isNextScheduled = false;
  const tracked: Buffer[] = [];

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
    if (isWriting || body.isEnded) return;
    const bytes = waiting.take();
    try {
      if (bytes.length > 0) {
        isWriting = true;
        if (isShared()) tracked.length = 0;
        else if (tracked.push(bytes) > maxTracked) tracked.shift();
        sink.write(bytes, written);
      } else if (req.readableEnded) sink.end();
    } catch (error) {
      sink.destroy(error as Error);
    }
    if (isHeld && waiting.length <= maxWaitingBytes) release();
  };
  const written = (): void => {
    isWriting = false;
    next();
  };
  const take = (chunk: Buffer): void => {
    check(chunk.length);
    if (!waiting.add(chunk)) freeChunk(chunk);
    if (waiting.length >= minWriteBytes) next();
    else if (!isNextScheduled) {
      isNextScheduled = true;
      setImmediate(() => {
        isNextScheduled = false;
        next();
      });
    }
    if (waiting.length > maxWaitingBytes) hold();
  };
  body.read(take, () => {
    isHeld = false;
    req.socket.off('resume', stayPaused);
    req.off('end', next);
    if (req.complete) tracked.length = 0;
    // Not at once: the sink can have ended the body while it reads them.
    queueMicrotask(() => {
      if (!isShared()) for (const bytes of tracked) freeChunk(bytes);
      tracked.length = 0;
    });
  });
  req.on('end', next);
}
