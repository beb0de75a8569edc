import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../rest/index.ts';
import { busy } from '../errors/http-error.ts';
import { discardBody, type DiscardLimits, type RequestBody } from './request-body.ts';
import type { ObservedRequest, OperationInfo } from './request-observer.ts';

export interface RecordedOperation extends Partial<OperationInfo> {
  readonly sentCalls: number;
  readonly hasRunningCalls?: boolean;
  readonly isTrusted?: boolean;
  readonly canHaveWritten?: boolean;
}

const maxBodyBytes = 128 * 2 ** 20;

export class RequestLimits {
  readonly #maxRequests: number;
  #requests = 0;
  #bodyBytes = 0;

  constructor(maxRequests: number) {
    this.#maxRequests = maxRequests;
  }

  addRequest(): void {
    if (this.#requests >= this.#maxRequests) throw busy();
    this.#requests += 1;
  }

  removeRequest(): void {
    this.#requests -= 1;
  }

  addBody(bytes: number): void {
    if (this.#bodyBytes + bytes > maxBodyBytes) throw busy();
    this.#bodyBytes += bytes;
  }

  removeBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}

export interface ExchangeHost {
  readonly limits: RequestLimits;
  readonly requestTimeoutMs: number;
  readonly discardLimits: DiscardLimits;
  fail(exchange: HttpExchange, error: unknown): void;
  atDeadline(exchange: HttpExchange): void;
  ended(exchange: HttpExchange): void;
}

/**
 * Functions are not assigned to its properties as literals (`exchange.onClose = () => …`): V8 creates such a function
 * in the old generation, where it keeps the whole request alive until the next major garbage collection.
 * bench/NOTES.md
 */
export class HttpExchange {
  /**
   * The client's `x-request-id` if it is valid, otherwise a new one. It is sent upstream and returned to the client.
   */
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly startedAt: number = performance.now();
  readonly kind: string;
  readonly mediaType: string;
  body: RequestBody | null = null;
  caller: Caller | null = null;
  corsHeaders: Readonly<Record<string, string>> = {};
  observed: ObservedRequest | null = null;
  outcome = 'OK';
  isEarly = false;
  onClose: (() => void) | null = null;
  operation: RecordedOperation | null = null;
  readonly #host: ExchangeHost;
  readonly #disconnect = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #late: PromiseWithResolvers<never> | null = null;
  #hasPlace = false;
  #bodyBytes = 0;
  #hasEnded = false;

  constructor(kind: string, req: IncomingMessage, res: ServerResponse, host: ExchangeHost) {
    this.kind = kind;
    this.req = req;
    this.res = res;
    this.#host = host;
    this.#deadline = setTimeout(() => host.atDeadline(this), host.requestTimeoutMs);
    // A streamed response has more than the ten listeners at which Node warns: its parts, their pipeline, Yoga.
    res.setMaxListeners(0);
    res.once('close', () => this.end());
    const type = req.headers['content-type'] ?? '';
    const isPlain = type === '' || type === 'application/json'; // nearly all requests
    this.mediaType = isPlain ? type : type.split(';', 1)[0]!.trim().toLowerCase();
    const given = req.headers['x-request-id'];
    this.id = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  }

  get signal(): AbortSignal {
    return this.#disconnect.signal;
  }

  takePlace(): void {
    this.#host.limits.addRequest();
    this.#hasPlace = true;
  }

  holdBody(bytes: number): void {
    this.#host.limits.addBody(bytes);
    this.#bodyBytes += bytes;
  }

  releaseBody(): void {
    this.#host.limits.removeBody(this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  discardBody(atLimit?: () => void): void {
    discardBody(this.req, this.#host.discardLimits, atLimit);
  }

  get leftMs(): number {
    return this.startedAt + this.#host.requestTimeoutMs - performance.now();
  }

  clearDeadline(): void {
    clearTimeout(this.#deadline);
  }

  get late(): Promise<never> {
    this.#late ??= Promise.withResolvers();
    return this.#late.promise;
  }

  failLate(error: unknown): void {
    if (this.#late !== null) this.#late.reject(error);
    else if (!this.res.headersSent) this.fail(error);
  }

  fail(error: unknown): void {
    this.#host.fail(this, error);
  }

  get isComplete(): boolean {
    const { res } = this;
    return res.writableFinished || (this.isEarly && res.writableLength === 0);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    this.releaseBody();
    if (this.#hasPlace) this.#host.limits.removeRequest();
    // An error can end a result while its other fields are still being read.
    if (!this.isComplete || this.operation?.hasRunningCalls === true) this.#disconnect.abort();
    this.#host.ended(this);
  }

  get isAbandoned(): boolean {
    return this.signal.aborted && this.cutBy === null;
  }

  /**
   * The error that has cut the response. Null if there is none: if a client that pipelines disconnects, Node sets
   * ECONNRESET on the responses that wait for an earlier one.
   */
  get cutBy(): Error | null {
    const { errored } = this.res;
    if (!(errored instanceof Error)) return null;
    return 'code' in errored && errored.code === 'ECONNRESET' ? null : errored;
  }
}
