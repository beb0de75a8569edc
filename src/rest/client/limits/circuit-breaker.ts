import { CircuitState, SamplingBreaker } from 'cockatiel';
import type { HttpObserver } from '../observer.ts';

export type CallOutcome = 'success' | 'failure' | 'unknown';

type RecordOutcome = (caller: string, outcome: CallOutcome) => void;

const halfOpenAfterMs = 500;
const maxProbeMs = 1000;
const window = { threshold: 0.8, duration: 10_000, minimumRps: 2 };

export class CircuitBreaker {
  readonly #observer: Pick<HttpObserver, 'circuitsChanged'>;
  // Bounded, because routes are templates.
  readonly #circuits = new Map<string, Circuit>();
  #open = 0;

  constructor(observer: Pick<HttpObserver, 'circuitsChanged'>) {
    this.#observer = observer;
  }

  /** Null if the circuit is open for this caller: the call must not be sent. */
  admit(route: string, caller: string): RecordOutcome | null {
    let circuit = this.#circuits.get(route);
    if (circuit === undefined) {
      circuit = new Circuit((change) => {
        this.#open += change;
        this.#observer.circuitsChanged(this.#open);
      });
      this.#circuits.set(route, circuit);
    }
    return circuit.admit(caller);
  }
}

class Circuit {
  readonly #window = new SamplingBreaker(window);
  readonly #onChange: (change: 1 | -1) => void;
  readonly #failing = new Map<string, number>();
  #openedAt: number | null = null;
  #probedAt: number | null = null;

  constructor(onChange: (change: 1 | -1) => void) {
    this.#onChange = onChange;
  }

  admit(caller: string): RecordOutcome | null {
    if (this.#openedAt === null) return this.#record;
    // What one caller requests can be the reason, so a call of another one shows whether the route is down.
    if (this.#failing.size === 1 && !this.#failing.has(caller)) return this.#recordProbe;
    const now = Date.now();
    if (now - this.#openedAt < halfOpenAfterMs) return null;
    if (this.#probedAt !== null && now - this.#probedAt < maxProbeMs) return null;
    this.#probedAt = now;
    return this.#recordProbe;
  }

  readonly #record: RecordOutcome = (caller, outcome) => {
    if (outcome === 'unknown') return;
    if (outcome === 'failure') this.#addFailing(caller);
    // A call that was admitted before the circuit opened says nothing new.
    if (this.#openedAt !== null) return;
    if (outcome === 'success') {
      this.#failing.delete(caller);
      this.#window.success(CircuitState.Closed);
    } else if (this.#window.failure(CircuitState.Closed)) this.#open();
  };

  readonly #recordProbe: RecordOutcome = (caller, outcome) => {
    this.#probedAt = null;
    if (this.#openedAt === null) this.#record(caller, outcome);
    else if (outcome === 'success') this.#close();
    else if (outcome === 'failure') {
      this.#addFailing(caller);
      this.#openedAt = Date.now();
    }
  };

  #addFailing(caller: string): void {
    const now = Date.now();
    this.#failing.delete(caller);
    this.#failing.set(caller, now);
    for (const [other, failedAt] of this.#failing) {
      if (this.#failing.size > 2 || now - failedAt > window.duration) this.#failing.delete(other);
    }
  }

  #open(): void {
    this.#openedAt = Date.now();
    this.#onChange(1);
  }

  #close(): void {
    this.#openedAt = null;
    this.#failing.clear();
    this.#window.success(CircuitState.HalfOpen); // empties the window
    this.#onChange(-1);
  }
}
