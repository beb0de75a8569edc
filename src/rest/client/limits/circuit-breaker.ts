import { CircuitState, CountBreaker } from 'cockatiel';
import { userKeyOf, type UpstreamCall } from '../call/call.ts';
import { RestError } from '../rest-error.ts';
import { TransportError } from '../transport/dispatch-handler.ts';
import type { HttpObserver } from '../observer.ts';

/** Whether a call is `admitted` or `refused`. A `Probe` is an admitted call that tests whether a circuit can close. */
export type Admission = 'admitted' | 'refused' | Probe;

const halfOpenAfterMs = 500;
/** Maximum time that other calls wait for a probe. After that, another call becomes the probe. */
export const maxProbeWaitMs = 1000;
const maxUnconnected = 20;
const minUnconnected = 3;
const minUnconnectedMs = 1000;
const minFailingResources = 3;
const maxRecentFailures = 10;
const maxRefusedCallers = 3;
const maxRefusedSubjects = 5;

/**
 * Refuses calls that are likely to fail. Each endpoint (method and route) has a circuit of its own, so that a failing
 * endpoint does not affect the others.
 *
 * - The circuit of an endpoint opens when more than half of its last calls (at least 20, at most 50) failed. It refuses
 *   the callers and the subjects (such as one document) of the last ten failures: every caller if these are three or
 *   more, every subject if these are five or more. Thus neither a single caller nor a single document that always fails
 *   blocks the others. Clients that share one identity are one caller.
 * - The DMS counts as unavailable when 20 consecutive calls could not connect, or at least three over at least one
 *   second, which is as many as an open circuit admits. It also counts as unavailable when circuits of three resources
 *   opened without a response in between.
 *
 * After half a second one call is admitted as a probe. A response closes the circuit. If the client of a probe
 * disconnects, the next call becomes the probe. A probe that takes longer than a second does not prevent other calls
 * from probing. If one of them has closed the circuit, it fails like any other call.
 *
 * Broken connections, timeouts and the statuses 502, 503 and 504 are failures. 4xx and 500 are responses.
 *
 * The sliding window is cockatiel's. The states are implemented here because every call passes them: cockatiel wraps
 * each call in two async functions, which cost more than the rest of the transport.
 */
export class CircuitBreaker {
  readonly #observer: HttpObserver;
  // The size is bounded, because routes are templates.
  readonly #endpoints: Readonly<Record<UpstreamCall['method'], Map<string, Endpoint>>> = {
    GET: new Map(),
    HEAD: new Map(),
    POST: new Map(),
    PUT: new Map(),
    DELETE: new Map(),
  };
  readonly #dms = new Circuit();
  /** The callers that are refused while the DMS counts as unavailable. Null: all of them. */
  #dmsRefuses: ReadonlySet<string> | null = null;
  /** Number of consecutive calls that could not connect, and when the first of them ended. */
  #unconnected = 0;
  #unconnectedSince = 0;
  /** Endpoints whose circuits opened, or whose probes failed, since the last response. One per resource. */
  readonly #failing = new Map<string, Endpoint>();
  #openCircuits = 0;

  constructor(observer: HttpObserver) {
    this.#observer = observer;
  }

  /** Decides whether to admit a call. Returns a promise while a probe is running: ask again when it settles. */
  admit(call: UpstreamCall): Admission | Promise<void> {
    const endpoint = this.#endpointOf(call);
    if (endpoint.circuit.isOpen && endpoint.refuses(call)) return endpoint.circuit.admit();
    if (!this.#dms.isOpen || this.#dmsRefuses?.has(userKeyOf(call.caller)) === false)
      return 'admitted';
    const admission = this.#dms.admit();
    if (admission instanceof Probe) this.#observer.breakerChanged('halfOpen');
    return admission;
  }

  /** Records the response of an admitted call. */
  answered(
    call: UpstreamCall,
    admission: Admission,
    { status }: { readonly status: number },
  ): void {
    if (status === 502 || status === 503 || status === 504) this.#fail(call, admission);
    else this.#succeed(call, admission);
  }

  /** Records the failure of an admitted call. */
  failed(call: UpstreamCall, admission: Admission, error: unknown): void {
    const cause = error instanceof RestError ? error.cause : error;
    const kind = cause instanceof TransportError ? cause.kind : 'cancelled';
    const isSent = cause instanceof TransportError && cause.sent;
    if (kind === 'connection' || kind === 'timeout') {
      if (isSent) this.#fail(call, admission);
      else this.#failToConnect(admission);
    } else if (kind !== 'cancelled' && isSent) {
      this.#succeed(call, admission);
    } else if (admission instanceof Probe) {
      admission.end(); // cancelled, so it proves nothing: the next call becomes the probe
    }
  }

  #succeed(call: UpstreamCall, admission: Admission): void {
    this.#unconnected = 0;
    if (this.#failing.size > 0) this.#failing.clear();
    const endpoint = this.#endpointOf(call);
    const wasOpen = endpoint.circuit.isOpen;
    if (admission instanceof Probe) {
      if (admission.circuit === endpoint.circuit) endpoint.close();
      else endpoint.succeed();
      this.#closeDms();
      admission.end();
    } else {
      endpoint.succeed();
    }
    if (wasOpen && !endpoint.circuit.isOpen) this.#countOpenCircuits(-1);
  }

  #fail(call: UpstreamCall, admission: Admission): void {
    const wasUnreachable = this.#isUnreachable();
    this.#unconnected = 0;
    const endpoint = this.#endpointOf(call);
    const wasOpen = endpoint.circuit.isOpen;
    const isProbe = admission instanceof Probe && admission.isCurrent;
    if (endpoint.fail(call, isProbe && admission.circuit === endpoint.circuit)) {
      if (!wasOpen) this.#countOpenCircuits(1);
      // The third segment of `/api/v2/person/{id}` is the resource, whose endpoints are likely to fail together.
      this.#failing.set(call.route.split('/')[3] ?? '', endpoint);
    }
    if (isProbe && admission.circuit === this.#dms) {
      // The DMS was unreachable and now accepts connections. A failure of this endpoint says nothing about the others.
      if (wasUnreachable) this.#closeDms();
      else this.#openDms(this.#dmsRefuses);
    } else if (this.#failing.size >= minFailingResources && !this.#dms.isOpen) {
      this.#openDms(refusedTogether([...this.#failing.values()]));
    }
    if (admission instanceof Probe) admission.end();
  }

  #failToConnect(admission: Admission): void {
    if (this.#unconnected === 0) this.#unconnectedSince = performance.now();
    this.#unconnected += 1;
    const isProbe = admission instanceof Probe && admission.isCurrent;
    if (isProbe && admission.circuit !== this.#dms) admission.circuit.open();
    if (isProbe && admission.circuit === this.#dms) this.#openDms(this.#dmsRefuses);
    else if (!this.#dms.isOpen && this.#isUnreachable()) this.#openDms(null);
    if (admission instanceof Probe) admission.end();
  }

  #isUnreachable(): boolean {
    if (this.#unconnected >= maxUnconnected) return true;
    if (this.#unconnected < minUnconnected) return false;
    return performance.now() - this.#unconnectedSince >= minUnconnectedMs;
  }

  #openDms(refuses: ReadonlySet<string> | null): void {
    this.#dmsRefuses = refuses;
    this.#dms.open();
    this.#observer.breakerChanged('open');
  }

  #closeDms(): void {
    if (!this.#dms.isOpen) return;
    this.#dms.close();
    this.#observer.breakerChanged('closed');
  }

  #countOpenCircuits(change: 1 | -1): void {
    this.#openCircuits += change;
    this.#observer.circuitsChanged(this.#openCircuits);
  }

  #endpointOf({ method, route }: UpstreamCall): Endpoint {
    const endpoints = this.#endpoints[method];
    let endpoint = endpoints.get(route);
    if (endpoint === undefined) {
      endpoint = new Endpoint();
      endpoints.set(route, endpoint);
    }
    return endpoint;
  }
}

/** A circuit that is open or closed. While it is open, it admits one call at a time. */
class Circuit {
  #openedAt: number | null = null;
  #probe: Probe | null = null;
  #timesClosed = 0;

  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  get timesClosed(): number {
    return this.#timesClosed;
  }

  /** Decides about a call while the circuit is open. */
  admit(): Admission | Promise<void> {
    const now = performance.now();
    if (this.#probe !== null && now - this.#probe.startedAt < maxProbeWaitMs) {
      return this.#probe.ended;
    }
    if (this.#openedAt !== null && now - this.#openedAt < halfOpenAfterMs) return 'refused';
    this.#probe = new Probe(this, now);
    return this.#probe;
  }

  open(): void {
    this.#openedAt = performance.now();
  }

  close(): void {
    this.#openedAt = null;
    this.#timesClosed += 1;
  }

  release(probe: Probe): void {
    if (this.#probe === probe) this.#probe = null;
  }
}

/** A call that tests whether an open circuit can be closed. */
class Probe {
  readonly circuit: Circuit;
  readonly startedAt: number;
  readonly #timesClosed: number;
  readonly #ended = Promise.withResolvers<void>();

  constructor(circuit: Circuit, startedAt: number) {
    this.circuit = circuit;
    this.startedAt = startedAt;
    this.#timesClosed = circuit.timesClosed;
  }

  /** False if another probe has closed the circuit, even if the circuit has opened again: nothing is left to test. */
  get isCurrent(): boolean {
    return this.circuit.timesClosed === this.#timesClosed;
  }

  /** Resolves when the probe has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  end(): void {
    this.circuit.release(this);
    this.#ended.resolve();
  }
}

interface Failure {
  readonly caller: string;
  readonly subject: string;
}

const windowSize = 50;

/** The recent results of one endpoint, and the callers and subjects that are refused because of them. */
class Endpoint {
  readonly circuit = new Circuit();
  readonly #window = new CountBreaker({
    size: windowSize,
    minimumNumberOfCalls: 20,
    threshold: 0.5,
  });
  /**
   * The last ten failures at most. When the circuit opens, more than half of the window has failed, so all of them are
   * in the window.
   */
  readonly #failures: Failure[] = [];
  #callers: ReadonlySet<string> = new Set();
  #subjects: ReadonlySet<string> = new Set();
  /** Consecutive responses to callers that are not refused while the circuit is open. */
  #responses = 0;

  /** The callers that are refused while the circuit is open. Null: all of them. */
  get refusedCallers(): ReadonlySet<string> | null {
    return this.#callers.size >= maxRefusedCallers ? null : this.#callers;
  }

  /** Whether the open circuit refuses this call. */
  refuses(call: UpstreamCall): boolean {
    return (
      (this.#callers.size >= maxRefusedCallers || this.#callers.has(userKeyOf(call.caller))) &&
      (this.#subjects.size >= maxRefusedSubjects || this.#subjects.has(subjectOf(call)))
    );
  }

  succeed(): void {
    this.#window.success(CircuitState.Closed);
    if (!this.circuit.isOpen) return;
    this.#responses += 1;
    if (this.#responses >= windowSize) this.close();
  }

  /**
   * Records a failure. True if it opens the circuit or keeps it open.
   *
   * @param isProbe whether the call was a probe of this circuit, which is still open
   */
  fail(call: UpstreamCall, isProbe: boolean): boolean {
    this.#responses = 0;
    this.#failures.push({ caller: userKeyOf(call.caller), subject: subjectOf(call) });
    if (this.#failures.length > maxRecentFailures) this.#failures.shift();
    const opens = this.#window.failure(CircuitState.Closed);
    if (!opens && !isProbe) return false;
    this.#callers = new Set(this.#failures.map(({ caller }) => caller));
    this.#subjects = new Set(this.#failures.map(({ subject }) => subject));
    // A call that started before the circuit opened does not extend its open time.
    if (isProbe || !this.circuit.isOpen) this.circuit.open();
    return true;
  }

  close(): void {
    this.#window.success(CircuitState.HalfOpen); // resets the window
    this.circuit.close();
  }
}

/** The path of a call without its selection of properties, because a request that fails does so for every selection. */
function subjectOf({ path }: UpstreamCall): string {
  return path.replace(/[?&](?:fields|embed)=.*$/, '');
}

function refusedTogether(endpoints: readonly Endpoint[]): ReadonlySet<string> | null {
  const callers = new Set<string>();
  for (const { refusedCallers } of endpoints) {
    if (refusedCallers === null) return null;
    for (const caller of refusedCallers) callers.add(caller);
  }
  return callers.size >= maxRefusedCallers ? null : callers;
}
