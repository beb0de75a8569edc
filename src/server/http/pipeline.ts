import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MemoryClaim, type RequestMemory } from './request-memory.ts';

/** Maximum number of requests of one connection that run at the same time. */
const maxRunning = 8;
/** What a request holds that has not started, in bytes. Measured, rounded up. */
const waitingBytes = 6 * 1024;

/**
 * The requests of one connection. A client can send requests without waiting for the responses (pipelining). A few of
 * them run at the same time. Further requests that have been read already wait, and nothing more is read meanwhile.
 */
export class Pipeline {
  readonly #socket: Socket;
  readonly #memory: MemoryClaim;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ socket }: IncomingMessage, memory: RequestMemory) {
    this.#socket = socket;
    this.#memory = new MemoryClaim(memory, socket.remoteAddress ?? '');
  }

  /** Starts a request, at once or later. Each one that has started is ended with `finished`. */
  add(start: () => void): void {
    if (this.#running < maxRunning && this.#waiting.length === 0) {
      this.#running += 1;
      start();
      return;
    }
    if (this.#waiting.push(start) === 1) {
      this.#socket.pause();
      this.#socket.on('resume', this.#stayPaused);
    }
    try {
      this.#memory.hold(this.#waiting.length * waitingBytes);
    } catch {
      this.#socket.destroy(); // a response could not be sent before those of the earlier requests
    }
  }

  /** The response of a request has closed. */
  finished(): void {
    this.#running -= 1;
    if (this.#waiting.length === 0) return;
    if (this.#socket.destroyed) this.#waiting.length = 0;
    const next = this.#waiting.shift();
    this.#memory.hold(this.#waiting.length * waitingBytes);
    if (this.#waiting.length === 0) {
      // The body of the last request may not have been read.
      this.#socket.off('resume', this.#stayPaused);
      this.#socket.resume();
    }
    if (next === undefined) return;
    this.#running += 1;
    next();
  }

  /** Reading the body of an earlier request resumes the connection. */
  readonly #stayPaused = (): void => void this.#socket.pause();
}
