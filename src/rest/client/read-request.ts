import type { Dispatcher } from 'undici';
import type { Call } from './upstream-call.ts';
import { requestLine } from './upstream-call.ts';
import type { Cancel } from './resilience/cancel-token.ts';
import { RestError } from './rest-error.ts';
import { exchange } from './send-request.ts';
import type { ExchangeOptions, Fault, Incoming, Outgoing } from './send-request.ts';
import { Flight } from './resilience/single-flight.ts';
import { waitBeforeRepeat } from './resilience/retry.ts';
import { isHtml, statusError } from './response-status.ts';
import type { Attempt, Lane } from './transport.ts';
import { parseJson } from './upstream.ts';
import type { Answer, Upstream } from './upstream.ts';

export interface ReadCall extends Call {
  readonly method: 'GET';
  /** Default `json`. */
  readonly as?: 'json' | 'text';
  /** For a read that makes the DMS create something: sent once, and for one caller's one operation alone. */
  readonly once?: boolean;
}

/** Reads: repeated where that may help, and shared by those who ask the same at the same time. */
export class Reads {
  readonly #upstream: Upstream;
  readonly #shares: boolean;
  #flights = new Map<string, Flight<Answer>>();

  constructor(upstream: Upstream, shares: boolean) {
    this.#upstream = upstream;
    this.#shares = shares;
  }

  read(call: ReadCall): Promise<Answer> {
    const request = requestLine(call);
    try {
      const over = call.operation.over(request);
      if (over !== null) throw over;
      return this.#flightFor(call, request).join(call.operation, request);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Lets nobody join the reads under way: they may show what was before a write. */
  part(): void {
    this.#flights = new Map();
  }

  #flightFor(call: ReadCall, request: string): Flight<Answer> {
    const flights = this.#flights;
    const alone = call.once === true || !this.#shares;
    // A path holds no line break, so no other identity can have this key.
    const key = `${call.path}\n${call.caller.key}`;
    const shared = alone ? undefined : flights.get(key);
    if (shared !== undefined) {
      this.#upstream.observer.cacheRead('shared');
      return shared;
    }
    // Before anyone can join: that this operation has no call left must not fail another.
    call.operation.spend(request);
    const flight = new Flight<Answer>(alone ? null : flights, key);
    flight.carry(this.#fly(call, request, flight));
    return flight;
  }

  async #fly(call: ReadCall, request: string, flight: Flight<Answer>): Promise<Answer> {
    const { operation } = call;
    const { cancel } = flight;
    const attempt = new ReadAttempt(call, request, cancel, this.#upstream);
    const place = operation.enter(cancel);
    if (place !== undefined) await place;
    try {
      for (; ; attempt.number += 1) {
        try {
          return answerFrom(call, request, await this.#upstream.transport.attempt(call, attempt));
        } catch (error) {
          const { deadlineAt } = flight;
          const retries = call.once ? 0 : this.#upstream.retries;
          const waitMs = waitBeforeRepeat(error, attempt.number, { retries, deadlineAt });
          if (waitMs === null || !operation.hasBudget()) throw error;
          operation.spend(request);
          this.#upstream.observer.retried(`${call.method} ${call.route}`);
          await cancel.sleep(waitMs);
        }
      }
    } finally {
      operation.leave();
    }
  }
}

/** A class rather than closures: with hundreds of reads under way, what each holds is what the collector copies. */
class ReadAttempt implements Attempt<Incoming>, ExchangeOptions {
  number = 1;
  readonly lane: Lane;
  readonly cancel: Cancel;
  readonly headers: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly #request: string;

  constructor(call: ReadCall, request: string, cancel: Cancel, upstream: Upstream) {
    this.lane = upstream.calls;
    this.cancel = cancel;
    this.headers = call.as === 'text' ? acceptText : acceptJson;
    this.timeoutMs = upstream.timeoutMs;
    this.maxBytes = upstream.maxAnswerBytes;
    this.#request = request;
  }

  send(dispatcher: Dispatcher, outgoing: Outgoing): Promise<Incoming> {
    return exchange(dispatcher, outgoing, this);
  }

  explain(fault: Fault, waitedMs: number): RestError {
    return explainRead(fault, this.#request, waitedMs, this.cancel);
  }
}

function answerFrom(call: ReadCall, request: string, incoming: Incoming): Answer {
  const { status, headers, body } = incoming;
  // 206 would be a part of what was asked for whole.
  if (status < 200 || status > 299 || status === 206) throw statusError(request, incoming);
  const content = call.as === 'text' ? textFrom(request, incoming) : parseJson(request, incoming);
  return { body: content, headers, bytes: body.length, request };
}

/** @throws {RestError} `UPSTREAM_ERROR` for a page of HTML, such as one to sign in */
function textFrom(request: string, { status, headers, body }: Incoming): string {
  if (!isHtml(headers)) return body.toString();
  throw new RestError('UPSTREAM_ERROR', request, {
    status,
    expected: 'text',
    got: `${body.length} bytes of HTML`,
  });
}

const acceptJson = ['accept', 'application/json'];
const acceptText = ['accept', 'text/plain'];

const readFaults = {
  connection: ['UPSTREAM_UNAVAILABLE', 'a connection that holds'],
  timeout: ['UPSTREAM_TIMEOUT', 'an answer in time'],
  tooLarge: ['UPSTREAM_ERROR', 'a shorter answer'],
  malformed: ['UPSTREAM_ERROR', 'HTTP'],
} as const;

/** What a fault means for a read: an error to throw. */
export function explainRead(
  fault: Fault,
  request: string,
  waitedMs: number,
  { reason }: Cancel,
): RestError {
  if (fault.kind === 'cancelled') return reason ?? new RestError('CANCELLED', request);
  const [code, expected] = readFaults[fault.kind];
  return new RestError(code, request, { status: fault.status, waitedMs, expected, cause: fault });
}
