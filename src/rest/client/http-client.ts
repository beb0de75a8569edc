import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Download } from '../../model/transfer.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { CancelToken } from './resilience/cancel-token.ts';
import { download } from './transfer/download.ts';
import type { DownloadCall } from './transfer/download.ts';
import { sendRequest } from './send-request.ts';
import type { OutgoingRequest } from './send-request.ts';
import { FairSemaphore } from './resilience/fair-semaphore.ts';
import type { RateLimiter } from './resilience/rate-limiter.ts';
import { completeObserver } from './observer.ts';
import type { HttpObserver } from './observer.ts';
import { createDmsVariants } from './dms-variants.ts';
import type { DmsVariants } from './dms-variants.ts';
import { ReadRequests } from './read-request.ts';
import type { ReadCall } from './read-request.ts';
import { ReferenceCache } from './reference-cache.ts';
import type { ReferenceResource, SharedCache } from './reference-cache.ts';
import { isUnavailable } from './response-status.ts';
import { minTransferRate } from './transfer/transfer-rate.ts';
import type { TransferRate } from './transfer/transfer-rate.ts';
import { Transport } from './transport.ts';
import type { ConnectionPool } from './transport.ts';
import { upload } from './transfer/upload.ts';
import type { UploadCall } from './transfer/upload.ts';
import type { UpstreamResponse, Upstream, WriteResponse } from './upstream.ts';
import { mayBeExecuted, sendWrite } from './write-request.ts';
import type { WriteCall } from './write-request.ts';

export interface HttpClientOptions {
  /** May have a path; the DMS's own paths are appended to it. */
  readonly baseUrl: string;
  readonly runAsHeader: string;
  /** Milliseconds for one call; for file transfers the longest silence. */
  readonly timeoutMs: number;
  /** How often a read is repeated, 0 for never. */
  readonly retries: number;
  /** Most connections for calls. */
  readonly connections: number;
  /** Whether `fields` is sent. */
  readonly projection: boolean;
  /** Milliseconds that reference data is kept; 0 for not at all. */
  readonly cacheTtlMs: number;
  /** Whether equal reads of one identity that are under way at the same time are one. Default true. */
  readonly singleFlight?: boolean;
  /** Most connections for file transfers, which are apart so that slow ones never hold up calls. Default 64. */
  readonly transferConnections?: number;
  /** Maximum number of cached responses of one resource of reference data. Default 5000. */
  readonly cacheEntries?: number;
  /** Most bytes of them. Default 8 MiB. */
  readonly cacheBytes?: number;
  /** Reference data that other processes share with this one. Default: none. */
  readonly sharedCache?: SharedCache;
  /** Maximum number of calls that wait for a connection, and of transfers. Default 16384 each. */
  readonly maxWaiting?: number;
  /** Maximum time that a call or transfer waits for a connection, in milliseconds. Default 10 s. */
  readonly maxWaitMs?: number;
  /**
   * Whether one caller leaves some connections to the others: of those for calls an eighth, of those for transfers
   * half. Default true. False where there is one caller only.
   */
  readonly fairShare?: boolean;
  /**
   * What clients of file transfers are held to, and the DMS when it sends a file, over at least `timeoutMs`. Default
   * `minTransferRate`.
   */
  readonly minTransferRate?: TransferRate;
  /** Limits the calls of each caller. Default: no limit. */
  readonly rateLimiter?: RateLimiter;
  /** Longest answer in bytes, files apart. Default 16 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * Called for every write that may have been done, with the reference data that it touches, and awaited before the write's
   * own answer goes on: for others that keep or share reads. It must not fail.
   */
  readonly onWrite?: (affected: readonly ReferenceResource[]) => Promise<unknown>;
}

/** The only sockets to the DMS. One for the whole process. */
export interface HttpClient {
  /** Whether `fields` is sent. */
  readonly projection: boolean;
  readonly variants: DmsVariants;
  readonly reference: ReferenceCache;
  /**
   * Reads, in at most 1 + `retries` requests. Equal reads of one identity that are under way at the same time
   * are one.
   * @throws {RestError}
   */
  read(call: ReadCall): Promise<UpstreamResponse>;
  /**
   * Writes, in one request at most, and forgets what it may have changed. Resolves with 2xx and with what the DMS
   * refused because of the input.
   * @throws {RestError} for everything else; `OUTCOME_UNKNOWN` where it may have been done
   */
  write(call: WriteCall, affected?: readonly ReferenceResource[]): Promise<WriteResponse>;
  /** Writes with files. @throws as `write`, and whatever a file's stream failed with */
  upload(call: UploadCall): Promise<WriteResponse>;
  /**
   * What a write may have changed is neither answered from memory nor, for whoever asks from now on, from a read that
   * is under way; and nothing that is being read is kept. For every identity.
   */
  invalidate(affected: readonly ReferenceResource[]): void;
  /** @throws {RestError} for every status but 200, 206 and 416 */
  download(call: DownloadCall): Promise<Download>;
  /** Whether the DMS answers at all, whatever it says; within two seconds. One at a time: there is one connection. */
  ping(): Promise<boolean>;
  /**
   * Lets calls under way end, then closes the connections; after `graceMs` (default 1000) it cuts them. What can be
   * left when the gateway's own requests have ended is a write whose client has gone.
   */
  close(graceMs?: number): Promise<void>;
}

/** @param dispatcher in tests, what stands for the network */
export function createHttpClient(
  options: HttpClientOptions,
  observer: Partial<HttpObserver> = {},
  dispatcher?: Dispatcher,
): HttpClient {
  return new UndiciHttpClient(options, completeObserver(observer), dispatcher);
}

const pingMs = 2000;
/** What FairSemaphore's `share` is: 7/8 of the connections for one caller; half of those that are held for minutes. */
const callShare = 7;
const transferShare = 1;

class UndiciHttpClient implements HttpClient {
  readonly projection: boolean;
  readonly variants = createDmsVariants();
  readonly reference: ReferenceCache;
  readonly #upstream: Upstream;
  readonly #readRequests: ReadRequests;
  readonly #onWrite: HttpClientOptions['onWrite'];
  readonly #dispatchers: Pool[] = [];
  /** A connection of its own: whether the DMS answers is another question than whether a connection is free. */
  readonly #pingDispatcher: Dispatcher;
  readonly #origin: string;
  readonly #prefix: string;

  constructor(options: HttpClientOptions, observer: HttpObserver, dispatcher?: Dispatcher) {
    const base = new URL(options.baseUrl);
    this.projection = options.projection;
    this.#origin = base.origin;
    this.#prefix = base.pathname.replace(/\/+$/, '');
    this.reference = new ReferenceCache(
      {
        ttlMs: options.cacheTtlMs,
        maxEntries: options.cacheEntries ?? 5000,
        maxBytes: options.cacheBytes ?? 8 * 1024 * 1024,
        shared: options.sharedCache,
      },
      observer,
    );
    const createPool = (connections: number, share: number): ConnectionPool => ({
      dispatcher: dispatcher ?? this.#createDispatcher(connections, options.timeoutMs),
      semaphore: new FairSemaphore({
        capacity: connections,
        share: options.fairShare === false ? Infinity : share,
        maxWaiting: options.maxWaiting ?? 16_384,
        maxWaitMs: options.maxWaitMs ?? 10_000,
        onWaiting: (change) => observer.waitingChanged(change),
      }),
    });
    this.#upstream = {
      callPool: createPool(options.connections, callShare),
      transferPool: createPool(options.transferConnections ?? 64, transferShare),
      transport: new Transport({
        origin: this.#origin,
        prefix: this.#prefix,
        runAsHeader: options.runAsHeader,
        breaker: new CircuitBreaker(observer),
        observer,
        rateLimiter: options.rateLimiter,
      }),
      observer,
      timeoutMs: options.timeoutMs,
      retries: options.retries,
      minTransferRate: options.minTransferRate ?? minTransferRate,
      maxResponseBytes: options.maxResponseBytes ?? 16 * 1024 * 1024,
    };
    this.#pingDispatcher = dispatcher ?? this.#createDispatcher(1, pingMs);
    this.#readRequests = new ReadRequests(this.#upstream, options.singleFlight ?? true);
    this.#onWrite = options.onWrite;
  }

  read(call: ReadCall): Promise<UpstreamResponse> {
    return this.#readRequests.read(call);
  }

  write(call: WriteCall, affected: readonly ReferenceResource[] = []): Promise<WriteResponse> {
    return this.#withInvalidation(affected, () => sendWrite(this.#upstream, call));
  }

  upload(call: UploadCall): Promise<WriteResponse> {
    return this.#withInvalidation([], () => upload(this.#upstream, call));
  }

  invalidate(affected: readonly ReferenceResource[]): void {
    for (const resource of affected) this.reference.invalidate(resource);
    this.#readRequests.stopSharing();
  }

  download(call: DownloadCall): Promise<Download> {
    return download(this.#upstream, call);
  }

  /**
   * Nobody is answered from memory while a write is under way, nor after it with what was read before; a write that
   * was certainly not made leaves what is kept as it is.
   */
  async #withInvalidation<T extends WriteResponse>(
    affected: readonly ReferenceResource[],
    run: () => Promise<T>,
  ): Promise<T> {
    for (const resource of affected) this.reference.suspend(resource);
    this.#readRequests.stopSharing();
    let mayBeDone: boolean | undefined;
    try {
      const answer = await run();
      mayBeDone = answer.status < 300;
      return answer;
    } catch (error) {
      mayBeDone = mayBeExecuted(error);
      throw error;
    } finally {
      if (mayBeDone) this.invalidate(affected);
      for (const resource of affected) this.reference.resume(resource);
      if (mayBeDone && this.#onWrite !== undefined) await this.#onWrite(affected);
    }
  }

  async ping(): Promise<boolean> {
    const outgoing: OutgoingRequest = {
      origin: this.#origin,
      method: 'GET',
      path: `${this.#prefix}/`,
      headers: ['accept', '*/*'],
    };
    try {
      const { status } = await sendRequest(this.#pingDispatcher, outgoing, {
        timeoutMs: pingMs,
        maxBytes: 64 * 1024,
        expectsBody: false,
        cancelToken: new CancelToken(),
      });
      return status === 429 || !isUnavailable(status);
    } catch {
      return false;
    }
  }

  async close(graceMs = 1000): Promise<void> {
    const closed = Promise.all(this.#dispatchers.map((pool) => pool.close()));
    const cut = setTimeout(() => {
      for (const pool of this.#dispatchers) pool.destroy().catch(() => {});
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  #createDispatcher(connections: number, connectTimeout: number): Pool {
    const pool = new Pool(this.#origin, {
      connections,
      connectTimeout,
      // One request at a time on a connection, and no HTTP/2: what keeps undici from ever sending one twice.
      pipelining: 1,
      allowH2: false,
      // Our own timers keep the time; undici's are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#dispatchers.push(pool);
    return pool;
  }
}
