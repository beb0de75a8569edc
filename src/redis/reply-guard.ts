import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';

/** Maximum size of one reply. Values that a gateway stores are at most about a third of it. */
const maxReplyBytes = 4 * 2 ** 20;
/** Maximum number of items of a list in a reply. The gateway sends no command that returns more than a few. */
const maxItems = 1000;
/** More than the longest line that contains a length. Of longer lines, only the beginning matters. */
const maxHeaderLength = 16;

/**
 * Closes the connections of a client on which a reply exceeds the limits: ioredis keeps a reply of any size until it is
 * complete, and allocates a list as soon as its length has arrived.
 *
 * @see https://github.com/redis/ioredis/blob/v6.0.0/lib/DataHandler.ts constructor, which adds the decoder
 */
export function limitReplies(redis: Redis): void {
  redis.on('connect', () => {
    const { stream } = redis;
    const scanner = new ReplyScanner();
    // Before any data has arrived, the only listener is that of the decoder.
    const [decode] = stream.listeners('data');
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => {
      if (scanner.accepts(chunk)) decode?.(chunk);
      else
        stream
          .removeAllListeners('data')
          .destroy(new Error('Redis sent an invalid or too large reply'));
    });
  });
}

/** A line without its end. Only RESP 2 has a null text and list, of length -1. */
const validLine = /^(?:(?<type>[$!*>~%=])(?<length>\d{1,9})|[$*]-1|_|#[tf]|[-+:(,].*)$/s;

/**
 * Reads the structure of replies: a sequence of lines, each followed by a text if it contains the length of one. It
 * accepts only what ioredis reads in the same way.
 *
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
class ReplyScanner {
  #line = '';
  /** Whether a line feed must follow. */
  #isLineEnd = false;
  /** Bytes of the current text that have not arrived. */
  #textBytes = 0;
  /** Values that the current reply still contains. */
  #values = 1;
  #replyBytes = 0;

  /** Whether the replies are valid and within the limits up to the end of this chunk. */
  accepts(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      const from = at;
      if (this.#textBytes > 0) {
        at = Math.min(chunk.length, at + this.#textBytes);
        this.#textBytes -= at - from;
      } else if (this.#isLineEnd) {
        if (chunk[at] !== 0x0a || !this.#acceptsLine()) return false;
        at += 1;
      } else {
        const end = chunk.indexOf('\r', at);
        this.#isLineEnd = end !== -1;
        at = end === -1 ? chunk.length : end + 1;
        const to = Math.min(end === -1 ? at : end, from + maxHeaderLength);
        if (this.#line.length < maxHeaderLength) this.#line += chunk.toString('latin1', from, to);
      }
      this.#replyBytes += at - from;
      if (this.#replyBytes + this.#textBytes > maxReplyBytes) return false;
      if (this.#values === 0 && this.#textBytes === 0) {
        this.#values = 1;
        this.#replyBytes = 0;
      }
    }
    return true;
  }

  #acceptsLine(): boolean {
    const match = validLine.exec(this.#line);
    this.#line = '';
    this.#isLineEnd = false;
    this.#values -= 1;
    if (match === null) return false;
    const { type, length: digits } = match.groups ?? {};
    const length = Number(digits);
    if (type === undefined) return true;
    if ('$!='.includes(type)) {
      this.#textBytes = length + 2;
      return type !== '=' || length >= 4;
    }
    this.#values += type === '%' ? 2 * length : length;
    return length <= maxItems;
  }
}

/** The class of ioredis that passes the replies of one connection to its commands. */
interface DataHandler {
  readonly redis: Redis & {
    recoverFromFatalError(
      commandError: Error,
      connectionError: Error,
      options: { readonly offlineQueue: boolean },
    ): void;
  };
  dispatch(passReply: () => void): void;
}

/**
 * Makes ioredis close a connection on which a reply of an unexpected type arrives, such as null for SUBSCRIBE or
 * without a command. ioredis 6 closes it only if the bytes are invalid. In the other cases its own TypeError becomes an
 * uncaught exception, which ends the process.
 *
 * @see https://github.com/redis/ioredis/blob/v6.0.0/lib/DataHandler.ts `dispatch`
 */
export function closeOnInvalidReplies(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not part of the public types
  const { default: handler } = createRequire(import.meta.url)('ioredis/built/DataHandler.js') as {
    readonly default: { readonly prototype: DataHandler };
  };
  handler.prototype.dispatch = function dispatch(passReply) {
    try {
      passReply();
    } catch (cause) {
      const error = new Error('Redis sent an unexpected reply', { cause });
      this.redis.recoverFromFatalError(error, error, { offlineQueue: false });
    }
  };
}
