import { CircuitState, CountBreaker } from 'cockatiel';
import type { UpstreamCall } from '../upstream-call.ts';
import { RestError } from '../rest-error.ts';
import { TransportError } from '../send-request.ts';
import type { HttpObserver } from '../observer.ts';

/** `go`: as usual. `refused`: not now. A Probe: this one call tries whether calls are answered again. */
export type Admission = 'go' | 'refused' | Probe;

const halfOpenAfterMs = 500;
/** A probe that takes longer keeps nobody else from trying, and no call waits longer for one. */
export const maxProbeWaitMs = 1000;
const maxUnconnected = 20;
const minUnconnected = 3;
const minUnconnectedMs = 1000;
const minFailingResources = 3;
const maxRecentFailures = 10;
const maxRefusedCallers = 3;
const maxRefusedSubjects = 5;

/**
 * Stops calls that cannot succeed. It judges each endpoint (method and route) by itself, so that one that fails leaves
 * the others alone:
 *
 * - An endpoint's circuit opens when more than half of its last calls (20 at least, 50 at most) failed. It refuses the
 *   callers and the subjects (such as one document) of the last ten failures: every caller if these are three or more,
 *   every subject if these are five or more. So neither one caller nor one document that is never answered shuts out the
 *   others. Clients that share one identity are one caller.
 * - The whole DMS counts as away when 20 calls in a row could not connect, or three over a second or more, which are all
 *   that an open circuit lets through; or when circuits of three resources opened and nothing was answered in between.
 *
 * Half a second later one call is let through as a probe; an answer closes the circuit. A probe that its client gives up
 * is passed on to the next call, and one that takes longer than a second keeps no other call from trying.
 *
 * A broken connection, a time limit and 502, 503, 504 count as failures. 4xx does not, and neither does
 * 500: it is an answer.
 *
 * The window of calls is cockatiel's. The states are our own, because every call passes them: cockatiel wraps each
 * in two async functions, which cost more than all the rest of the transport.
 */
export class CircuitBreaker {
  readonly #observer: HttpObserver;
  // Bounded: routes are templates.
  readonly #endpoints: Readonly<Record<UpstreamCall['method'], Map<string, Endpoint>>> = {
    GET: new Map(),
    HEAD: new Map(),
    POST: new Map(),
    PUT: new Map(),
    DELETE: new Map(),
  };
  readonly #dms = new Circuit();
  /** The callers who are refused while the DMS counts as away; null: all. */
  #dmsRefuses: ReadonlySet<string> | null = null;
  /** Calls in a row that could not connect, and when the first of them ended. */
  #unconnected = 0;
  #unconnectedSince = 0;
  /** Endpoints whose circuits opened, or whose probes failed, since the last answer: one for each resource. */
  readonly #failing = new Map<string, Endpoint>();
  #openCircuits = 0;

  constructor(observer: HttpObserver) {
    this.#observer = observer;
  }

  /** Whether a call may go; a promise while a probe is under way: ask again when it has settled. */
  admit(call: UpstreamCall): Admission | Promise<void> {
    const endpoint = this.#endpointOf(call);
    if (endpoint.circuit.isOpen && endpoint.refuses(call)) return endpoint.circuit.admit();
    if (!this.#dms.isOpen || this.#dmsRefuses?.has(call.caller.key) === false) return 'go';
    const admission = this.#dms.admit();
    if (admission instanceof Probe) this.#observer.breakerChanged('halfOpen');
    return admission;
  }

  /** A call that was let through was answered. */
  answered(
    call: UpstreamCall,
    admission: Admission,
    { status }: { readonly status: number },
  ): void {
    if (status === 502 || status === 503 || status === 504) this.#fail(call, admission);
    else this.#succeed(call, admission);
  }

  /** A call that was let through was not answered. */
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
      admission.end(); // given up, so it has shown nothing: the next call becomes the probe
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
    const isProbe = admission instanceof Probe;
    if (endpoint.fail(call, isProbe && admission.circuit === endpoint.circuit)) {
      if (!wasOpen) this.#countOpenCircuits(1);
      // The third segment of `/api/v2/person/{id}`: endpoints of one resource are likely to fail together.
      this.#failing.set(call.route.split('/')[3] ?? '', endpoint);
    }
    if (isProbe && admission.circuit === this.#dms) {
      // A connection is what was missing; what this endpoint does with it says nothing about the others.
      if (wasUnreachable) this.#closeDms();
      else this.#openDms(this.#dmsRefuses);
    } else if (this.#failing.size >= minFailingResources && !this.#dms.isOpen) {
      this.#openDms(refusedTogether([...this.#failing.values()]));
    }
    if (isProbe) admission.end();
  }

  #failToConnect(admission: Admission): void {
    if (this.#unconnected === 0) this.#unconnectedSince = performance.now();
    this.#unconnected += 1;
    const isProbe = admission instanceof Probe;
    if (isProbe && admission.circuit !== this.#dms) admission.circuit.open();
    if (isProbe && admission.circuit === this.#dms) this.#openDms(this.#dmsRefuses);
    else if (!this.#dms.isOpen && this.#isUnreachable()) this.#openDms(null);
    if (isProbe) admission.end();
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

/** Open or closed; while open, lets one call at a time through. */
class Circuit {
  #openedAt: number | null = null;
  #probe: Probe | null = null;

  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** What a call may do while the circuit is open. */
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
  }

  release(probe: Probe): void {
    if (this.#probe === probe) this.#probe = null;
  }
}

/** One call that tries whether an open circuit can be closed. */
class Probe {
  readonly circuit: Circuit;
  readonly startedAt: number;
  readonly #ended = Promise.withResolvers<void>();

  constructor(circuit: Circuit, startedAt: number) {
    this.circuit = circuit;
    this.startedAt = startedAt;
  }

  /** Resolves when it is known how it ended. */
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

/** How the last calls of one endpoint went, and who is refused because of it. */
class Endpoint {
  readonly circuit = new Circuit();
  readonly #window = new CountBreaker({
    size: windowSize,
    minimumNumberOfCalls: 20,
    threshold: 0.5,
  });
  /** At most ten; more than half of the window failed when it opens, so that all of them are in it. */
  readonly #failures: Failure[] = [];
  #callers: ReadonlySet<string> = new Set();
  #subjects: ReadonlySet<string> = new Set();
  /** Answers in a row while the circuit is open: those of callers who are not refused. */
  #answers = 0;

  /** The callers who are refused while the circuit is open; null: all. */
  get refusedCallers(): ReadonlySet<string> | null {
    return this.#callers.size >= maxRefusedCallers ? null : this.#callers;
  }

  /** Whether an open circuit concerns this call. */
  refuses(call: UpstreamCall): boolean {
    return (
      (this.#callers.size >= maxRefusedCallers || this.#callers.has(call.caller.key)) &&
      (this.#subjects.size >= maxRefusedSubjects || this.#subjects.has(subjectOf(call)))
    );
  }

  succeed(): void {
    this.#window.success(CircuitState.Closed);
    if (!this.circuit.isOpen) return;
    this.#answers += 1;
    if (this.#answers >= windowSize) this.close();
  }

  /** True when the circuit opens or stays open because of it. */
  fail(call: UpstreamCall, isProbe: boolean): boolean {
    this.#answers = 0;
    this.#failures.push({ caller: call.caller.key, subject: subjectOf(call) });
    if (this.#failures.length > maxRecentFailures) this.#failures.shift();
    const opens = this.#window.failure(CircuitState.Closed);
    if (!opens && !(isProbe && this.circuit.isOpen)) return false;
    this.#callers = new Set(this.#failures.map(({ caller }) => caller));
    this.#subjects = new Set(this.#failures.map(({ subject }) => subject));
    // A call that began before the circuit opened does not keep it open longer.
    if (isProbe || !this.circuit.isOpen) this.circuit.open();
    return true;
  }

  close(): void {
    this.#window.success(CircuitState.HalfOpen); // forgets what was before
    this.#failures.length = 0;
    this.#answers = 0;
    this.circuit.close();
  }
}

/** What a call asks about, whichever properties of it are wanted: what fails once, fails for every selection. */
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
