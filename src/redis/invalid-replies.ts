import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';

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
