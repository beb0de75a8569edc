import type { Call } from './call.ts';
import { requestLine } from './call.ts';
import type { Cancel } from './cancel.ts';
import { RestError } from './errors.ts';
import { exchange } from './exchange.ts';
import type { Fault, Incoming } from './exchange.ts';
import { Flight } from './flight.ts';
import { waitBeforeRepeat } from './retry.ts';
import { statusError } from './status.ts';
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

  async read(call: ReadCall): Promise<Answer> {
    const request = requestLine(call);
    const over = call.operation.over(request);
    if (over !== null) throw over;
    return this.#flightFor(call, request).join(call.operation, request);
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
    const flight = new Flight<Answer>(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    if (!alone) flights.set(key, flight);
    flight.start(() => this.#fly(call, request, flight));
    return flight;
  }

  async #fly(call: ReadCall, request: string, flight: Flight<Answer>): Promise<Answer> {
    const { operation } = call;
    const { cancel } = flight;
    const { transport, observer, calls, timeoutMs, maxAnswerBytes: maxBytes } = this.#upstream;
    const retries = call.once ? 0 : this.#upstream.retries;
    const place = operation.enter(cancel);
    if (place !== undefined) await place;
    try {
      for (let number = 1; ; number += 1) {
        try {
          const incoming = await transport.attempt(call, {
            number,
            lane: calls,
            cancel,
            headers: call.as === 'text' ? acceptText : acceptJson,
            send: (dispatcher, outgoing) =>
              exchange(dispatcher, outgoing, { timeoutMs, maxBytes, cancel }),
            explain: (fault, waitedMs) => explainRead(fault, request, waitedMs, cancel),
          });
          return answerFrom(call, request, incoming);
        } catch (error) {
          const { deadlineAt } = flight;
          const waitMs = waitBeforeRepeat(error, number, { retries, deadlineAt });
          if (waitMs === null || !operation.hasBudget()) throw error;
          operation.spend(request);
          observer.retried(`${call.method} ${call.route}`);
          await cancel.sleep(waitMs);
        }
      }
    } finally {
      operation.leave();
    }
  }
}

function answerFrom(call: ReadCall, request: string, incoming: Incoming): Answer {
  const { status, headers, body } = incoming;
  if (status < 200 || status > 299) throw statusError(request, incoming);
  const content = call.as === 'text' ? body.toString() : parseJson(request, incoming);
  return { body: content, headers, bytes: body.length, request };
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
