import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, ClientConnection, userKeyOf } from '../../rest/index.ts';
import type { Pipeline } from './pipeline.ts';
import type { RequestBody } from './request-body.ts';
import type { MemoryClaim } from './request-memory.ts';
import type { ObservedRequest, OperationInfo } from './request-observer.ts';

/** The kind of endpoint, such as `graphql`, `file` and `other`. It determines what is counted and logged. */
export type RequestKind = string;

/** What is counted and logged of the operation of a request. That of a file has neither a type nor a name. */
export interface RecordedOperation extends Partial<OperationInfo> {
  /** Number of upstream calls so far. */
  readonly sentCalls: number;
  /** Whether the operator has approved its query text. */
  readonly isTrusted?: boolean;
}

/**
 * One request and its response.
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
  readonly connection: ClientConnection;
  /** The requests of the same connection. */
  readonly pipeline: Pipeline;
  /** What the request holds of the memory of the process. */
  readonly memory: MemoryClaim;
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
  readonly #onEnd: (exchange: HttpExchange) => void;
  #hasEnded = false;

  /** @param onEnd called once, when the response is sent or cut */
  constructor(
    kind: RequestKind,
    req: IncomingMessage,
    res: ServerResponse,
    pipeline: Pipeline,
    onEnd: (exchange: HttpExchange) => void,
  ) {
    this.kind = kind;
    this.#onEnd = onEnd;
    this.pipeline = pipeline;
    this.memory = pipeline.createClaim();
    this.req = req;
    this.res = res;
    this.connection = new ClientConnection(res);
    const type = req.headers['content-type'] ?? '';
    const isPlain = type === '' || type === 'application/json'; // nearly all requests
    this.mediaType = isPlain ? type : type.split(';', 1)[0]!.trim().toLowerCase();
    const given = req.headers['x-request-id'];
    this.id = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  }

  /** Sets the caller, for whom the request counts from now on. @throws {HttpError} 503 if the share is used up */
  setCaller(caller: Caller): void {
    this.caller = caller;
    this.memory.moveTo(userKeyOf(caller));
  }

  /** The response is sent or cut. Can be called more than once. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this);
  }

  /** Whether the client disconnected before it received the complete response. Failures are then not logged. */
  get isAbandoned(): boolean {
    return this.connection.aborted && this.cutBy === null;
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
