import { describe, expect, it } from 'vitest';
import {
  callsInRounds,
  costOf,
  type ScreenCost,
  type TracedOperation,
  type UpstreamCall,
} from '../examples/ui/calls.ts';
import { argumentOf, germanRestCalls, type Texts } from '../examples/ui/rest-calls-texts.ts';
import { fill } from '../examples/ui/text.ts';

const base = '/api/v2';

/** A call of 10 ms. `target` is the last part of the path. */
function call(template: string, id: string, startMs: number, more: Partial<UpstreamCall> = {}) {
  return {
    route: `GET ${base}/${template}`,
    path: `${base}/${template.replace(/\{\w+\}/, id)}`,
    source: 'dms',
    status: 200,
    startMs,
    ms: 10,
    attempt: 1,
    ...more,
  } satisfies UpstreamCall;
}

const operation = (
  id: number,
  startMs: number,
  calls: readonly UpstreamCall[],
  more: Partial<TracedOperation> = {},
): TracedOperation => ({ id, name: `Q${id}`, kind: 'query', startMs, ms: 50, calls, ...more });

const cached = { source: 'cache', ms: 0, status: null } as const;

const english: Texts = { t: (message, ...[values]) => fill(message, values), language: 'en' };
const german: Texts = {
  t: (message, ...[values]) => fill(germanRestCalls[message], values),
  language: 'de',
};

/** Paths without the common part, each with its round. */
const roundsOf = (calls: readonly UpstreamCall[]) =>
  callsInRounds(calls).map(({ path, round }) => `${path.replace(`${base}/`, '')} ${round}`);

describe('rounds of REST calls', () => {
  it('start after a call of the round before', () => {
    const list = call('docForm/view/{viewId}', 'inbox', 0);
    const calls = [
      call('orgUnit/{id}', 'unit0001', 24),
      call('person/{id}', 'usr-ann', 11),
      list,
      call('person/{id}', 'usr-bob', 13),
    ];
    expect(roundsOf(calls)).toEqual([
      'docForm/view/inbox 1',
      'person/usr-ann 2',
      'person/usr-bob 2',
      'orgUnit/unit0001 3',
    ]);
  });

  it('do not end with what the cache has served', () => {
    const calls = [
      call('docForm/view/{viewId}', 'inbox', 0),
      call('person/{id}', 'usr-ann', 11, cached),
      call('person/{id}', 'usr-bob', 12),
      call('crm/org/{id}', 'ORG-0001', 13),
    ];
    expect(roundsOf(calls).map((line) => line.at(-1))).toEqual(['1', '2', '2', '2']);
  });

  it('wait for a write', () => {
    const put = { route: `PUT ${base}/docForm/{id}` };
    const calls = [
      call('docForm/{id}', '65f0', 0),
      call('docForm/{id}', '65f0', 11, put),
      call('docForm/{id}', '65f0', 22),
    ];
    expect(callsInRounds(calls).map(({ round }) => round)).toEqual([1, 2, 3]);
  });
});

describe('cost of a screen', () => {
  const list = call('docForm/view/{viewId}', 'inbox', 0);
  const ann = call('person/{id}', 'usr-ann', 11);

  it('counts each REST call once, whichever operation has it', () => {
    const operations = [operation(1, 0, [list, ann]), operation(2, 5, [{ ...ann, startMs: 0 }])];
    expect(costOf(operations)).toEqual({
      query: 2,
      mutation: 0,
      subscription: 0,
      file: 0,
      rounds: 1,
      calls: 2,
      callRounds: 2,
    });
  });

  it('adds the rounds of operations that wait for each other, without a round that reads nothing new', () => {
    const bob = call('person/{id}', 'usr-bob', 0);
    const operations = [operation(2, 50, [ann]), operation(1, 0, [list, ann])];
    expect(costOf(operations)).toMatchObject({ rounds: 2, calls: 2, callRounds: 2 });
    const another = operation(3, 100, [ann, bob]);
    expect(costOf([...operations, another])).toMatchObject({ rounds: 3, calls: 3, callRounds: 3 });
  });

  it('counts what is read again after a write', () => {
    const write = call('docForm/{id}', '65f0', 0, { route: `PUT ${base}/docForm/{id}` });
    const read = call('docForm/{id}', '65f0', 0);
    const operations = [
      operation(1, 0, [read]),
      operation(2, 50, [write, { ...read, startMs: 11 }]),
    ];
    expect(costOf(operations)).toMatchObject({ rounds: 2, calls: 3, callRounds: 3 });
  });

  it('says the argument in a sentence', () => {
    const cost = { calls: 25, callRounds: 2, rounds: 1 } as ScreenCost;
    expect(argumentOf(english, 'This page', cost)).toBe(
      'This page needs 25 REST calls in 2 rounds; the gateway made one round.',
    );
    expect(argumentOf(german, 'Diese Seite', { ...cost, callRounds: 1, rounds: 2 })).toBe(
      'Diese Seite braucht 25 REST-Aufrufe in einer Runde; das Gateway machte 2 Runden.',
    );
    expect(argumentOf(english, 'This page', { ...cost, calls: 0, callRounds: 0 })).toBe(
      'This page needs no REST call.',
    );
  });
});
