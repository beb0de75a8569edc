import type { IncomingMessage } from 'node:http';

export interface DiscardLimits {
  /** Most bytes that are read and thrown away. */
  readonly maxBytes: number;
  /** Longest time that this may take. */
  readonly maxMs: number;
}

/** Whether the request announces a body, perhaps an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/**
 * Reads and throws away what is left of a request that nobody reads any more, so that the connection can carry the
 * next one and nothing of it is held; a client that goes on beyond the limits loses the connection. May be called
 * more than once.
 */
export function discardBody(req: IncomingMessage, { maxBytes, maxMs }: DiscardLimits): void {
  let left = maxBytes;
  const timer = setTimeout(() => req.destroy(), maxMs);
  timer.unref();
  req.removeAllListeners('data'); // a parser that waits for its reader would hold the rest back
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.on('error', () => {}); // the client may go away
  req.once('close', () => clearTimeout(timer));
  // After what was still to pause them, so that nothing does any more.
  setImmediate(() => {
    req.resume();
    req.socket.resume();
  });
}
