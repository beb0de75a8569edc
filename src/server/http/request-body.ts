import type { IncomingMessage } from 'node:http';
import { badRequest, bodyTimeout, busy, type HttpError } from '../errors/http-error.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { MemoryClaim } from './request-memory.ts';

/** The parts of a request that a `RequestBody` uses. */
interface ReadableRequest {
  readonly req: IncomingMessage;
  readonly memory: MemoryClaim;
  body: RequestBody | null;
}

/**
 * A request body while it is read: the one owner of its bytes. They are released as soon as reading ends, whatever ends
 * it: a limit, an error of the reader, the deadline, an early response, the client, or the need of memory elsewhere. The
 * rest of the body is then discarded after the response.
 */
export class RequestBody {
  readonly req: IncomingMessage;
  readonly #memory: MemoryClaim;
  readonly #buffers: BodyBuffer[] = [];
  readonly #onClose: () => void;
  readonly #incompleteMessage: string;
  #onFail: ((error: HttpError) => void) | null;
  #take: ((chunk: Buffer) => void) | null = null;
  #onEnd: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onFail called once, if the body cannot be read to its end
   * @param incompleteMessage the message of the error of `interrupt`
   */
  constructor(
    exchange: ReadableRequest,
    onFail: (error: HttpError) => void,
    incompleteMessage = 'The request body is incomplete.',
  ) {
    const { req, memory } = exchange;
    this.req = req;
    this.#memory = memory;
    this.#onFail = onFail;
    this.#incompleteMessage = incompleteMessage;
    exchange.body = this;
    // Without a listener for `error`, Node only emits `close`, which follows in both cases.
    const onClose = (): void => {
      if (!req.complete) this.interrupt();
    };
    this.#onClose = onClose;
    req.on('close', onClose);
  }

  /** Whether reading has ended, with or without success. */
  get isEnded(): boolean {
    return this.#onFail === null;
  }

  /** Creates a buffer that is released with the body. */
  createBuffer(maxBytes: number): BodyBuffer {
    const buffer = new BodyBuffer(maxBytes);
    this.#buffers.push(buffer);
    return buffer;
  }

  /**
   * Passes each chunk to `take`, to which it then belongs. An error of `take` ends the reading.
   *
   * @param onEnd called when the reading ends
   */
  read(take: (chunk: Buffer) => void, onEnd: (() => void) | null = null): void {
    if (this.isEnded) return;
    this.#onEnd = onEnd;
    const guarded = (chunk: Buffer): void => this.guard(() => take(chunk));
    this.#take = guarded;
    this.req.on('data', guarded);
  }

  /** Calls a function. An error of it ends the reading. */
  guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the reading with 408 after a time. */
  setDeadline(ms: number): void {
    this.#timer = setTimeout(() => this.fail(bodyTimeout()), ms);
  }

  clearDeadline(): void {
    clearTimeout(this.#timer);
  }

  /** Sets what the request holds while its body arrives, in bytes. Ends the reading with 503 if that is too much. */
  hold(bytes: number): void {
    this.#hold(bytes, () => this.fail(busy()));
  }

  /** Sets what the request holds from now on, as `hold`. It is no longer ended early to free memory. */
  holdArrived(bytes: number): void {
    this.#hold(bytes, null);
  }

  #hold(bytes: number, onEnd: (() => void) | null): void {
    if (!this.isEnded) this.guard(() => this.#memory.hold(bytes, onEnd));
  }

  /** Ends the reading because the rest of the body is not read: the client has disconnected, or has its response. */
  interrupt(): void {
    this.fail(badRequest(this.#incompleteMessage));
  }

  /** Ends the reading with an error, unless it has ended. */
  fail(error: unknown): void {
    const onFail = this.#onFail;
    if (onFail === null) return;
    this.end();
    this.req.pause(); // the rest is discarded after the response
    const hasNoMemory = error instanceof RangeError; // for the pages of a buffer
    onFail(hasNoMemory ? busy() : (error as HttpError));
  }

  /** Ends the reading, and releases all bytes. */
  end(): void {
    const { req } = this;
    clearTimeout(this.#timer);
    req.off('close', this.#onClose);
    if (this.#take !== null) req.off('data', this.#take);
    this.#onEnd?.();
    // The request can exist much longer than the reading, with references to this object.
    this.#take = null;
    this.#onEnd = null;
    this.#onFail = null;
    for (const buffer of this.#buffers.splice(0)) buffer.release();
  }
}
