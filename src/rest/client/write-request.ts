import type { UpstreamCall } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import { CancelToken } from './resilience/cancel-token.ts';
import { RestError } from './rest-error.ts';
import type { RestErrorCode } from './rest-error.ts';
import { sendRequest } from './send-request.ts';
import type { TransportError, BufferedResponse } from './send-request.ts';
import { isHtml, statusError, xErrorMessage } from './response-status.ts';
import { parseJson } from './upstream.ts';
import type { Upstream, WriteResponse } from './upstream.ts';

export interface WriteCall extends UpstreamCall {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Whether the body of a 2xx is needed. */
  readonly expectsBody: boolean;
}

const headersWithBody = ['accept', 'application/json', 'content-type', 'application/json'];
const headersWithout = ['accept', 'application/json'];

/**
 * Writes, in one request at most.
 *
 * A client that leaves stops a write that still waits; one that is under way is let finish, and bounded by the time
 * limits alone.
 */
export async function sendWrite(upstream: Upstream, call: WriteCall): Promise<WriteResponse> {
  const { transport, callPool: calls, timeoutMs, maxResponseBytes: maxBytes } = upstream;
  const { budget } = call;
  const request = requestLine(call);
  const endReason = budget.endReason(request);
  if (endReason !== null) throw endReason;
  budget.consumeCall(request);
  const cancelToken = new CancelToken();
  let isLimitedByDeadline = false;
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
            cancelToken,
          });
        },
        toRestError: (error, waitedMs) => {
          // Or the next write of the operation could be sent in what is left, and end unknown too.
          if (error.kind === 'timeout' && isLimitedByDeadline) budget.expire();
          return writeErrorFrom(error, request, waitedMs);
        },
      });
      return writeResponseFrom(request, response, call.expectsBody);
    } finally {
      budget.releaseSlot();
    }
  } finally {
    budget.removeEndListener(leave);
  }
}

/** The error for a write that failed in transport: the outcome is unknown as soon as anything may have been sent. */
function writeErrorFrom(error: TransportError, request: string, waitedMs: number): RestError {
  const details = { status: error.status, waitedMs, cause: error };
  if (error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', request, details);
  return new RestError('UPSTREAM_UNAVAILABLE', request, details);
}

/** What a write fails with when it was not sent, or was refused. */
const notExecuted: ReadonlySet<RestErrorCode> = new Set([
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_BUDGET_EXCEEDED',
  'RATE_LIMITED',
  'CANCELLED',
] as const);

/** Whether a write that failed with `error` may have been done all the same. */
export function mayBeExecuted(error: unknown): boolean {
  return !(error instanceof RestError && notExecuted.has(error.code));
}

/**
 * Statuses that say something about the request itself rather than about what the person who asked put into it: a
 * proxy's credentials (407), a method, a form of address or headers that are the gateway's making. The request was
 * refused, and sending it again would not help (RFC 9110, 15.5, and RFC 6585).
 */
const notAboutInput = new Set([405, 406, 407, 411, 414, 416, 417, 426, 431]);

/**
 * Whether the DMS refused what was asked: what the write's outcome is made of. Unknown statuses are as 400 (RFC 9110,
 * 15). With `X-Error` it is the DMS itself that speaks, whatever status it has chosen.
 */
function isRejection({ status, headers }: BufferedResponse): boolean {
  if (status < 400 || status > 499) return false;
  if (notAboutInput.has(status) && xErrorMessage(headers) === null) return false;
  return status !== 401 && status !== 421 && status !== 425 && status !== 429;
}

/**
 * Statuses after which the write may be done or not.
 *
 * 502 and 504 come from something before the DMS that got no answer itself. 408 says that the request did not arrive
 * whole in time (RFC 9110, 15.5.9), but it did: whoever says so may have waited for the DMS. 303 points to the result
 * of what was asked, and 302 is used for that as well (15.4.3, 15.4.4); it is also used to sign in.
 */
function isOutcomeUnknown(status: number): boolean {
  return status === 302 || status === 303 || status === 408 || status === 502 || status === 504;
}

/**
 * Passes on what a write's outcome can be made of. 421, 425, 429 and 503 say that nothing was begun.
 *
 * @throws {RestError} for every other status but 2xx and 4xx; `OUTCOME_UNKNOWN` where the write may be done: also after
 * a 2xx whose body is not the one that was wanted, or is a page of HTML
 */
export function writeResponseFrom(
  request: string,
  response: BufferedResponse,
  expectsBody: boolean,
): WriteResponse {
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
  return orOutcomeUnknown(request, status, () => {
    const body = parseJson(request, response);
    if (exceedsDepth(maxDepth, body)) {
      throw new RestError('UPSTREAM_ERROR', request, {
        expected: 'JSON with fewer levels of nesting',
      });
    }
    return { status, headers, body, request };
  });
}

/** Nothing that the DMS sends has more than a few levels; thousands overflow the stack of whoever writes them. */
const maxDepth = 1000;

function exceedsDepth(levels: number, value: unknown): boolean {
  let members: unknown[] = [value];
  for (let depth = 0; members.length > 0; depth += 1) {
    if (depth > levels) return true;
    members = members.flatMap((member) =>
      typeof member === 'object' && member !== null ? (Object.values(member) as unknown[]) : [],
    );
  }
  return false;
}

/**
 * Reads the answer to a write that was accepted. Where it cannot be read, the write may be done all the same.
 * @throws {RestError} `OUTCOME_UNKNOWN` in place of `UPSTREAM_ERROR`
 */
export function orOutcomeUnknown<T>(request: string, status: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RestError) || cause.code !== 'UPSTREAM_ERROR') throw cause;
    const { expected, got } = cause;
    throw new RestError('OUTCOME_UNKNOWN', request, {
      status,
      ...(expected === null ? {} : { expected }),
      ...(got === null ? {} : { got }),
      cause,
    });
  }
}

/** Some servers call every short or empty body HTML, so that it has to look like it as well. */
function isHtmlPage({ headers, body }: BufferedResponse): boolean {
  return isHtml(headers) && /^[\s\ufeff]*</.test(body.subarray(0, 1024).toString());
}
