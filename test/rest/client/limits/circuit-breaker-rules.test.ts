import { describe, expect, it } from 'vitest';
import { completeObserver } from '../../../../src/rest/client/observer.ts';
import { CircuitBreaker } from '../../../../src/rest/client/limits/circuit-breaker.ts';
import type { Admission } from '../../../../src/rest/client/limits/circuit-breaker.ts';
import { TransportError } from '../../../../src/rest/client/transport/dispatch-handler.ts';
import type { UpstreamCall } from '../../../../src/rest/client/call/call.ts';
import { testBudget, testCaller } from '../../../helpers/mock-dms.ts';
import { passable } from '../../../helpers/passable-clock.ts';

const halfOpenAfterMs = 500;
const maxProbeWaitMs = 1000;

const unconnected = new TransportError('connection', false, null, null);

/** A breaker without a client, on a clock that only the test advances. */
function startBreaker() {
  const pass = passable();
  pass.stopClock();
  const states: string[] = [];
  const openCircuits: number[] = [];
  const breaker = new CircuitBreaker(
    completeObserver({
      breakerChanged: (state) => states.push(state),
      circuitsChanged: (open) => openCircuits.push(open),
    }),
  );
  const admit = (call: UpstreamCall): Admission => {
    const admission = breaker.admit(call);
    if (admission instanceof Promise) throw new Error('a probe is running');
    return admission;
  };
  const answer = (call: UpstreamCall, status: number): void =>
    breaker.answered(call, admit(call), { status });
  const fail = (call: UpstreamCall, error: TransportError): void =>
    breaker.failed(call, admit(call), error);
  /** Answers of the DMS to calls with different callers and subjects. */
  const answerMany = (times: number, status: number, callTo = personCall): void => {
    for (let n = 0; n < times; n += 1) answer(callTo(n), status);
  };
  return { breaker, pass, states, openCircuits, admit, answer, answerMany, fail };
}

/** A breaker whose circuit of persons is open and admits a probe. */
function startWithProbe() {
  const started = startBreaker();
  started.answerMany(20, 503);
  started.pass(halfOpenAfterMs);
  return started;
}

function call(
  caller: string,
  route: string,
  subject: string,
  method: UpstreamCall['method'] = 'GET',
): UpstreamCall {
  return {
    caller: testCaller({ key: caller }),
    budget: testBudget(),
    method,
    route,
    path: route.replace('{id}', subject),
    label: 'test',
  };
}

const person = '/api/v2/person/{id}';
const orgUnit = '/api/v2/orgUnit/{id}';
const personCall = (n: number): UpstreamCall => call(`caller-${n}`, person, `p${n}`);

describe('a circuit', () => {
  it.each([502, 503, 504])('opens after 20 responses with status %i', (status) => {
    const { answerMany, admit, openCircuits } = startBreaker();
    answerMany(19, status);
    expect(openCircuits).toEqual([]);
    answerMany(1, status);
    expect(openCircuits).toEqual([1]);
    expect(admit(call('new', person, 'new'))).toBe('refused');
  });

  it('opens if 26 of the last 50 calls failed', () => {
    const { answerMany, openCircuits } = startBreaker();
    answerMany(50, 200);
    answerMany(25, 503);
    expect(openCircuits).toEqual([]);
    answerMany(1, 503);
    expect(openCircuits).toEqual([1]);
  });

  it('refuses the callers of the last ten failures', () => {
    const { answer, admit } = startBreaker();
    for (let n = 0; n < 20; n += 1) answer(call(n < 10 ? 'ann' : 'bob', person, `p${n}`), 503);
    expect(admit(call('ann', person, 'p1'))).toBe('admitted');
    expect(admit(call('bob', person, 'p1'))).toBe('refused');
  });

  it.each([
    { callers: 2, verb: 'admits', other: 'admitted' },
    { callers: 3, verb: 'refuses', other: 'refused' },
  ])('$verb other callers if calls of $callers callers failed', ({ callers, other }) => {
    const { answer, admit } = startBreaker();
    for (let n = 0; n < 20; n += 1) answer(call(`caller-${n % callers}`, person, `p${n}`), 503);
    expect(admit(call('other', person, 'p1'))).toBe(other);
  });

  it.each([
    { subjects: 4, verb: 'admits', other: 'admitted' },
    { subjects: 5, verb: 'refuses', other: 'refused' },
  ])('$verb other subjects if calls about $subjects subjects failed', ({ subjects, other }) => {
    const { answer, admit } = startBreaker();
    for (let n = 0; n < 20; n += 1) answer(call(`caller-${n}`, person, `p${n % subjects}`), 503);
    expect(admit(call('caller-1', person, 'other'))).toBe(other);
  });

  it('is not kept open by calls that started before it opened', () => {
    const { breaker, pass, answerMany, admit } = startBreaker();
    const late = admit(personCall(20));
    answerMany(20, 503);
    pass(halfOpenAfterMs - 1);
    breaker.answered(personCall(20), late, { status: 503 });
    expect(admit(personCall(21))).toBe('refused');
    pass(1);
    expect(admit(personCall(21))).not.toBe('refused');
  });

  it('closes after 50 consecutive responses to callers that it does not refuse', () => {
    const { answer, openCircuits } = startBreaker();
    for (let n = 0; n < 20; n += 1) answer(call('ann', person, `p${n}`), 503);
    const bob = call('bob', person, 'p1');
    for (let n = 0; n < 49; n += 1) answer(bob, 200);
    answer(bob, 503);
    for (let n = 0; n < 49; n += 1) answer(call('ben', person, 'p1'), 200);
    expect(openCircuits).toEqual([1]);
    answer(call('ben', person, 'p1'), 200);
    expect(openCircuits).toEqual([1, 0]);
  });
});

describe('a probe of a circuit', () => {
  it('closes it, and earlier failures no longer count', () => {
    const { answer, admit, openCircuits, states } = startWithProbe();
    answer(personCall(20), 200);
    answer(personCall(21), 503);
    expect(admit(personCall(22))).toBe('admitted');
    expect(openCircuits).toEqual([1, 0]);
    expect(states).toEqual([]);
  });

  it('opens it again if it cannot connect', () => {
    const { pass, fail, admit } = startWithProbe();
    fail(personCall(20), unconnected);
    pass(halfOpenAfterMs - 1);
    expect(admit(personCall(21))).toBe('refused');
    pass(1);
    expect(admit(personCall(21))).not.toBe('refused');
  });

  it.each([
    new TransportError('cancelled', true, null, null),
    new TransportError('malformed', false, null, null),
  ])('leaves it open if it proves nothing ($kind)', (error) => {
    const { fail, admit, openCircuits } = startWithProbe();
    fail(personCall(20), error);
    expect(admit(personCall(21))).toBeTypeOf('object');
    expect(openCircuits).toEqual([1]);
  });

  it('closes it with an invalid response', () => {
    const { fail, admit } = startWithProbe();
    fail(personCall(20), new TransportError('malformed', true, null, null));
    expect(admit(personCall(21))).toBe('admitted');
  });

  it('does not open it if a later one has closed it', () => {
    const { breaker, pass, answer, admit, openCircuits } = startWithProbe();
    const early = admit(personCall(20));
    pass(maxProbeWaitMs);
    answer(personCall(21), 200);
    breaker.failed(personCall(20), early, unconnected);
    expect(admit(personCall(22))).toBe('admitted');
    expect(openCircuits).toEqual([1, 0]);
  });

  it('does not keep it open if it has closed and opened again', () => {
    const { breaker, pass, answer, answerMany, admit, openCircuits } = startWithProbe();
    const early = admit(personCall(20));
    pass(maxProbeWaitMs);
    answer(personCall(21), 200);
    answerMany(20, 503);
    pass(halfOpenAfterMs - 1);
    breaker.failed(personCall(20), early, unconnected);
    expect(admit(personCall(22))).toBe('refused');
    pass(1);
    expect(admit(personCall(22))).not.toBe('refused');
    expect(openCircuits).toEqual([1, 0, 1]);
  });

  it('does not let another call probe when an earlier one ends', () => {
    const { breaker, pass, admit } = startWithProbe();
    const early = admit(personCall(20));
    pass(maxProbeWaitMs);
    admit(personCall(21));
    breaker.failed(personCall(20), early, new TransportError('cancelled', true, null, null));
    expect(breaker.admit(personCall(22))).toBeInstanceOf(Promise);
  });
});

describe('the DMS', () => {
  const unit = call('bob', orgUnit, 'u1');

  it.each([200, 503])(
    'is available if a response with status %i is among the failures',
    (status) => {
      const { answer, fail, states } = startBreaker();
      for (let n = 0; n < 19; n += 1) fail(personCall(n), unconnected);
      answer(personCall(19), status);
      for (let n = 0; n < 19; n += 1) fail(personCall(n), unconnected);
      expect(states).toEqual([]);
      fail(personCall(19), unconnected);
      expect(states).toEqual(['open']);
    },
  );

  it('is available to a probe that connects, whatever its endpoint answers', () => {
    const { pass, answer, fail, admit, states } = startBreaker();
    for (let n = 0; n < 20; n += 1) fail(personCall(n), unconnected);
    pass(halfOpenAfterMs);
    answer(unit, 503);
    expect(admit(personCall(1))).toBe('admitted');
    expect(states).toEqual(['open', 'halfOpen', 'closed']);
  });

  it('is unavailable to everyone if three callers fail, one at each resource', () => {
    const { answer, admit } = startBreaker();
    for (const resource of ['person', 'docForm', 'sysForm']) {
      const route = `/api/v2/${resource}/{id}`;
      for (let n = 0; n < 20; n += 1) answer(call(`caller of ${resource}`, route, `${n}`), 503);
    }
    expect(admit(unit)).toBe('refused');
  });

  it('is available if the failing circuits are those of two resources', () => {
    const { answerMany, states, openCircuits } = startBreaker();
    answerMany(20, 503);
    answerMany(20, 503, (n) => call(`caller-${n}`, '/api/v2/person', `${n}`, 'POST'));
    answerMany(20, 503, (n) => call(`caller-${n}`, orgUnit, `u${n}`));
    expect(openCircuits).toEqual([1, 2, 3]);
    expect(states).toEqual([]);
  });

  it('is available after the response to a probe of a single circuit', () => {
    const { pass, answer, answerMany, admit, states } = startBreaker();
    for (const resource of ['person', 'docForm', 'sysForm']) {
      answerMany(20, 503, (n) => call(`caller-${n}`, `/api/v2/${resource}/{id}`, `${n}`));
    }
    expect(admit(unit)).toBe('refused');
    pass(halfOpenAfterMs);
    answer(personCall(1), 200);
    expect(admit(unit)).toBe('admitted');
    expect(states).toEqual(['open', 'closed']);
  });
});
