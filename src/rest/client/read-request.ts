import type { Dispatcher } from 'undici';
import type { UpstreamCall } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import { traceShared } from './call-trace.ts';
import type { CancelToken } from './resilience/cancel-token.ts';
import { RestError } from './rest-error.ts';
import { sendRequest } from './send-request.ts';
import type {
  SendRequestOptions,
  TransportError,
  BufferedResponse,
  OutgoingRequest,
} from './send-request.ts';
import { SingleFlight } from './resilience/single-flight.ts';
import { retryDelayMs } from './resilience/retry.ts';
import { isHtml, statusError } from './response-status.ts';
import type { Attempt, ConnectionPool } from './transport.ts';
import type { BodyPlace, LargeBodies } from './large-bodies.ts';
import type { UpstreamResponse, Upstream } from './upstream.ts';

/** A read of the DMS. */
export interface ReadCall extends UpstreamCall {
  readonly method: 'GET';
  /** How to parse the response. Default `json`. */
  readonly responseType?: 'json' | 'text';
  /** Whether the read makes the DMS create something. Such a read is sent once, and not shared between operations. */
  readonly hasSideEffect?: boolean;
}

/** Sends reads, retries them if that can help, and shares identical concurrent reads. */
export class ReadRequests {
  readonly #upstream: Upstream;
  readonly #isShared: boolean;
  #inFlight = new Map<string, SingleFlight<UpstreamResponse>>();

  constructor(upstream: Upstream, isShared: boolean) {
    this.#upstream = upstream;
    this.#isShared = isShared;
  }

  /** Sends the read, or joins an identical one in flight. @throws {RestError} */
  read(call: ReadCall): Promise<UpstreamResponse> {
    const request = requestLine(call);
    try {
      const endReason = call.budget.endReason(request);
      if (endReason !== null) throw endReason;
      return this.#join(call, request);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** From now on, reads do not join reads that are in flight, which may return the state before a write. */
  stopSharing(): void {
    this.#inFlight = new Map();
  }

  #join(call: ReadCall, request: string): Promise<UpstreamResponse> {
    const inFlight = this.#inFlight;
    const isExclusive = call.hasSideEffect === true || !this.#isShared;
    // A path contains no line break, so keys of different identities never collide.
    const key = `${call.path}\n${call.caller.key}`;
    const shared = isExclusive ? undefined : inFlight.get(key);
    if (shared !== undefined) {
      this.#upstream.observer.cacheRead('shared');
      call.budget.sharedReads += 1;
      call.budget.tracing?.sharedRead(call);
      return traceShared(call, shared.join(call.budget, request));
    }
    // Consumed before another operation can join: an exhausted budget of this operation must not fail the other one.
    call.budget.consumeCall(request);
    const singleFlight = new SingleFlight<UpstreamResponse>(isExclusive ? null : inFlight, key);
    singleFlight.start(this.#execute(call, request, singleFlight));
    return singleFlight.join(call.budget, request);
  }

  async #execute(
    call: ReadCall,
    request: string,
    singleFlight: SingleFlight<UpstreamResponse>,
  ): Promise<UpstreamResponse> {
    const { budget } = call;
    const { cancelToken } = singleFlight;
    const attempt = new ReadAttempt(call, request, cancelToken, this.#upstream);
    const slot = budget.acquireSlot(cancelToken);
    if (slot !== undefined) await slot;
    try {
      for (; ; attempt.number += 1) {
        try {
          const response = await this.#upstream.transport.attempt(call, attempt);
          const body = bodyFrom(call, request, response, attempt);
          return {
            body: body instanceof Promise ? await body : body,
            headers: response.headers,
            bytes: response.body.length,
            request,
          };
        } catch (error) {
          const { deadlineAt } = singleFlight;
          const retries = call.hasSideEffect ? 0 : this.#upstream.retries;
          const waitMs = retryDelayMs(error, attempt.number, { retries, deadlineAt });
          if (waitMs === null || !budget.consumeRetry()) throw error;
          this.#upstream.observer.retried(`${call.method} ${call.route}`);
          await cancelToken.sleep(waitMs);
        } finally {
          attempt.place?.release();
        }
      }
    } finally {
      budget.releaseSlot();
    }
  }
}

/**
 * A class instead of closures: with hundreds of reads in flight, its smaller size reduces the work of garbage
 * collection.
 */
class ReadAttempt implements Attempt<BufferedResponse>, SendRequestOptions {
  number = 1;
  readonly pool: ConnectionPool;
  readonly cancelToken: CancelToken;
  readonly headers: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly largeBodies: LargeBodies;
  place: BodyPlace | null = null;
  readonly #caller: string;
  readonly #request: string;

  constructor(call: ReadCall, request: string, cancelToken: CancelToken, upstream: Upstream) {
    this.pool = upstream.callPool;
    this.cancelToken = cancelToken;
    this.headers = call.responseType === 'text' ? acceptText : acceptJson;
    this.timeoutMs = upstream.timeoutMs;
    this.maxBytes = upstream.maxResponseBytes;
    this.largeBodies = upstream.largeBodies;
    this.#caller = call.caller.key;
    this.#request = request;
  }

  waitForLargeBody(): Promise<void> | undefined {
    this.place = this.largeBodies.request(this.#caller);
    return this.place.ready;
  }

  send(dispatcher: Dispatcher, outgoing: OutgoingRequest): Promise<BufferedResponse> {
    return sendRequest(dispatcher, outgoing, this);
  }

  toRestError(error: TransportError, waitedMs: number): RestError {
    return readErrorFrom(error, this.#request, waitedMs, this.cancelToken);
  }
}

/** Returns a promise only for a large body. */
function bodyFrom(
  { responseType }: ReadCall,
  request: string,
  response: BufferedResponse,
  { largeBodies, cancelToken }: ReadAttempt,
): unknown {
  const { status } = response;
  // 206 contains a part of the resource, although all of it was requested.
  if (status < 200 || status > 299 || status === 206) throw statusError(request, response);
  if (responseType === 'text') return textFrom(request, response);
  return largeBodies.parseJson(request, response, cancelToken);
}

/** @throws {RestError} `UPSTREAM_ERROR` for an HTML page, such as a login page */
function textFrom(request: string, { status, headers, body }: BufferedResponse): string {
  if (!isHtml(headers)) return body.toString();
  throw new RestError('UPSTREAM_ERROR', request, {
    status,
    expected: 'text',
    got: `${body.length} bytes of HTML`,
  });
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];

const readErrors = {
  connection: ['UPSTREAM_UNAVAILABLE', 'a stable connection'],
  timeout: ['UPSTREAM_TIMEOUT', 'a response in time'],
  tooLarge: ['UPSTREAM_ERROR', 'a smaller response'],
  malformed: ['UPSTREAM_ERROR', 'HTTP'],
} as const;

/** Returns the error of a read that failed in transport. */
export function readErrorFrom(
  error: TransportError,
  request: string,
  waitedMs: number,
  { reason }: CancelToken,
): RestError {
  if (error.kind === 'cancelled') return reason ?? new RestError('CANCELLED', request);
  const [code, expected] = readErrors[error.kind];
  return new RestError(code, request, { status: error.status, waitedMs, expected, cause: error });
}
