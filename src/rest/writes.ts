import type { Call } from './call.ts';
import { requestLine } from './call.ts';
import { Cancel } from './cancel.ts';
import { RestError } from './errors.ts';
import { exchange } from './exchange.ts';
import type { Fault, Incoming } from './exchange.ts';
import { statusError } from './status.ts';
import { parseJson } from './upstream.ts';
import type { Upstream, WriteAnswer } from './upstream.ts';

export interface WriteCall extends Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Whether the body of a 2xx is needed. */
  readonly bodyWanted: boolean;
}

const headersWithBody = ['accept', 'application/json', 'content-type', 'application/json'];
const headersWithout = ['accept', 'application/json'];

/**
 * Writes, in one request at most.
 *
 * A client that leaves stops a write that still waits; one that is under way is let finish, and bounded by the time
 * limits alone.
 */
export async function write(upstream: Upstream, call: WriteCall): Promise<WriteAnswer> {
  const { transport, calls, timeoutMs, maxAnswerBytes: maxBytes } = upstream;
  const { operation } = call;
  const request = requestLine(call);
  const over = operation.over(request);
  if (over !== null) throw over;
  operation.spend(request);
  const cancel = new Cancel();
  const leave = (): void =>
    cancel.cancel(operation.over(request) ?? new RestError('CANCELLED', request));
  operation.watch(leave);
  try {
    const place = operation.enter(cancel);
    if (place !== undefined) await place;
    try {
      const incoming = await transport.attempt(call, {
        number: 1,
        lane: calls,
        cancel,
        headers: call.json === undefined ? headersWithout : headersWithBody,
        ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
        send: (dispatcher, outgoing) => {
          operation.unwatch(leave);
          const leftMs = Math.max(1, operation.deadlineAt - performance.now());
          return exchange(dispatcher, outgoing, {
            timeoutMs: Math.min(timeoutMs, leftMs),
            maxBytes,
            bodyWanted: call.bodyWanted,
            cancel,
          });
        },
        explain: (fault, waitedMs) => explainWrite(fault, request, waitedMs),
      });
      return writeAnswer(request, incoming, call.bodyWanted);
    } finally {
      operation.leave();
    }
  } finally {
    operation.unwatch(leave);
  }
}

/** What a fault means for a write: the outcome is unknown as soon as anything may have been sent. */
function explainWrite(fault: Fault, request: string, waitedMs: number): RestError {
  const details = { status: fault.status, waitedMs, cause: fault };
  if (fault.kind === 'tooLarge') {
    return new RestError('UPSTREAM_ERROR', request, { ...details, expected: 'a shorter answer' });
  }
  if (fault.sent) return new RestError('OUTCOME_UNKNOWN', request, details);
  if (fault.kind === 'timeout') return new RestError('UPSTREAM_TIMEOUT', request, details);
  return new RestError('UPSTREAM_UNAVAILABLE', request, details);
}

/**
 * Passes on what a write's outcome can be made of.
 *
 * 502 and 504 come from something before the DMS that got no answer itself, so the outcome is unknown; 429 and
 * 503 say that nothing was begun.
 * @throws {RestError} for every other status but 2xx and 4xx, and for 401
 */
export function writeAnswer(request: string, incoming: Incoming, bodyWanted: boolean): WriteAnswer {
  const { status, headers } = incoming;
  if (status === 502 || status === 504) {
    throw new RestError('OUTCOME_UNKNOWN', request, { status });
  }
  const isDone = status >= 200 && status < 300;
  const isRefused = status >= 400 && status < 500 && status !== 401 && status !== 429;
  if (!isDone && !isRefused) throw statusError(request, incoming);
  const body = isDone && bodyWanted ? parseJson(request, incoming) : null;
  return { status, headers, body, request };
}
