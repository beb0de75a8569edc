import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freeChunk } from './body-buffer.ts';
import { MemoryClaim, type RequestMemory } from './request-memory.ts';

/** Maximum number of requests of one connection that run at the same time. */
const maxRunning = 2;
/** What a request without a body holds that has not started, in bytes. Measured, rounded up. */
const waitingBytes = 6 * 1024;
/** What can have arrived of its body, in bytes: Node has read it together with the head. */
const maxWaitingBodyBytes = 64 * 1024;

interface WaitingRequest {
  readonly start: () => void;
  readonly bytes: number;
}

/**
 * The requests of one connection. A client can send requests without waiting for the responses (pipelining). A few of
 * them run at the same time. Further requests that have been read already wait, and nothing more is read meanwhile.
 */
export class Pipeline {
  readonly #socket: Socket;
  readonly #memory: RequestMemory;
  readonly #discardLimits: DiscardLimits;
  readonly #ofWaiting: MemoryClaim;
  readonly #waiting: WaitingRequest[] = [];
  #waitingBytes = 0;
  #running = 0;
  #isClosing = false;

  constructor(socket: Socket, memory: RequestMemory, discardLimits: DiscardLimits) {
    this.#socket = socket;
    this.#memory = memory;
    this.#discardLimits = discardLimits;
    this.#ofWaiting = this.createClaim();
  }

  /** Creates the claim of a request, which counts for the address of the client. */
  createClaim(): MemoryClaim {
    return new MemoryClaim(this.#memory, this.#socket.remoteAddress ?? '');
  }

  /**
   * Ends a response that has been written before the request body has arrived, and the connection. The rest of the body
   * is read before, up to a limit: if bytes arrive at a closed connection, the system of the client drops the response.
   */
  endAfterBody(req: IncomingMessage, res: ServerResponse): void {
    this.#isClosing = true;
    const end = (): void => void res.end();
    req.once('end', end);
    discardBody(req, this.#discardLimits, end);
  }

  /** Starts a request, at once or later. Each one that has started is ended with `finished`. */
  add(req: Pick<IncomingMessage, 'headers'>, start: () => void): void {
    if (this.#isClosing || this.#socket.destroyed) return;
    if (this.#running < maxRunning && this.#waiting.length === 0) {
      this.#running += 1;
      start();
      return;
    }
    const bytes = waitingBytes + Math.min(bodyLength(req), maxWaitingBodyBytes);
    this.#waitingBytes += bytes;
    if (this.#waiting.push({ start, bytes }) === 1) {
      this.#socket.pause();
      this.#socket.on('resume', this.#stayPaused);
    }
    try {
      this.#ofWaiting.hold(this.#waitingBytes);
    } catch {
      this.#socket.destroy(); // a response could not be sent before those of the earlier requests
    }
  }

  /** The response of a request has closed. */
  finished(): void {
    this.#running -= 1;
    if (this.#waiting.length === 0) return;
    if (this.#socket.destroyed) {
      this.#waiting.length = 0;
      this.#waitingBytes = 0;
    }
    const next = this.#waiting.shift();
    this.#waitingBytes -= next?.bytes ?? 0;
    this.#ofWaiting.hold(this.#waitingBytes);
    if (this.#waiting.length === 0) {
      // The body of the last request may not have been read.
      this.#socket.off('resume', this.#stayPaused);
      this.#socket.resume();
    }
    if (next === undefined) return;
    this.#running += 1;
    // In an iteration of the event loop of its own. Otherwise all waiting requests that need no I/O would run in this one.
    setImmediate(next.start);
  }

  /** Reading the body of an earlier request resumes the connection. */
  readonly #stayPaused = (): void => void this.#socket.pause();
}

/** Limits of discarding a request body. */
export interface DiscardLimits {
  /** Maximum number of bytes to read. */
  readonly maxBytes: number;
  /** Time limit in milliseconds. */
  readonly maxMs: number;
}

/** Whether the request has a body, which can be empty. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** The announced length of the body in bytes, Infinity if it is unknown. */
function bodyLength({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Infinity;
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
    freeChunk(chunk);
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
