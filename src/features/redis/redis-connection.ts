import type { ConnectionOptions } from 'node:tls';
import { Redis, ReplyError } from 'ioredis';
import { messageOf } from '../../model/common.ts';
import type { TlsSource } from '../../rest/index.ts';

/** Address of Redis and time limits. */
export interface RedisOptions {
  /** `redis://` or `rediss://`, with user name, password and database if needed. */
  readonly url: string;
  /**
   * Milliseconds after which a command counts as failed. Default 25: four reads that depend on each other then wait no
   * longer than 100 ms.
   */
  readonly maxWaitMs?: number;
  /** Milliseconds after which a new connection that Redis does not answer is replaced. Default 2000. */
  readonly maxConnectMs?: number;
  /** Milliseconds between two checks whether Redis can be used. Default 1000. */
  readonly checkMs?: number;
  /** The certificates of the connections, for `rediss://`. Default: those that Node trusts. */
  readonly tls?: TlsSource | undefined;
  /** Called when Redis becomes available or unavailable. The reason contains no credential. */
  readonly onChange: (isUp: boolean, reason: string | null) => void;
}

const maxReconnectMs = 1000;
/** A server that has stopped responding does not confirm that the connection is closed. */
const maxDisconnectMs = 100;
const checkName = 'dms-gateway:1:check';
const checkScript = `return redis.call('set', KEYS[1], '', 'PX', 1000)`;

/**
 * A Redis client that never waits long for an unavailable server: a circuit breaker around ioredis. One instance per
 * process. It connects in the background, and counts as unavailable until it is connected.
 *
 * The first command that times out or loses its connection opens it. No command then
 * waits for Redis until a check has succeeded. A command that Redis rejects does not open it, because the reason can be
 * one key that another program has set; if it concerns all commands, the next check opens it.
 *
 * The check writes, because a full Redis and a read-only replica still answer reads. It runs a script and publishes,
 * because a user of Redis may lack the permission for either.
 */
export class RedisConnection {
  readonly #options: RedisOptions;
  readonly #maxWaitMs: number;
  readonly #commands: Redis;
  readonly #timer: NodeJS.Timeout;
  #subscriber: Redis | null = null;
  /** Null until the first check. */
  #isUp: boolean | null = null;
  #lastError: string | null = null;
  /** Why Redis has rejected the subscription, until it accepts it. */
  #subscribeRejection: unknown = null;
  #isChecking = false;

  constructor(options: RedisOptions) {
    this.#options = options;
    this.#maxWaitMs = options.maxWaitMs ?? 25;
    this.#commands = this.#connect();
    this.#commands.on('ready', () => void this.#check());
    this.#timer = setInterval(() => void this.#check(), options.checkMs ?? 1000);
    this.#timer.unref();
  }

  /**
   * Runs a command if Redis is available.
   * @returns null if it was not run, failed, or took longer than `maxWaitMs`; Redis may still execute it in the last
   * case
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<{ readonly value: T } | null> {
    if (this.#isUp !== true) return null;
    try {
      return { value: await withTimeout(this.#maxWaitMs, command(this.#commands)) };
    } catch (error) {
      if (!(error instanceof ReplyError)) this.#setUp(false, error);
      return null;
    }
  }

  /**
   * Receives the messages of a channel. `onGap` is called whenever the subscription starts, because earlier messages
   * may have been missed. Call it once.
   */
  subscribe(channel: string, onMessage: (message: Buffer) => void, onGap: () => void): void {
    const subscriber = this.#connect();
    this.#subscriber = subscriber;
    subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => onMessage(message));
    subscriber.on('ready', () => void this.#subscribe(subscriber, channel, onGap));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isUp = false;
    this.#commands.disconnect();
    this.#subscriber?.disconnect();
  }

  async #subscribe(subscriber: Redis, channel: string, onGap: () => void): Promise<void> {
    try {
      await subscriber.subscribe(channel);
    } catch (error) {
      if (error instanceof ReplyError) this.#subscribeRejection = error;
      setTimeout(() => subscriber.disconnect(true), maxReconnectMs).unref();
      return;
    }
    this.#subscribeRejection = null;
    onGap();
  }

  #connect(): Redis {
    const { url, tls, maxConnectMs = 2000 } = this.#options;
    const redis = new Redis(url, {
      connectionName: 'dms-gateway',
      // What cannot be sent now fails now, and is not sent later.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      connectTimeout: maxConnectMs,
      disconnectTimeout: maxDisconnectMs,
      retryStrategy: (attempt) => Math.min(attempt * 100, maxReconnectMs),
      ...(tls !== undefined && { tls: currentTls(tls) }),
    });
    let isRejected = false;
    redis.on('error', (error: Error) => {
      if (isRejected) return; // a consequence of the rejection
      this.#lastError = error.message;
      tls?.failed(error);
      if (!(error instanceof ReplyError)) return;
      // ioredis would use database 0 if it cannot select another one.
      isRejected = true;
      redis.disconnect(true);
    });
    // The timeout of ioredis ends when TCP is connected, and a server that has stopped responding still accepts that.
    let limit: NodeJS.Timeout | undefined;
    redis.on('connect', () => {
      isRejected = false;
      limit = setTimeout(() => {
        this.#lastError = `no answer to a new connection within ${maxConnectMs} ms`;
        redis.disconnect(true);
      }, maxConnectMs);
    });
    redis.on('close', () => {
      this.#lastError ??= 'the connection was closed';
    });
    redis.on('ready', () => tls?.succeeded());
    for (const event of ['ready', 'close']) redis.on(event, () => clearTimeout(limit));
    return redis;
  }

  /** Also replaces connections on which no reply arrives. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await Promise.all([this.#checkCommands(), this.#checkSubscriber()]);
    this.#isChecking = false;
  }

  async #checkCommands(): Promise<void> {
    const redis = this.#commands;
    const isConnectingFirst = this.#isUp === null && this.#lastError === null;
    if (isConnectingFirst && redis.status !== 'ready') return;
    try {
      const script = redis.eval(checkScript, 1, checkName);
      const commands = Promise.all([script, redis.publish(checkName, '')]);
      await withTimeout(this.#maxWaitMs, commands);
      if (this.#subscribeRejection !== null) throw this.#subscribeRejection;
      this.#setUp(true, null);
    } catch (error) {
      this.#setUp(false, error);
      if (isAnotherServerNeeded(error) && redis.status === 'ready') redis.disconnect(true);
    }
  }

  async #checkSubscriber(): Promise<void> {
    const subscriber = this.#subscriber;
    if (subscriber?.status !== 'ready') return;
    await withTimeout(maxReconnectMs, subscriber.ping()).catch(() => subscriber.disconnect(true));
  }

  #setUp(isUp: boolean, error: unknown): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#options.onChange(isUp, isUp ? null : this.#reasonOf(error));
  }

  /**
   * Without a connection, a command fails without the reason, which only the error of the connection contains. Redis
   * repeats the arguments of an unknown command, such as the password of AUTH.
   */
  #reasonOf(error: unknown): string {
    const message = messageOf(error);
    const isSpecific = error instanceof ReplyError || error instanceof TimeoutError;
    const reason = isSpecific ? message : (this.#lastError ?? message);
    return reason.replace(/,? with args beginning with:.*/s, '');
  }
}

/** Options of which ioredis copies the present values for each connection. */
function currentTls(tls: TlsSource): ConnectionOptions {
  return {
    get secureContext() {
      return tls.context;
    },
  };
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Whether a new connection may reach another server. A primary that has become a replica keeps its connections, but its
 * address may already be that of the new primary.
 */
function isAnotherServerNeeded(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return error instanceof Error && error.message.includes('READONLY');
}

/** Rejects after `ms` milliseconds, unless the reply has arrived and this process was too busy to read it. */
async function withTimeout<T>(ms: number, result: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => setImmediate(() => reject(new TimeoutError(`no answer within ${ms} ms`))),
    ms,
  );
  try {
    return await Promise.race([result, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Results = [error: Error | null, result: unknown][] | null;

/**
 * Returns the results of a pipeline or transaction. A key of another type, which another program has set, counts as
 * missing.
 * @throws the first other error among them
 */
export function resultsOf(results: Results): unknown[] {
  if (results === null) throw new Error('The transaction was not executed.');
  for (const [error] of results) {
    if (error !== null && !error.message.startsWith('WRONGTYPE')) throw error;
  }
  return results.map(([error, result]) => (error ? null : result));
}
