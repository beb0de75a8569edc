import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { Redis, ReplyError } from 'ioredis';
import { inTime, messageOf } from '../../model/common.ts';
import type { TlsSource } from '../../rest/index.ts';

export interface RedisOptions {
  readonly url: string;
  readonly maxWaitMs?: number;
  readonly maxConnectMs?: number;
  readonly retryMs?: number;
  readonly tls?: TlsSource | undefined;
  readonly onChange: (isUp: boolean, reason: string | null) => void;
}

interface Subscription {
  readonly channel: string;
  readonly onStart: () => void;
}

const checkName = 'dms-gateway:1:check';
const checkScript = `return redis.call('set', KEYS[1], '', 'PX', 1000)`;
/** Errors that concern the key or the command. All others concern Redis as a whole, such as `OOM` or `READONLY`. */
const singleErrors = /^(?:ERR|WRONGTYPE) /;

/**
 * The connection to Redis, for commands and messages (RESP3). One instance per process. Redis is used while the connection
 * lasts: after a command that is late, or an error that concerns all commands, ioredis replaces the connection, and until
 * then no command waits.
 */
export class RedisConnection {
  readonly #options: RedisOptions;
  readonly #maxWaitMs: number;
  readonly #redis: Redis;
  #subscription: Subscription | null = null;
  #isUp: boolean | null = null;
  /** Why the connection fails: its first error, because others follow from it. */
  #error: Error | null = null;

  constructor(options: RedisOptions) {
    const { url, tls, maxWaitMs = 25, maxConnectMs = 2000, retryMs = 1000 } = options;
    this.#options = options;
    this.#maxWaitMs = maxWaitMs;
    this.#redis = new Redis(url, {
      connectionName: 'dms-gateway',
      // What cannot be sent now fails now, and is not sent later.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      connectTimeout: maxConnectMs,
      // Of a new connection: a server that has stopped responding still accepts it.
      commandTimeout: maxConnectMs,
      // A server that has stopped responding does not confirm that the connection is closed.
      disconnectTimeout: 100,
      retryStrategy: () => retryMs,
      reconnectOnError: (error) => {
        if (singleErrors.test(error.message)) return false;
        this.#setDown(error);
        return true;
      },
      ...(tls !== undefined && { tls: currentTls(tls) }),
    });
    this.#redis
      .on('connecting', () => (this.#error = null))
      .on('error', (error: Error) => {
        tls?.failed(error);
        this.#error ??= error;
        // ioredis would use database 0 if it cannot select another one.
        if (error instanceof ReplyError) this.#redis.disconnect(true);
      })
      .on('close', () => this.#setDown(new Error('the connection was closed')))
      .on('ready', () => void this.#start());
  }

  /**
   * Runs a command if Redis is available.
   * @returns null if it was not run, failed, or took longer than `maxWaitMs`; Redis may still execute it in the last
   * case
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<{ readonly value: T } | null> {
    if (this.#isUp !== true) return null;
    try {
      return { value: await this.#inTime(command(this.#redis)) };
    } catch (error) {
      if (!(error instanceof ReplyError)) this.#replace(error);
      return null;
    }
  }

  /**
   * Receives the messages of a channel. `onStart` is called whenever the subscription starts, because earlier messages
   * may have been missed. Call it once, with the constructor.
   */
  subscribe(channel: string, onMessage: (message: Buffer) => void, onStart: () => void): void {
    this.#subscription = { channel, onStart };
    this.#redis.on('messageBuffer', (_channel: Buffer, message: Buffer) => onMessage(message));
  }

  close(): void {
    this.#isUp = false;
    this.#redis.disconnect();
  }

  /**
   * Uses a new connection if Redis does everything that the gateway needs. A full Redis and a read-only replica still
   * answer reads, and a user of Redis may lack the permission to run scripts, to publish or to subscribe.
   */
  async #start(): Promise<void> {
    const redis = this.#redis;
    const subscription = this.#subscription;
    try {
      // First: without RESP3, nothing else could follow it.
      if (subscription !== null) await this.#inTime(redis.subscribe(subscription.channel));
      const script = redis.eval(checkScript, 1, checkName);
      await this.#inTime(Promise.all([script, redis.publish(checkName, '')]));
    } catch (error) {
      this.#replace(error);
      return;
    }
    this.#options.tls?.succeeded();
    this.#setUp(true, null);
    subscription?.onStart();
  }

  /**
   * Rejects after `maxWaitMs`, unless the reply has arrived and this process was too busy to read it: the `commandTimeout`
   * of ioredis would count that time too.
   */
  #inTime<T>(result: Promise<T>): Promise<T> {
    const ms = this.#maxWaitMs;
    return inTime(result, ms, async () => {
      await nextIteration();
      throw new Error(`no answer within ${ms} ms`);
    });
  }

  #replace(error: unknown): void {
    this.#setDown(error);
    this.#redis.disconnect(true);
  }

  #setDown(error: unknown): void {
    this.#setUp(false, reasonOf(this.#error ?? error));
  }

  #setUp(isUp: boolean, reason: string | null): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#options.onChange(isUp, reason);
  }
}

/** Redis repeats the arguments of an unknown command, such as the password of AUTH. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/,? with args beginning with:.*/s, '');
}

/** Options of which ioredis copies the present values for each connection. */
function currentTls(tls: TlsSource): ConnectionOptions {
  return {
    get secureContext() {
      return tls.context;
    },
  };
}

/**
 * Returns the results of a pipeline. A key of another type, which another program has set, counts as missing.
 * @throws the first other error among them
 */
export function resultsOf(results: [error: Error | null, result: unknown][] | null): unknown[] {
  return (results ?? []).map(([error, result]) => {
    if (error !== null && !error.message.startsWith('WRONGTYPE')) throw error;
    return error === null ? result : null;
  });
}
