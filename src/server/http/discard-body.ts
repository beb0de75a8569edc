import type { IncomingMessage } from 'node:http';

/** Limits of discarding a request body. */
export interface DiscardLimits {
  /** Maximum number of bytes to read. */
  readonly maxBytes: number;
  /** Time limit in milliseconds. */
  readonly maxMs: number;
}

/** Whether the request has a body, which can be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/**
 * Reads and discards the rest of a request body, so that the connection can be reused and no memory is held. If the
 * client exceeds the limits, the connection is closed. Can be called more than once.
 */
export function discardBody(req: IncomingMessage, { maxBytes, maxMs }: DiscardLimits): void {
  let left = maxBytes;
  const timer = setTimeout(() => req.destroy(), maxMs);
  timer.unref();
  req.removeAllListeners('data'); // a blocked parser would stop the stream
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.on('error', () => {}); // the client can disconnect
  req.once('close', () => clearTimeout(timer));
  // After pending callbacks that could pause the stream.
  setImmediate(() => {
    req.resume();
    req.socket.resume();
  });
}
