import { CircuitState, SamplingBreaker } from 'cockatiel';
import type { HttpObserver } from '../observer.ts';

/** How a call ended. Unknown: it was cancelled or never sent. */
export type CallOutcome = 'success' | 'failure' | 'unknown';

const halfOpenAfterMs = 500;
/** A probe that takes longer does not keep another call from being one: that of a hanging DMS lasts until its time limit. */
const maxProbeMs = 1000;
/** A circuit opens when more than 80 % of at least 20 calls in ten seconds have failed. */
const window = { threshold: 0.8, duration: 10_000, minimumRps: 2 };

/** One circuit for each method and route: a failing endpoint does not affect the others. */
export class CircuitBreaker {
  readonly #observer: Pick<HttpObserver, 'circuitsChanged'>;
  // Bounded, because routes are templates.
  readonly #circuits = new Map<string, Circuit>();
  #open = 0;

  constructor(observer: Pick<HttpObserver, 'circuitsChanged'>) {
    this.#observer = observer;
  }

  /** Returns a function that records how the call ended. Null if the circuit is open: the call must not be sent. */
  admit(route: string): ((outcome: CallOutcome) => void) | null {
    let circuit = this.#circuits.get(route);
    if (circuit === undefined) {
      circuit = new Circuit((change) => {
        this.#open += change;
        this.#observer.circuitsChanged(this.#open);
      });
      this.#circuits.set(route, circuit);
    }
    return circuit.admit();
  }
}

class Circuit {
  readonly #window = new SamplingBreaker(window);
  readonly #onChange: (change: 1 | -1) => void;
  /** Null while the circuit is closed. */
  #openedAt: number | null = null;
  /** When the probe was admitted. Null while there is none. */
  #probedAt: number | null = null;

  constructor(onChange: (change: 1 | -1) => void) {
    this.#onChange = onChange;
  }

  admit(): ((outcome: CallOutcome) => void) | null {
    if (this.#openedAt === null) return this.#record;
    const now = Date.now();
    if (now - this.#openedAt < halfOpenAfterMs) return null;
    if (this.#probedAt !== null && now - this.#probedAt < maxProbeMs) return null;
    this.#probedAt = now;
    return this.#recordProbe;
  }

  readonly #record = (outcome: CallOutcome): void => {
    // A call that was admitted before the circuit opened says nothing new.
    if (this.#openedAt !== null || outcome === 'unknown') return;
    if (outcome === 'success') this.#window.success(CircuitState.Closed);
    else if (this.#window.failure(CircuitState.Closed)) this.#open();
  };

  readonly #recordProbe = (outcome: CallOutcome): void => {
    this.#probedAt = null;
    if (this.#openedAt === null) this.#record(outcome);
    else if (outcome === 'success') this.#close();
    else if (outcome === 'failure') this.#openedAt = Date.now();
  };

  #open(): void {
    this.#openedAt = Date.now();
    this.#onChange(1);
  }

  #close(): void {
    this.#openedAt = null;
    this.#window.success(CircuitState.HalfOpen); // empties the window
    this.#onChange(-1);
  }
}
