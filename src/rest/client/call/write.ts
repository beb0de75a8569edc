import { errorCodes } from '../../../model/error-codes.ts';
import {
  RestError,
  certificateProblemOf,
  redirectTarget,
  requestLine,
  statusError,
  xErrorMessage,
} from '../rest-error.ts';
import type { TransportError } from '../transport/dispatch-handler.ts';
import { isHtml } from '../transport/header-values.ts';
import { sendRequest, type BufferedResponse } from '../transport/send.ts';
import { runCall, type Call, type CallResult, type Upstream } from './call.ts';
import { parsedJson, resultOf } from './read.ts';

export interface WriteCall extends Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  readonly expectsBody: boolean;
}

/**
 * Sends a write at most once.
 *
 * If the client disconnects, a write that is still queued is cancelled. A write that was sent continues until its time
 * limit.
 */
export async function write(upstream: Upstream, call: WriteCall): Promise<CallResult> {
  const { budget, json, expectsBody } = call;
  const request = requestLine(call);
  const body = json === undefined ? undefined : JSON.stringify(json);
  const { maxResponseBytes: maxBytes, batch } = upstream;
  const controller = new AbortController();
  const { signal } = controller;
  const end = (): void =>
    controller.abort(budget.endReason(request) ?? new RestError('CANCELLED', request));
  let isLimitedByDeadline = false;
  budget.addEndListener(end);
  try {
    return await runCall(upstream, call, {
      connections: upstream.calls,
      signal,
      headers: writeHeaders(body === undefined ? null : 'application/json'),
      codings: upstream.codings,
      retries: 0,
      deadlineAt: () => budget.deadlineAt,
      send(outgoing, sentAt) {
        const leftMs = Math.max(1, budget.deadlineAt - sentAt);
        isLimitedByDeadline = leftMs < upstream.timeoutMs;
        const timeoutMs = Math.min(upstream.timeoutMs, leftMs);
        const sent = body === undefined ? outgoing : { ...outgoing, body };
        const options = { timeoutMs, maxBytes, batch, expectsBody };
        return sendRequest(upstream.calls.dispatcher, sent, options);
      },
      errorFrom(error, waitedMs) {
        // Otherwise the next write of the operation could be sent in the remaining time, and its outcome be unknown too.
        if (error.kind === 'timeout' && isLimitedByDeadline) budget.expire();
        return writeErrorFrom(error, request, waitedMs);
      },
      parse: (response) => writeResult(request, response, expectsBody),
    });
  } finally {
    budget.removeEndListener(end);
  }
}

export function writeHeaders(contentType: string | null): readonly string[] {
  const type = contentType === null ? [] : ['content-type', contentType];
  return ['accept', 'application/json', ...type];
}

function writeErrorFrom(error: TransportError, request: string, waitedMs: number): RestError {
  const details = { status: error.status, waitedMs, cause: error };
  if (error.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (error.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', request, details);
  return new RestError('UPSTREAM_UNAVAILABLE', request, details);
}

/**
 * Returns the response if it determines the outcome of the write: 2xx, and 4xx that concern the input. 421, 425, 429
 * and 503 mean that the write was not started.
 */
export function writeResult(
  request: string,
  response: BufferedResponse,
  expectsBody: boolean,
): CallResult {
  const { status, headers } = response;
  if (isOutcomeUnknown(status)) {
    const got = redirectTarget(status, headers);
    throw new RestError('OUTCOME_UNKNOWN', request, { status, ...(got !== null && { got }) });
  }
  if (isRejection(response)) return resultOf(request, response, null);
  if (status < 200 || status > 299) throw statusError(request, response);
  if (!expectsBody) {
    if (!isHtmlPage(response)) return resultOf(request, response, null);
    throw new RestError('OUTCOME_UNKNOWN', request, { status, expected: 'no HTML' });
  }
  try {
    return resultOf(request, response, parsedJson(request, response));
  } catch (error) {
    throw outcomeUnknown(request, status, error);
  }
}

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
 * 502 and 504 come from a proxy that got no response itself, and so can 408, because the request was complete. 303, and
 * often 302, refer to the result of the request (RFC 9110, 15.4.3 and 15.4.4).
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
