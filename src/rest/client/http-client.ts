import type { Dispatcher } from 'undici';
import type { ReferenceResource } from '../../model/resource.ts';
import type { Download } from '../../model/document.ts';
import type { CallResult, Connections, OnCall, Upstream } from './call/call.ts';
import { read, type ReadCall } from './call/read.ts';
import { ReferenceCache, type SharedCache } from './call/reference-cache.ts';
import { SingleFlight } from './call/single-flight.ts';
import { mayBeExecuted, write, type WriteCall } from './call/write.ts';
import { callerDigest } from './caller.ts';
import { createDmsVariants } from './dms-variants.ts';
import { CircuitBreaker } from './limits/circuit-breaker.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import { Semaphore } from './limits/semaphore.ts';
import { completeObserver, type HttpObserver } from './observer.ts';
import { isUnavailable } from './rest-error.ts';
import { download, type DownloadCall } from './transfer/download.ts';
import { minTransferRate, type TransferRate, type Transfers } from './transfer/transfers.ts';
import { upload, type UploadCall } from './transfer/upload.ts';
import { createPool, type PoolOptions, type TlsSource } from './transport/connections.ts';
import { acceptEncoding, decodableCodings } from './transport/content-coding.ts';
import { ImmediateBatch } from './transport/immediate-batch.ts';
import { sendRequest } from './transport/send.ts';
import { Writes } from './writes.ts';

export interface HttpClientOptions {
  readonly baseUrl: string;
  readonly runAsHeader: string;
  readonly timeoutMs: number;
  readonly transferIdleMs?: number;
  readonly retries: number;
  readonly connections: number;
  readonly connectionMaxAgeS?: number;
  readonly tls?: TlsSource | undefined;
  readonly proxy?: string | null;
  readonly projection: boolean;
  readonly compression?: boolean;
  readonly cacheTtlMs: number;
  readonly singleFlight?: boolean;
  /**
   * Maximum number of connections for file transfers. They have their own pool, so that slow transfers never delay
   * calls. Default 64.
   */
  readonly transferConnections?: number;
  readonly cacheEntries?: number;
  readonly cacheBytes?: number;
  readonly sharedCache?: SharedCache;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /**
   * Whether part of the connections is reserved for other callers: an eighth of those for calls, half of those for
   * transfers. Default true. False if there is only one caller.
   */
  readonly fairShare?: boolean;
  readonly minTransferRate?: TransferRate;
  readonly rateLimiter?: Pick<RateLimiter, 'consume'>;
  readonly dmsMaxResponseBytes?: number;
  readonly onCall?: OnCall | undefined;
}

const pingMs = 2000;
/**
 * The `share` of a semaphore: one caller can hold 7/8 of the connections for calls, and half of those for transfers,
 * which last for minutes.
 */
const callShare = 7;
const transferShare = 1;
const maxDecoders = 8;

interface Affected {
  readonly resources?: readonly ReferenceResource[];
  readonly document?: string | null;
}

export class HttpClient {
  readonly projection: boolean;
  readonly variants = createDmsVariants();
  readonly referenceCache: ReferenceCache;
  readonly writes = new Writes();
  readonly #upstream: Upstream;
  readonly #transfers: Transfers;
  readonly #singleFlight: SingleFlight;
  readonly #dispatchers: Dispatcher[] = [];
  /** A separate connection: a ping must not wait for a free one. */
  readonly #pingDispatcher: Dispatcher;

  constructor(
    options: HttpClientOptions,
    reportTo: Partial<HttpObserver> = {},
    dispatcher?: Dispatcher,
  ) {
    const observer = completeObserver(reportTo);
    const { origin, pathname } = new URL(options.baseUrl);
    const { connections, transferConnections = 64, fairShare = true } = options;
    const createDispatcher = (size: number, connectTimeout: number): Dispatcher =>
      dispatcher ??
      this.#createPool(origin, {
        connections: size,
        connectTimeout,
        maxAgeMs: (options.connectionMaxAgeS ?? 0) * 1000,
        tls: options.tls,
        proxy: options.proxy,
      });
    const createSemaphore = (capacity: number, share: number): Semaphore =>
      new Semaphore({
        capacity,
        share: fairShare ? share : Infinity,
        maxWaiting: options.maxWaiting ?? 16_384,
        maxWaitMs: options.maxWaitMs ?? 10_000,
        onWaiting: (change) => observer.callsWaiting(change),
      });
    const connect = (size: number, share: number): Connections => ({
      dispatcher: createDispatcher(size, options.timeoutMs),
      semaphore: createSemaphore(size, share),
    });
    this.projection = options.projection;
    this.referenceCache = new ReferenceCache(
      {
        ttlMs: options.cacheTtlMs,
        maxEntries: options.cacheEntries ?? 5000,
        maxBytes: options.cacheBytes ?? 8 * 1024 * 1024,
        shared: options.sharedCache,
      },
      observer,
    );
    this.#upstream = {
      origin,
      prefix: pathname.replace(/\/+$/, ''),
      runAsHeader: options.runAsHeader,
      codings: options.compression ? decodableCodings : [],
      maxResponseBytes: options.dmsMaxResponseBytes ?? 2 ** 23,
      timeoutMs: options.timeoutMs,
      retries: options.retries,
      calls: connect(connections, callShare),
      breaker: new CircuitBreaker(observer),
      rateLimiter: options.rateLimiter,
      onCall: options.onCall,
      observer,
      batch: new ImmediateBatch(),
    };
    this.#transfers = {
      ...connect(transferConnections, transferShare),
      idleMs: options.transferIdleMs ?? options.timeoutMs,
      minRate: options.minTransferRate ?? minTransferRate,
      decoders: createSemaphore(maxDecoders, transferShare),
    };
    this.#pingDispatcher = createDispatcher(1, pingMs);
    this.#singleFlight = new SingleFlight(options.singleFlight ?? true, observer);
    this.writes.on(({ resources }) => this.invalidate(resources));
  }

  async read(call: ReadCall): Promise<CallResult> {
    return this.#singleFlight.read(call, !call.hasSideEffect, (shared) =>
      read(this.#upstream, call, shared),
    );
  }

  write(call: WriteCall, affected: Affected): Promise<CallResult> {
    return this.#withInvalidation(call, affected, () => write(this.#upstream, call));
  }

  upload(call: UploadCall, affected: Affected): Promise<CallResult> {
    return this.#withInvalidation(call, affected, () =>
      upload(this.#upstream, this.#transfers, call),
    );
  }

  download(call: DownloadCall): Promise<Download> {
    return download(this.#upstream, this.#transfers, call);
  }

  /**
   * Invalidates resources for every identity: cached values are dropped, later reads do not join reads that are in
   * flight, and the results of those are not cached.
   */
  invalidate(affected: readonly ReferenceResource[]): void {
    for (const resource of affected) this.referenceCache.invalidate(resource);
    this.#singleFlight.stopSharing();
  }

  async #withInvalidation(
    { caller }: Pick<WriteCall, 'caller'>,
    { resources = [], document }: Affected,
    run: () => Promise<CallResult>,
  ): Promise<CallResult> {
    for (const resource of resources) this.referenceCache.suspend(resource);
    this.#singleFlight.stopSharing();
    let mayBeDone: boolean | undefined;
    try {
      const answer = await run();
      mayBeDone = answer.status < 300;
      return answer;
    } catch (error) {
      mayBeDone = mayBeExecuted(error);
      throw error;
    } finally {
      if (mayBeDone) this.invalidate(resources);
      for (const resource of resources) this.referenceCache.resume(resource);
      if (mayBeDone) {
        const written =
          document === undefined
            ? null
            : {
                documentId: document,
                get caller() {
                  return callerDigest(caller);
                },
              };
        await this.writes.emit({ resources, document: written });
      }
    }
  }

  async ping(): Promise<boolean> {
    const { origin, prefix } = this.#upstream;
    const headers = ['accept', '*/*', ...acceptEncoding([])];
    const outgoing = { origin, method: 'GET', path: `${prefix}/`, headers } as const;
    try {
      const { status } = await sendRequest(this.#pingDispatcher, outgoing, {
        timeoutMs: pingMs,
        maxBytes: 64 * 1024,
        batch: this.#upstream.batch,
        expectsBody: false,
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

  #createPool(origin: string, options: PoolOptions): Dispatcher {
    const pool = createPool(origin, options);
    this.#dispatchers.push(pool);
    return pool;
  }
}
