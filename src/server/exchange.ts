import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingFile } from '../model/transfer.ts';
import type { Departure, Operation } from '../rest/caller.ts';

/** What a request was: decides what is counted and logged of it. */
export type ExchangeKind = 'graphql' | 'file' | 'other';

/** One request of a client and the answer to it, with what the log and the metrics will say of it. */
export class Exchange {
  /** The client's own `x-request-id` where it is harmless; goes upstream and back to the client. */
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly startedAt: number = performance.now();
  readonly kind: ExchangeKind;
  /** Milliseconds that a whole answer may wait to be read. */
  readonly timeoutMs: number;
  /** Headers that depend on who asked from where; part of every answer. */
  corsHeaders: Readonly<Record<string, string>> = {};
  /** Of a multipart request: what its `map` announces. */
  files: ReadonlySet<IncomingFile> | null = null;
  operation: Operation | null = null;
  operationName: string | null = null;
  operationType: 'query' | 'mutation' | 'subscription' | null = null;
  /** `OK`, or the code of the first error. */
  outcome = 'OK';
  readonly #gone = new Gone();

  constructor(kind: ExchangeKind, req: IncomingMessage, res: ServerResponse, timeoutMs: number) {
    this.kind = kind;
    this.timeoutMs = timeoutMs;
    this.req = req;
    this.res = res;
    const given = req.headers['x-request-id'];
    this.id = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  }

  /** Aborts when the client goes away before it has the whole answer. */
  get signal(): Departure {
    return this.#gone;
  }

  /** Whether the client went away: then nobody reads an answer, and no failure is worth a line. */
  get isAbandoned(): boolean {
    return this.#gone.aborted && this.res.errored == null;
  }

  /** The connection ended before the answer was whole. */
  cut(): void {
    if (this.res.errored == null) this.outcome = 'CANCELLED';
    this.#gone.abort();
  }
}

/** An AbortController for the one thing that is needed of it, at a fraction of its cost: every request has one. */
class Gone implements Departure {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
