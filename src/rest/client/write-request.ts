import { errorCodes } from '../../model/error-codes.ts';
import type { UpstreamCall } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import { CancelToken } from './resilience/cancel-token.ts';
import { RestError } from './rest-error.ts';
import { sendRequest } from './send-request.ts';
import type { TransportError, BufferedResponse } from './send-request.ts';
import { isHtml, statusError, xErrorMessage } from './response-status.ts';
import type { BodyPlace, LargeBodies } from './large-bodies.ts';
import type { Upstream, WriteResponse } from './upstream.ts';

/** A write to the DMS. */
export interface WriteCall extends UpstreamCall {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Whether the body of a 2xx response is read. */
  readonly expectsBody: boolean;
}

const headersWithBody = ['accept', 'application/json', 'content-type', 'application/json'];
const headersWithout = ['accept', 'application/json'];

/**
 * Sends a write with at most one request.
 *
 * If the client disconnects, a write that is still queued is cancelled. A write that was sent continues until its time
 * limit.
 *
 * @throws {RestError} `OUTCOME_UNKNOWN` if the write may have been executed
 */
export async function sendWrite(upstream: Upstream, call: WriteCall): Promise<WriteResponse> {
  const {
    transport,
    callPool: calls,
    timeoutMs,
    maxResponseBytes: maxBytes,
    largeBodies,
  } = upstream;
  const { budget } = call;
  const request = requestLine(call);
  const endReason = budget.endReason(request);
  if (endReason !== null) throw endReason;
  budget.consumeCall(request);
  const cancelToken = new CancelToken();
  let isLimitedByDeadline = false;
  let place: BodyPlace | undefined;
  const leave = (): void =>
    cancelToken.cancel(budget.endReason(request) ?? new RestError('CANCELLED', request));
  budget.addEndListener(leave);
  try {
    const slot = budget.acquireSlot(cancelToken);
    if (slot !== undefined) await slot;
    try {
      const response = await transport.attempt(call, {
        number: 1,
        pool: calls,
        cancelToken,
        headers: call.json === undefined ? headersWithout : headersWithBody,
        ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
        send: (dispatcher, outgoing) => {
          budget.removeEndListener(leave);
          const leftMs = Math.max(1, budget.deadlineAt - performance.now());
          isLimitedByDeadline = leftMs < timeoutMs;
          return sendRequest(dispatcher, outgoing, {
            timeoutMs: Math.min(timeoutMs, leftMs),
            maxBytes,
            expectsBody: call.expectsBody,
            waitForLargeBody() {
              place = largeBodies.request(call.caller.key);
              return place.ready;
            },
            cancelToken,
          });
        },
        toRestError: (error, waitedMs) => {
          // Otherwise the next write of the operation could be sent in the remaining time, and its outcome be unknown
          // too.
          if (error.kind === 'timeout' && isLimitedByDeadline) budget.expire();
          return writeErrorFrom(error, request, waitedMs);
        },
      });
      return await writeResponseFrom(largeBodies, request, response, call.expectsBody);
    } finally {
      place?.release();
      budget.releaseSlot();
    }
  } finally {
    budget.removeEndListener(leave);
  }
}

/** The error of a write that failed in transport. The outcome is unknown as soon as any part may have been sent. */
function writeErrorFrom(error: TransportError, request: string, waitedMs: number): RestError {
  const details = { status: error.status, waitedMs, cause: error };
  if (error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', request, details);
  return new RestError('UPSTREAM_UNAVAILABLE', request, details);
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
function isRejection({ status, headers }: BufferedResponse): boolean {
  if (status < 400 || status > 499) return false;
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
 * Returns the response if it determines the outcome of the write: 2xx, and 4xx that concern the input. 421, 425, 429
 * and 503 mean that the write was not started.
 *
 * @throws {RestError} for every other status; `OUTCOME_UNKNOWN` if the write may have been executed, also for a 2xx
 * whose body is not the expected one or is an HTML page
 */
export async function writeResponseFrom(
  largeBodies: LargeBodies,
  request: string,
  response: BufferedResponse,
  expectsBody: boolean,
): Promise<WriteResponse> {
  const { status, headers } = response;
  if (isOutcomeUnknown(status)) throw new RestError('OUTCOME_UNKNOWN', request, { status });
  if (isRejection(response)) return { status, headers, body: null, request };
  if (status < 200 || status > 299) throw statusError(request, response);
  if (!expectsBody) {
    if (isHtmlPage(response)) {
      throw new RestError('OUTCOME_UNKNOWN', request, { status, expected: 'no HTML' });
    }
    return { status, headers, body: null, request };
  }
  try {
    const body = await largeBodies.parseInParts(request, response);
    return { status, headers, body, request };
  } catch (error) {
    throw outcomeUnknown(request, status, error);
  }
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
