import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../rest/index.ts';
import { discardBody, type DiscardLimits, type RequestBody } from './request-body.ts';
import type { RequestLimits } from './request-limits.ts';
import type { ObservedRequest, OperationInfo } from './request-observer.ts';

/** The kind of endpoint, such as `graphql`, `file` and `other`. It determines what is counted and logged. */
export type RequestKind = string;

/** What is counted and logged of the operation of a request. That of a file has neither a type nor a name. */
export interface RecordedOperation extends Partial<OperationInfo> {
  /** Number of upstream calls so far. */
  readonly sentCalls: number;
  /** Whether the operator has approved its query text. */
  readonly isTrusted?: boolean;
  /** Whether a mutation has started. */
  readonly canHaveWritten?: boolean;
}

/** What all requests of a server share. */
export interface ExchangeHost {
  readonly limits: RequestLimits;
  readonly requestTimeoutMs: number;
  readonly discardLimits: DiscardLimits;
  /** Sends an error instead of the response that failed. */
  fail(exchange: HttpExchange, error: unknown): void;
  /** Called once, at the deadline, unless the request has ended or has none. */
  atDeadline(exchange: HttpExchange): void;
  /** Called once, when the response is sent or cut. */
  ended(exchange: HttpExchange): void;
}

/**
 * One request and its response. What it holds is given back when it ends, in `end`.
 *
 * Functions are not assigned to its properties as literals (`exchange.onClose = () => …`): V8 creates such a function in
 * the old generation, where it keeps the whole request alive until the next major garbage collection. bench/NOTES.md
 */
export class HttpExchange {
  /**
   * The client's `x-request-id` if it is valid, otherwise a new one. It is sent upstream and returned to the client.
   */
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly startedAt: number = performance.now();
  readonly kind: RequestKind;
  /** The content type of the request in lower case, without parameters. Empty if it has none. */
  readonly mediaType: string;
  /** The reader of the body. Null if none has begun. */
  body: RequestBody | null = null;
  /** Who asks. Null until it is known. */
  caller: Caller | null = null;
  /** CORS headers, which are part of every response. */
  corsHeaders: Readonly<Record<string, string>> = {};
  /** Null if nothing observes it. */
  observed: ObservedRequest | null = null;
  /** `OK`, or the code of the first error. */
  outcome = 'OK';
  /** Whether the response precedes the end of the request body. The connection is then closed. */
  isEarly = false;
  /** Called once, when the response closes: it is sent or cut. */
  onClose: (() => void) | null = null;
  /** Null until an operation has begun, and for requests without upstream calls. */
  operation: RecordedOperation | null = null;
  readonly #host: ExchangeHost;
  readonly #disconnect = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #late: PromiseWithResolvers<never> | null = null;
  #hasPlace = false;
  #bodyBytes = 0;
  #hasEnded = false;

  constructor(kind: RequestKind, req: IncomingMessage, res: ServerResponse, host: ExchangeHost) {
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

  /** Aborted when the client disconnects before it has received the complete response. */
  get signal(): AbortSignal {
    return this.#disconnect.signal;
  }

  /** Takes one of the places for requests in progress. @throws {HttpError} 503 */
  takePlace(): void {
    this.#host.limits.addRequest();
    this.#hasPlace = true;
  }

  /** Counts bytes of the body that have arrived. @throws {HttpError} 503 */
  holdBody(bytes: number): void {
    this.#host.limits.addBody(bytes);
    this.#bodyBytes += bytes;
  }

  releaseBody(): void {
    this.#host.limits.removeBody(this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  /** @see discardBody */
  discardBody(atLimit?: () => void): void {
    discardBody(this.req, this.#host.discardLimits, atLimit);
  }

  /** Time until its deadline, in milliseconds. */
  get leftMs(): number {
    return this.startedAt + this.#host.requestTimeoutMs - performance.now();
  }

  /** A transfer has no deadline. It ends if it stops. */
  clearDeadline(): void {
    clearTimeout(this.#deadline);
  }

  /** Rejects when the result is late, for those who then send another one. The operations of a batch share it. */
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

  /** Whether the complete response is sent. A client can close the connection as soon as it has an early one. */
  get isComplete(): boolean {
    const { res } = this;
    return res.writableFinished || (this.isEarly && res.writableLength === 0);
  }

  /** The response is sent or cut, or the connection has closed. Can be called more than once. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    this.releaseBody();
    if (this.#hasPlace) this.#host.limits.removeRequest();
    if (!this.isComplete) this.#disconnect.abort();
    this.#host.ended(this);
  }

  /** Whether the client disconnected before it received the complete response. Failures are then not logged. */
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
