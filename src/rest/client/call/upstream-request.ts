import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { HttpObserver, ObservedCall } from '../observer.ts';
import { CancelToken } from '../transport/cancellation.ts';
import type { Coding } from '../transport/content-coding.ts';
import type { ImmediateBatch } from '../transport/immediate-batch.ts';
import type { Admission } from '../limits/circuit-breaker.ts';
import { RestError } from '../rest-error.ts';
import { parseJson } from '../transport/body-text.ts';
import type { OutgoingRequest, TransportError } from '../transport/dispatch-handler.ts';
import type { BufferedResponse } from '../transport/send.ts';
import type { TransferRate } from '../transfer/transfer-rate.ts';
import { requestLine, type UpstreamCall, type WriteResponse } from './call.ts';

/** What all requests of a client share. */
export interface Upstream {
  readonly origin: string;
  /** Path of the base URL without a trailing slash. Often empty. */
  readonly prefix: string;
  /** The connections for calls, and those for file transfers. */
  readonly calls: Dispatcher;
  readonly transfers: Dispatcher;
  /** The content codings to ask for. */
  readonly codings: readonly Coding[];
  readonly observer: HttpObserver;
  /** Time limit of one call without a file, or of the head of a download, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Maximum time without data during a transfer, in milliseconds. For an upload, also the time from its end to the
   * response.
   */
  readonly transferIdleMs: number;
  /** Maximum number of repetitions of a read. */
  readonly retries: number;
  readonly minTransferRate: TransferRate;
  readonly maxResponseBytes: number;
  readonly batch: ImmediateBatch;
}

/** A response as it arrives: with all bytes of its body, or with a stream. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | Readable;
}

/**
 * A call on its way through the stages, and its current attempt. Each kind of call has a class: reads, writes, uploads,
 * downloads. Classes need less memory than closures, and hundreds of calls can be in flight.
 */
export abstract class UpstreamRequest<Raw extends RawResponse = RawResponse, Result = unknown> {
  readonly call: UpstreamCall;
  readonly line: string;
  readonly cancelToken = new CancelToken();
  /** Headers of the request without those that identify the caller, as alternating names and values. */
  abstract readonly ownHeaders: readonly string[];
  /** The content codings to ask for. */
  readonly codings: readonly Coding[];
  /** Maximum number of repetitions. */
  readonly retries: number = 0;
  /** The last moment at which a repetition can start, as a value of `performance.now()`. */
  deadlineAt: number;
  /** Counted from 1. */
  attempt = 1;
  /** All headers of the attempt. */
  headers: string[] = [];
  hasConnection = false;
  admission: Admission = 'refused';
  /** When the attempt was sent, as a value of `performance.now()`. */
  sentAt = 0;
  /** Null if nothing observes the call. */
  observed: ObservedCall | null = null;
  protected readonly upstream: Upstream;

  constructor(upstream: Upstream, call: UpstreamCall) {
    this.upstream = upstream;
    this.call = call;
    this.codings = upstream.codings;
    this.line = requestLine(call);
    this.deadlineAt = call.budget.deadlineAt;
  }

  /** Lets the end of the operation cancel the call, as far as this kind of call allows, until `unfollow`. */
  abstract follow(): void;
  abstract unfollow(): void;

  /** Sends the attempt. @throws {RestError} if there is no complete response, with the TransportError as its cause */
  abstract send(): Promise<Raw>;

  /** Returns the result of the call. @throws {RestError} if the response is not one */
  abstract read(response: Raw): Result | Promise<Result>;

  /** Frees what the attempt holds after its response was read, or after it failed. */
  release(): void {}

  protected outgoing(body?: OutgoingRequest['body']): OutgoingRequest {
    const { origin, prefix } = this.upstream;
    const { method, path } = this.call;
    const outgoing = { origin, method, path: prefix + path, headers: this.headers };
    return body === undefined ? outgoing : { ...outgoing, body };
  }

  /** Time since the attempt was sent, in milliseconds. */
  protected get waitedMs(): number {
    return performance.now() - this.sentAt;
  }
}

/** A call whose response is read into memory. */
export abstract class BufferedRequest extends UpstreamRequest<BufferedResponse, WriteResponse> {
  get batch(): ImmediateBatch {
    return this.upstream.batch;
  }

  get maxBytes(): number {
    return this.upstream.maxResponseBytes;
  }

  abstract toRestError(error: TransportError): RestError;

  /** @throws {RestError} `UPSTREAM_ERROR` if a body is not JSON */
  protected jsonFrom({ status, headers, body }: BufferedResponse): unknown {
    try {
      return parseJson(body);
    } catch (cause) {
      const type = headers['content-type'] ?? 'no content type';
      const encoding = headers['content-encoding'];
      const got = `${body.length} bytes of ${type}${encoding === undefined ? '' : ` with content-encoding ${encoding}`}`;
      throw new RestError('UPSTREAM_ERROR', this.line, { status, expected: 'JSON', got, cause });
    }
  }

  protected resultOf({ status, headers, body }: BufferedResponse, content: unknown): WriteResponse {
    return { status, headers, body: content, bytes: body.length, request: this.line };
  }
}

/** One concern of every request. */
export interface Stage {
  /** Prepares the request. A promise delays it, an error rejects it. */
  enter(request: UpstreamRequest): Promise<void> | undefined;
  /**
   * Called when a request that has entered ends, in reverse order of the stages: with its response or with the error. The
   * body of a response can be a stream.
   */
  leave?(request: UpstreamRequest, response: StageResponse | null, error: unknown): void;
}

/** What stages see of a response. */
export type StageResponse = { readonly status: number; readonly body: unknown };

/**
 * Passes a request through stages, then to `send`, and its response back. Continues synchronously while there is nothing
 * to wait for, which is true for nearly every call.
 *
 * @throws what the first stages throw before any of them has to wait
 */
export function pass<Request extends UpstreamRequest, Response extends StageResponse>(
  stages: readonly Stage[],
  request: Request,
  send: (request: Request) => Promise<Response>,
  from = 0,
): Promise<Response> {
  let at = from;
  try {
    request.cancelToken.throwIfCancelled();
    for (; at < stages.length; at += 1) {
      const wait = stages[at]!.enter(request);
      if (wait === undefined) continue;
      return wait.then(
        () => pass(stages, request, send, at + 1),
        (error: unknown) => {
          leave(stages, at, request, null, error);
          throw error;
        },
      );
    }
  } catch (error) {
    leave(stages, at, request, null, error);
    throw error;
  }
  return send(request).then(
    (response) => {
      leave(stages, at, request, response, null);
      return response;
    },
    (error: unknown) => {
      leave(stages, at, request, null, error);
      throw error;
    },
  );
}

function leave(
  stages: readonly Stage[],
  entered: number,
  request: UpstreamRequest,
  response: StageResponse | null,
  error: unknown,
): void {
  for (let at = entered - 1; at >= 0; at -= 1) stages[at]!.leave?.(request, response, error);
}

/**
 * Calls `listener` when a response has ended: at once, or when its stream is closed, with the error of the stream. A
 * stream that fails in the iteration of the event loop in which its head arrives is already closed.
 */
export function whenEnded(
  response: StageResponse | null,
  listener: (error: unknown) => void,
): void {
  const body = response?.body;
  if (!(body instanceof Readable)) listener(null);
  else if (body.closed) listener(body.errored);
  else body.once('close', () => listener(body.errored));
}
