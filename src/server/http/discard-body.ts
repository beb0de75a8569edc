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

/** Whether a part of the request body has not arrived yet. */
export function isArriving(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req);
}

/**
 * Reads and discards the rest of a request body, so that no memory is held. Can be called more than once.
 *
 * @param atLimit called if the client exceeds the limits. Default: the connection is closed
 */
export function discardBody(
  req: IncomingMessage,
  { maxBytes, maxMs }: DiscardLimits,
  atLimit: () => void = () => req.destroy(),
): void {
  let left = maxBytes;
  const timer = setTimeout(atLimit, maxMs);
  timer.unref();
  req.removeAllListeners('data'); // a blocked parser would stop the stream
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) atLimit();
  });
  req.on('error', () => {}); // the client can disconnect
  req.once('close', () => clearTimeout(timer));
  // After pending callbacks that could pause the stream.
  setImmediate(() => {
    req.resume();
    req.socket.resume();
  });
}
