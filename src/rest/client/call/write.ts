import { errorCodes } from '../../../model/error-codes.ts';
import {
  RestError,
  certificateProblemOf,
  isHtml,
  redirectTarget,
  statusError,
  xErrorMessage,
} from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import type { UpstreamCall, WriteResponse } from './call.ts';
import { BufferedRequest, type Upstream } from './upstream-request.ts';

/** A write to the DMS. */
export interface WriteCall extends UpstreamCall {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Whether the body of a 2xx response is read. */
  readonly expectsBody: boolean;
}

/**
 * A write, which is sent at most once.
 *
 * If the client disconnects, a write that is still queued is cancelled. A write that was sent continues until its time
 * limit.
 */
export class WriteRequest extends BufferedRequest {
  override readonly ownHeaders: readonly string[];
  readonly expectsBody: boolean;
  /** Null if there is no limit. */
  timeoutMs: number | null = null;
  readonly #json: string | undefined;
  #isLimitedByDeadline = false;

  constructor(upstream: Upstream, call: WriteCall, contentType = 'application/json') {
    super(upstream, call);
    const hasBody = call.json !== undefined || contentType !== 'application/json';
    this.ownHeaders = [
      'accept',
      'application/json',
      ...(hasBody ? ['content-type', contentType] : []),
    ];
    this.expectsBody = call.expectsBody;
    this.#json = call.json === undefined ? undefined : JSON.stringify(call.json);
  }

  readonly #leave = (): void =>
    this.cancelToken.cancel(
      this.call.budget.endReason(this.line) ?? new RestError('CANCELLED', this.line),
    );

  override follow(): void {
    this.call.budget.addEndListener(this.#leave);
  }

  override unfollow(): void {
    this.call.budget.removeEndListener(this.#leave);
  }

  override send(): Promise<BufferedResponse> {
    this.unfollow();
    const { calls, timeoutMs } = this.upstream;
    const leftMs = Math.max(1, this.call.budget.deadlineAt - performance.now());
    this.#isLimitedByDeadline = leftMs < timeoutMs;
    this.timeoutMs = Math.min(timeoutMs, leftMs);
    return sendRequest(calls, this.outgoing(this.#json), this);
  }

  /** The outcome is unknown as soon as any part may have been sent. */
  override toRestError(error: TransportError): RestError {
    // Otherwise the next write of the operation could be sent in the remaining time, and its outcome be unknown too.
    if (error.kind === 'timeout' && this.#isLimitedByDeadline) this.call.budget.expire();
    const details = { status: error.status, waitedMs: this.waitedMs, cause: error };
    if (error.sent) return new RestError('OUTCOME_UNKNOWN', this.line, details);
    if (error.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', this.line, details);
    return new RestError('UPSTREAM_UNAVAILABLE', this.line, details);
  }

  /**
   * Returns the response if it determines the outcome of the write: 2xx, and 4xx that concern the input. 421, 425, 429
   * and 503 mean that the write was not started.
   *
   * @throws {RestError} for every other status; `OUTCOME_UNKNOWN` if the write may have been executed, also for a 2xx
   * whose body is not the expected one or is an HTML page
   */
  override read(response: BufferedResponse): WriteResponse {
    const { status, headers } = response;
    if (isOutcomeUnknown(status)) {
      const got = redirectTarget(status, headers);
      throw new RestError('OUTCOME_UNKNOWN', this.line, { status, ...(got !== null && { got }) });
    }
    if (isRejection(response)) return this.resultOf(response, null);
    if (status < 200 || status > 299) throw statusError(this.line, response);
    if (!this.expectsBody) {
      if (!isHtmlPage(response)) return this.resultOf(response, null);
      throw new RestError('OUTCOME_UNKNOWN', this.line, { status, expected: 'no HTML' });
    }
    try {
      return this.resultOf(response, this.jsonFrom(response));
    } catch (error) {
      throw outcomeUnknown(this.line, status, error);
    }
  }
}

/** Whether a write that failed with `error` may have been executed, as with any error without a known code. */
export function mayBeExecuted(error: unknown): boolean {
  return !(error instanceof RestError && errorCodes[error.code].isNotExecuted);
}

/**
 * Statuses about the request itself and not about the user's input: proxy credentials (407), methods, or headers that
 * the gateway generates. The request was rejected, and repeating it does not help (RFC 9110, 15.5, and RFC 6585).
 */
const notAboutInput = new Set([405, 406, 407, 411, 414, 416, 417, 426, 431]);

/**
 * Whether the DMS rejected the input, which is a write outcome. Unknown statuses count as 400 (RFC 9110, 15). A
 * response with `X-Error` comes from the DMS itself, with any status.
 */
function isRejection(response: BufferedResponse): boolean {
  const { status, headers } = response;
  if (status < 400 || status > 499 || certificateProblemOf(response) !== null) return false;
  if (notAboutInput.has(status) && xErrorMessage(headers) === null) return false;
  return status !== 401 && status !== 421 && status !== 425 && status !== 429;
}

/**
 * Whether a status leaves open whether the write was executed.
 *
 * 502 and 504 come from a proxy that got no response itself. 408 means that the request was incomplete (RFC 9110,
 * 15.5.9), but it was complete, so a proxy may have waited for the DMS. 303 refers to the result of the request, and
 * 302 is used in the same way (15.4.3, 15.4.4), but also for login pages.
 */
function isOutcomeUnknown(status: number): boolean {
  return status === 302 || status === 303 || status === 408 || status === 502 || status === 504;
}

/**
 * Returns the error of an accepted write whose response cannot be read: `OUTCOME_UNKNOWN` in place of `UPSTREAM_ERROR`.
 * The write may have been executed.
 */
export function outcomeUnknown(request: string, status: number, cause: unknown): unknown {
  if (!(cause instanceof RestError) || cause.code !== 'UPSTREAM_ERROR') return cause;
  const { expected, got } = cause;
  return new RestError('OUTCOME_UNKNOWN', request, {
    status,
    ...(expected === null ? {} : { expected }),
    ...(got === null ? {} : { got }),
    cause,
  });
}

/** Some servers declare every short or empty body as HTML, so the content must look like HTML too. */
function isHtmlPage({ headers, body }: BufferedResponse): boolean {
  return isHtml(headers) && /^[\s\ufeff]*</.test(body.subarray(0, 1024).toString());
}
