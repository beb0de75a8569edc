import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors/http-error.ts';

interface ReadableRequest {
  readonly req: IncomingMessage;
  body: RequestBody | null;
  releaseBody(): void;
}

/**
 * A request body while it is read. Reading ends with the body, with an error of the reader, at the deadline of the
 * request, with a response that precedes the end, or when the client disconnects. The rest of the body is discarded after
 * the response.
 */
export class RequestBody {
  readonly #exchange: ReadableRequest;
  readonly #incompleteMessage: string;
  readonly #onClose: () => void;
  #onFail: ((error: unknown) => void) | null;
  #take: ((chunk: Buffer) => void) | null = null;

  /**
   * @param onFail called once, if the body cannot be read to its end
   * @param incompleteMessage the message of the error of `interrupt`
   */
  constructor(
    exchange: ReadableRequest,
    onFail: (error: unknown) => void,
    incompleteMessage = 'The request body is incomplete.',
  ) {
    this.#exchange = exchange;
    this.#onFail = onFail;
    this.#incompleteMessage = incompleteMessage;
    exchange.body = this;
    const onClose = (): void => {
      if (!exchange.req.complete) this.interrupt();
    };
    this.#onClose = onClose;
    exchange.req.on('close', onClose); // without a listener for `error`, Node only emits `close`
  }

  get isEnded(): boolean {
    return this.#onFail === null;
  }

  read(take: (chunk: Buffer) => void): void {
    this.#take = (chunk) => this.guard(() => take(chunk));
    this.#exchange.req.on('data', this.#take);
  }

  /** Calls a function, unless reading has ended. An error of it ends the reading. */
  guard(step: () => void): void {
    try {
      if (!this.isEnded) step();
    } catch (error) {
      this.fail(error);
    }
  }

  interrupt(): void {
    this.fail(badRequest(this.#incompleteMessage));
  }

  fail(error: unknown): void {
    const onFail = this.#onFail;
    if (onFail === null) return;
    this.end();
    this.#exchange.req.pause();
    onFail(error);
  }

  end(): void {
    const { req } = this.#exchange;
    this.#onFail = null;
    req.off('close', this.#onClose);
    if (this.#take !== null) req.off('data', this.#take);
    this.#take = null; // the request can exist much longer, with what its reader holds
    this.#exchange.releaseBody();
  }
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

export function isArriving(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req);
}

export interface DiscardLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/**
 * Reads and discards the rest of a request body, so that its client can send it. Can be called more than once.
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
  req.unpipe(); // a blocked parser would stop the stream
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) atLimit();
  });
  req.on('error', () => {}); // the client can disconnect
  req.once('close', () => clearTimeout(timer));
  setImmediate(() => req.resume()); // after pending callbacks that could pause the stream
}
