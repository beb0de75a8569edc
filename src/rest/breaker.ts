import { CircuitState, CountBreaker } from 'cockatiel';
import { RestError } from './errors.ts';
import { Fault } from './exchange.ts';
import type { HttpObserver } from './observer.ts';

/** `go`: as usual. `probe`: this one call tries whether the DMS is back. `refused`: not now. */
export type Admission = 'go' | 'probe' | 'refused';

const halfOpenAfterMs = 500;

/**
 * Stops asking a DMS that is away: open when more than half of the last calls (20 at least, 50 at most) found
 * it so, a probe half a second later, closed again when the probe gets an answer.
 *
 * A broken or refused connection, a time limit and 502, 503, 504 count. 4xx does not, and neither does
 * 500: it is an answer, and one document that cannot be read must not shut out the others.
 *
 * The window of calls is cockatiel's. The states are our own, because every call passes them: cockatiel wraps each
 * in two async functions, which cost more than all the rest of the transport.
 */
export class Breaker {
  readonly #observer: HttpObserver;
  readonly #window = new CountBreaker({ size: 50, minimumNumberOfCalls: 20, threshold: 0.5 });
  #openedAt: number | null = null;
  #probe: PromiseWithResolvers<void> | null = null;

  constructor(observer: HttpObserver) {
    this.#observer = observer;
  }

  /** Whether a call may go; a promise where a probe is under way: ask again when it is settled. */
  admit(): Admission | Promise<void> {
    if (this.#openedAt === null) return 'go';
    if (this.#probe !== null) return this.#probe.promise;
    if (performance.now() - this.#openedAt < halfOpenAfterMs) return 'refused';
    this.#probe = Promise.withResolvers();
    this.#observer.breakerChanged('halfOpen');
    return 'probe';
  }

  /** How a call that was let through ended. What began before the breaker opened says nothing about now. */
  answered(admission: Admission, { status }: { readonly status: number }): void {
    this.#record(admission, status === 502 || status === 503 || status === 504);
  }

  failed(admission: Admission, error: unknown): void {
    // A probe that was given up has shown nothing.
    this.#record(admission, admission === 'probe' || saysAway(error));
  }

  #record(admission: Admission, isAway: boolean): void {
    if (admission === 'probe') this.#endProbe(isAway);
    else if (this.#openedAt !== null) return;
    else if (!isAway) this.#window.success(CircuitState.Closed);
    else if (this.#window.failure(CircuitState.Closed)) this.#open();
  }

  #endProbe(isAway: boolean): void {
    if (isAway) this.#open();
    else {
      this.#window.success(CircuitState.HalfOpen); // forgets what was before
      this.#openedAt = null;
      this.#observer.breakerChanged('closed');
    }
    const probe = this.#probe;
    this.#probe = null;
    probe?.resolve();
  }

  #open(): void {
    this.#openedAt = performance.now();
    this.#observer.breakerChanged('open');
  }
}

function saysAway(error: unknown): boolean {
  if (!(error instanceof RestError && error.cause instanceof Fault)) return false;
  return error.cause.kind === 'connection' || error.cause.kind === 'timeout';
}
