import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Download } from '../../model/transfer.ts';
import { Breaker } from './resilience/circuit-breaker.ts';
import { Cancel } from './resilience/cancel-token.ts';
import { download } from './transfer/download.ts';
import type { DownloadCall } from './transfer/download.ts';
import { exchange } from './send-request.ts';
import type { Outgoing } from './send-request.ts';
import { FairSemaphore } from './resilience/fair-semaphore.ts';
import { observerOf } from './observer.ts';
import type { HttpObserver } from './observer.ts';
import { createQuirks } from './dms-variants.ts';
import type { Quirks } from './dms-variants.ts';
import { Reads } from './read-request.ts';
import type { ReadCall } from './read-request.ts';
import { ReferenceCache } from './reference-cache.ts';
import type { ReferenceNoun } from './reference-cache.ts';
import { isAway } from './response-status.ts';
import { minTransferRate } from './transfer/transfer-rate.ts';
import type { TransferRate } from './transfer/transfer-rate.ts';
import { Transport } from './transport.ts';
import type { Lane } from './transport.ts';
import { upload } from './transfer/upload.ts';
import type { UploadCall } from './transfer/upload.ts';
import type { Answer, Upstream, WriteAnswer } from './upstream.ts';
import { mayBeDone, write } from './write-request.ts';
import type { WriteCall } from './write-request.ts';

export interface HttpOptions {
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
  /** Most answers of one noun of reference data that are kept. Default 5000. */
  readonly cacheEntries?: number;
  /** Most bytes of them. Default 8 MiB. */
  readonly cacheBytes?: number;
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
  /** Longest answer in bytes, files apart. Default 16 MiB. */
  readonly maxAnswerBytes?: number;
  /**
   * Told of every write that may have been done, with the reference data that it touches, and awaited before the write's
   * own answer goes on: for others that keep or share reads. It must not fail.
   */
  readonly onWrite?: (touched: readonly ReferenceNoun[]) => Promise<unknown>;
}

/** The only sockets to the DMS. One for the whole process. */
export interface Http {
  /** Whether `fields` is sent. */
  readonly projection: boolean;
  readonly quirks: Quirks;
  readonly reference: ReferenceCache;
  /**
   * Reads, in at most 1 + `retries` requests. Equal reads of one identity that are under way at the same time
   * are one.
   * @throws {RestError}
   */
  read(call: ReadCall): Promise<Answer>;
  /**
   * Writes, in one request at most, and forgets what it may have changed. Resolves with 2xx and with what the DMS
   * refused because of the input.
   * @throws {RestError} for everything else; `OUTCOME_UNKNOWN` where it may have been done
   */
  write(call: WriteCall, touched?: readonly ReferenceNoun[]): Promise<WriteAnswer>;
  /** Writes with files. @throws as `write`, and whatever a file's stream failed with */
  upload(call: UploadCall): Promise<WriteAnswer>;
  /**
   * What a write may have changed is neither answered from memory nor, for whoever asks from now on, from a read that
   * is under way; and nothing that is being read is kept. For every identity.
   */
  forget(touched: readonly ReferenceNoun[]): void;
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
export function createHttp(
  options: HttpOptions,
  observer: Partial<HttpObserver> = {},
  dispatcher?: Dispatcher,
): Http {
  return new HttpClient(options, observerOf(observer), dispatcher);
}

const pingMs = 2000;
/** What FairSemaphore's `share` is: 7/8 of the connections for one caller; half of those that are held for minutes. */
const callShare = 7;
const transferShare = 1;

class HttpClient implements Http {
  readonly projection: boolean;
  readonly quirks = createQuirks();
  readonly reference: ReferenceCache;
  readonly #upstream: Upstream;
  readonly #reads: Reads;
  readonly #onWrite: HttpOptions['onWrite'];
  readonly #pools: Pool[] = [];
  /** A connection of its own: whether the DMS answers is another question than whether a connection is free. */
  readonly #pingDispatcher: Dispatcher;
  readonly #origin: string;
  readonly #prefix: string;

  constructor(options: HttpOptions, observer: HttpObserver, dispatcher?: Dispatcher) {
    const base = new URL(options.baseUrl);
    this.projection = options.projection;
    this.#origin = base.origin;
    this.#prefix = base.pathname.replace(/\/+$/, '');
    this.reference = new ReferenceCache(
      {
        ttlMs: options.cacheTtlMs,
        maxEntries: options.cacheEntries ?? 5000,
        maxBytes: options.cacheBytes ?? 8 * 1024 * 1024,
      },
      observer,
    );
    const lane = (connections: number, share: number): Lane => ({
      dispatcher: dispatcher ?? this.#pool(connections, options.timeoutMs),
      gate: new FairSemaphore({
        capacity: connections,
        share: options.fairShare === false ? Infinity : share,
        maxWaiting: options.maxWaiting ?? 16_384,
        maxWaitMs: options.maxWaitMs ?? 10_000,
        onWaiting: (change) => observer.waitingChanged(change),
      }),
    });
    this.#upstream = {
      calls: lane(options.connections, callShare),
      transfers: lane(options.transferConnections ?? 64, transferShare),
      transport: new Transport({
        origin: this.#origin,
        prefix: this.#prefix,
        runAsHeader: options.runAsHeader,
        breaker: new Breaker(observer),
        observer,
      }),
      observer,
      timeoutMs: options.timeoutMs,
      retries: options.retries,
      minTransferRate: options.minTransferRate ?? minTransferRate,
      maxAnswerBytes: options.maxAnswerBytes ?? 16 * 1024 * 1024,
    };
    this.#pingDispatcher = dispatcher ?? this.#pool(1, pingMs);
    this.#reads = new Reads(this.#upstream, options.singleFlight ?? true);
    this.#onWrite = options.onWrite;
  }

  read(call: ReadCall): Promise<Answer> {
    return this.#reads.read(call);
  }

  write(call: WriteCall, touched: readonly ReferenceNoun[] = []): Promise<WriteAnswer> {
    return this.#forgetting(touched, () => write(this.#upstream, call));
  }

  upload(call: UploadCall): Promise<WriteAnswer> {
    return this.#forgetting([], () => upload(this.#upstream, call));
  }

  forget(touched: readonly ReferenceNoun[]): void {
    for (const noun of touched) this.reference.drop(noun);
    this.#reads.part();
  }

  download(call: DownloadCall): Promise<Download> {
    return download(this.#upstream, call);
  }

  /**
   * Nobody is answered from memory while a write is under way, nor after it with what was read before; a write that
   * was certainly not made leaves what is kept as it is.
   */
  async #forgetting<T extends WriteAnswer>(
    touched: readonly ReferenceNoun[],
    run: () => Promise<T>,
  ): Promise<T> {
    for (const noun of touched) this.reference.suspend(noun);
    this.#reads.part();
    let isPossiblyDone: boolean | undefined;
    try {
      const answer = await run();
      isPossiblyDone = answer.status < 300;
      return answer;
    } catch (error) {
      isPossiblyDone = mayBeDone(error);
      throw error;
    } finally {
      if (isPossiblyDone) this.forget(touched);
      for (const noun of touched) this.reference.resume(noun);
      if (isPossiblyDone && this.#onWrite !== undefined) await this.#onWrite(touched);
    }
  }

  async ping(): Promise<boolean> {
    const outgoing: Outgoing = {
      origin: this.#origin,
      method: 'GET',
      path: `${this.#prefix}/`,
      headers: ['accept', '*/*'],
    };
    try {
      const { status } = await exchange(this.#pingDispatcher, outgoing, {
        timeoutMs: pingMs,
        maxBytes: 64 * 1024,
        bodyWanted: false,
        cancel: new Cancel(),
      });
      return status === 429 || !isAway(status);
    } catch {
      return false;
    }
  }

  async close(graceMs = 1000): Promise<void> {
    const closed = Promise.all(this.#pools.map((pool) => pool.close()));
    const cut = setTimeout(() => {
      for (const pool of this.#pools) pool.destroy().catch(() => {});
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  #pool(connections: number, connectTimeout: number): Pool {
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
    this.#pools.push(pool);
    return pool;
  }
}
