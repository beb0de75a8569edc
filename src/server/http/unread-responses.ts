import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import type { Caller } from '../../rest/client/caller.ts';

/** Limits of responses that wait until their clients read them. */
export interface UnreadResponseOptions {
  /** Maximum time that a response waits, in milliseconds. */
  readonly requestTimeoutMs: number;
  /**
   * Maximum size of all waiting responses of this process together, in bytes. One response can always wait. Default: an
   * eighth of the memory that the process can use, which is that of its container or of the machine.
   */
  readonly maxUnreadBytes?: number;
}

/** A request whose response can wait. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller | null;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * The responses that exceed the buffers of the system and wait until their clients read them. If a client does not read
 * in time, its connection is closed, which frees the memory. If all responses together are too large, the largest one
 * of the caller with the most bytes is given up: no client can exhaust the memory of the process by not reading.
 */
export class UnreadResponses {
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #waiting = new Map<Exchange, Waiting>();
  #bytes = 0;

  constructor({ requestTimeoutMs, maxUnreadBytes }: UnreadResponseOptions) {
    this.#timeoutMs = requestTimeoutMs;
    // Without a constraint, Node returns 0 or more than the memory of the machine.
    this.#maxBytes =
      maxUnreadBytes ?? Math.min(process.constrainedMemory() || Infinity, totalmem()) / 8;
  }

  /** Adds what the client has not read yet of a response, or replaces it. */
  add(exchange: Exchange): void {
    this.remove(exchange);
    const { req, res } = exchange;
    const bytes = res.writableLength;
    const timer = setTimeout(() => this.#close(req.socket), this.#timeoutMs).unref();
    this.#waiting.set(exchange, { exchange, bytes, timer });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#waiting.size > 1) this.#close(this.#largest());
  }

  /** Removes a response that the client has read, or that is closed. */
  remove(exchange: Exchange): void {
    const waiting = this.#waiting.get(exchange);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#bytes -= waiting.bytes;
    this.#waiting.delete(exchange);
  }

  /**
   * Closes a connection with all its responses. A pipelined response waits for the one before it, which can be an
   * endless stream; its own `destroy` would wait too.
   */
  #close(socket: Socket): void {
    for (const exchange of this.#waiting.keys()) {
      if (exchange.req.socket === socket) this.remove(exchange);
    }
    socket.destroy();
  }

  #largest(): Socket {
    const callers = Map.groupBy(this.#waiting.values(), ({ exchange }) => callerOf(exchange));
    const ofCaller = largest([...callers.values()], (responses) =>
      responses.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    return largest(ofCaller, ({ bytes }) => bytes).exchange.req.socket;
  }
}

/** A response without a caller, such as that of `/metrics`, counts for its address. */
function callerOf({ caller, req }: Exchange): string {
  return caller?.key ?? req.socket.remoteAddress ?? '';
}

function largest<T>(items: readonly T[], sizeOf: (item: T) => number): T {
  return items.reduce((most, item) => (sizeOf(item) > sizeOf(most) ? item : most));
}
