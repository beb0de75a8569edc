import type { IncomingMessage } from 'node:http';

export interface DrainLimits {
  /** Most bytes that are read and thrown away. */
  readonly maxBytes: number;
  /** Longest time that this may take. */
  readonly maxMs: number;
}

/**
 * Reads what is left of a request whose answer is already out, so that the connection can carry the next
 * one; a client that goes on beyond the limits loses the connection.
 */
export function drain(req: IncomingMessage, { maxBytes, maxMs }: DrainLimits): void {
  let left = maxBytes;
  const timer = setTimeout(() => req.destroy(), maxMs);
  timer.unref();
  req.unpipe(); // a parser that waits for its reader would hold the rest back
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.on('error', () => {}); // the client may go away
  req.once('close', () => clearTimeout(timer));
  req.resume();
}
