import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections are accepted. */
export interface OpenConnectionsOptions {
  /** Maximum number of connections to the DMS. Default 128. */
  readonly connections?: number;
  /** Maximum number of connections of clients. Default 10,000, or fewer if the process can open few files. */
  readonly maxConnections?: number;
  /**
   * Receives a message for the log, with the limits: at once if the process can open too few files, and when the number of
   * connections is exceeded, again after fewer than half of them were open.
   */
  readonly onLimit?: (message: string, limits: ConnectionLimits) => void;
}

/** How many connections of clients a process accepts, and how many files and connections it can open in total. */
interface ConnectionLimits {
  readonly maxConnections: number;
  /** Infinity if it is unknown. */
  readonly maxOpenFiles: number;
}

/** An idle connection holds 15 KiB, and one with an incomplete head no more than a waiting request. */
const defaultMaxConnections = 10_000;
/** Files and connections besides those of clients and the DMS: transfers, features, the log, the page of the playground. */
const reservedFiles = 256;
/** Maximum number of connections that are examined to find one that can be closed. */
const maxExamined = 1024;
/** How long the body of a request must have stopped arriving, so that its connection can be closed, in milliseconds. */
const minStallMs = 1000;

function limitsFor({
  connections = 128,
  maxConnections,
  onLimit,
}: OpenConnectionsOptions): ConnectionLimits {
  const maxOpenFiles = readMaxOpenFiles();
  const half = Math.floor(maxOpenFiles / 2);
  const free = maxOpenFiles - connections - reservedFiles;
  const limits = {
    maxConnections: maxConnections ?? Math.min(defaultMaxConnections, Math.max(half, free)),
    maxOpenFiles,
  };
  if (free < half) onLimit?.('the process can open too few files', limits);
  return limits;
}

/** Node raises the soft limit to the hard one when it starts. Infinity on other systems than Linux. */
function readMaxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** The open connections of a server, and the last response of each. */
export class OpenConnections {
  readonly #limits: ConnectionLimits;
  readonly #onLimit: OpenConnectionsOptions['onLimit'];
  #isFull = false;
  /** What had arrived of incomplete requests `minStallMs` ago or before, in bytes. */
  #bytesBefore = new WeakMap<Socket, number>();
  /** The same at `#measuredAt`. */
  #bytes = new WeakMap<Socket, number>();
  #measuredAt = -Infinity;
  /** Those without a request for the longest time are among the first. */
  readonly #sockets = new Set<Socket>();
  readonly #lastResponses = new WeakMap<Socket, ServerResponse>();

  constructor(options: OpenConnectionsOptions) {
    this.#limits = limitsFor(options);
    this.#onLimit = options.onLimit;
  }

  get sockets(): Iterable<Socket> {
    return this.#sockets;
  }

  /** Adds a connection until it closes. Returns false, and closes it, if there are too many. */
  add(socket: Socket): boolean {
    if (!this.#allowOneMore()) {
      socket.destroy();
      return false;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return true;
  }

  /** Records that a request has arrived. Responses are sent in the order of the requests. */
  requestArrived(socket: Socket, response: ServerResponse): void {
    this.#lastResponses.set(socket, response);
    if (this.#sockets.delete(socket)) this.#sockets.add(socket);
  }

  /** Whether a request of this connection is running. */
  isBusy(socket: Socket): boolean {
    const response = this.#lastResponses.get(socket);
    return response !== undefined && !response.closed;
  }

  get areBusy(): boolean {
    return [...this.#sockets].some((socket) => this.isBusy(socket));
  }

  /**
   * Closes connections on which nothing has arrived, such as those that browsers open in advance.
   *
   * @param withPartial whether connections are closed whose next request has arrived in part
   */
  closeUnused(withPartial: boolean): void {
    for (const socket of this.#sockets) {
      if (!this.isBusy(socket) && (withPartial || socket.bytesRead === 0)) socket.destroy();
    }
  }

  /**
   * Closes a connection that waits for its client if there are as many as possible. A client that opens thousands of
   * connections must not lock out others. Returns false if there is none.
   */
  #allowOneMore(): boolean {
    const { maxConnections } = this.#limits;
    if (this.#sockets.size < maxConnections) {
      if (this.#sockets.size < maxConnections / 2) this.#isFull = false;
      return true;
    }
    if (!this.#isFull) this.#onLimit?.('too many connections', this.#limits);
    this.#isFull = true;
    if (performance.now() - this.#measuredAt >= minStallMs) this.#measureIncomplete();
    let left = Math.min(this.#sockets.size, maxExamined);
    for (const socket of this.#sockets) {
      this.#sockets.delete(socket);
      if (this.#waitsForClient(socket)) {
        socket.destroy();
        return true;
      }
      this.#sockets.add(socket); // it is examined again after all others
      left -= 1;
      if (left === 0) break;
    }
    return false;
  }

  #measureIncomplete(): void {
    this.#measuredAt = performance.now();
    this.#bytesBefore = this.#bytes;
    this.#bytes = new WeakMap();
    for (const socket of this.#sockets) {
      // The gateway itself pauses an upload that the DMS does not read.
      const { req } = this.#lastResponses.get(socket) ?? {};
      if (req?.complete === false && !req.isPaused()) this.#bytes.set(socket, socket.bytesRead);
    }
  }

  #waitsForClient(socket: Socket): boolean {
    return !this.isBusy(socket) || this.#bytesBefore.get(socket) === socket.bytesRead;
  }
}
