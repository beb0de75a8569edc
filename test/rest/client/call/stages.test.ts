import { describe, expect, it } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import type { HttpClient } from '../../../../src/rest/client/http-client.ts';
import { completeObserver } from '../../../../src/rest/client/observer.ts';
import { CancelToken } from '../../../../src/rest/client/transport/cancellation.ts';
import { CircuitBreaker } from '../../../../src/rest/client/limits/circuit-breaker.ts';
import { FairSemaphore } from '../../../../src/rest/client/limits/semaphore.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { createStages } from '../../../../src/rest/client/call/stages.ts';
import type { StageOptions } from '../../../../src/rest/client/call/stages.ts';
import type { UpstreamCall } from '../../../../src/rest/client/call/call.ts';
import { pass, UpstreamRequest } from '../../../../src/rest/client/call/upstream-request.ts';
import type { Upstream } from '../../../../src/rest/client/call/upstream-request.ts';
import { createMockDms, testBudget, testCaller, testHttp } from '../../../helpers/mock-dms.ts';
import { passable } from '../../../helpers/passable-clock.ts';

const cancelled = new RestError('CANCELLED', null);

class TestRequest extends UpstreamRequest {
  override readonly ownHeaders = [];
  override readonly codings = [];
  override readonly cancelToken: CancelToken;

  constructor(call: UpstreamCall, cancelToken: CancelToken) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    super({} as Upstream, call);
    this.cancelToken = cancelToken;
  }

  override follow(): void {}
  override unfollow(): void {}
  override send(): never {
    throw new Error('the test sends it');
  }
  override read(): void {}
}

interface TestStageOptions extends Partial<StageOptions> {
  /** Number of connections. Default 1. */
  readonly capacity?: number;
  /** Number of calls that can wait for a connection. Default 0. */
  readonly maxWaiting?: number;
  /** Status of every response. Default 200. */
  readonly status?: number;
}

/** The stages of an attempt without sockets, and the paths of the calls that have passed them. */
function startStages({
  capacity = 1,
  maxWaiting = 0,
  status = 200,
  ...options
}: TestStageOptions = {}) {
  const semaphore = new FairSemaphore({
    capacity,
    share: 100,
    maxWaiting,
    maxWaitMs: 10_000,
    onWaiting() {},
  });
  const observer = completeObserver({});
  const breaker = new CircuitBreaker(observer);
  const stages = createStages({
    rateLimiter: undefined,
    semaphore,
    runAsHeader: 'svc-run-as',
    breaker,
    observer,
    ...options,
  });
  const sent: string[] = [];
  const attempt = async (call: UpstreamCall, cancelToken = new CancelToken()) => {
    const { status: answered } = await pass(
      stages.attempt,
      new TestRequest(call, cancelToken),
      async () => {
        sent.push(call.path);
        return { status, body: null };
      },
    );
    return { status: answered };
  };
  /** Number of free connections. */
  const free = (): number => {
    let taken = 0;
    while (semaphore.acquire('ann', new CancelToken()) === undefined) taken += 1;
    for (let n = 0; n < taken; n += 1) semaphore.release('ann');
    return taken;
  };
  return { attempt, breaker, semaphore, sent, free };
}

function callOf(caller: Partial<UpstreamCall['caller']> = {}, n = 0): UpstreamCall {
  return {
    caller: testCaller(caller),
    budget: testBudget(),
    method: 'GET',
    route: '/api/v2/person/{id}',
    path: `/api/v2/person/p${n}`,
    label: 'persons.get',
  };
}

describe('a cancelled call', () => {
  it('is not sent', async () => {
    const { attempt, sent, free } = startStages();
    const cancelToken = new CancelToken();
    cancelToken.cancel(cancelled);
    await expect(attempt(callOf(), cancelToken)).rejects.toBe(cancelled);
    expect(sent).toEqual([]);
    expect(free()).toBe(1);
  });

  it('does not wait for a connection after it was counted', async () => {
    const cancelToken = new CancelToken();
    const rateLimiter = { consume: async () => cancelToken.cancel(cancelled) };
    const { attempt, semaphore } = startStages({ rateLimiter, maxWaiting: 1 });
    expect(semaphore.acquire('bob', new CancelToken())).toBeUndefined();
    await expect(attempt(callOf(), cancelToken)).rejects.toBe(cancelled);
  });

  it('is not sent after it was signed', async () => {
    const { attempt, sent, free } = startStages();
    const cancelToken = new CancelToken();
    const { promise: signature, resolve: sign } = Promise.withResolvers<string>();
    const result = attempt(callOf({ authorization: () => signature }), cancelToken);
    cancelToken.cancel(cancelled);
    sign('Bearer signed');
    await expect(result).rejects.toBe(cancelled);
    expect(sent).toEqual([]);
    expect(free()).toBe(1);
  });
});

describe('a call that waits for a probe', () => {
  /** A transport whose circuit is open, and its probe. */
  function startProbing() {
    const pass = passable();
    const started = startStages({ capacity: 2 });
    const { breaker } = started;
    for (let n = 0; n < 20; n += 1) {
      const call = callOf({ key: `caller-${n}` }, n);
      breaker.answered(call, 'admitted', { status: 503 });
    }
    pass(500);
    const admission = breaker.admit(callOf());
    if (admission instanceof Promise) throw new Error('a probe is running');
    const end = (status: number): void => breaker.answered(callOf(), admission, { status });
    return { ...started, end };
  }

  it('is sent when the probe has succeeded', async () => {
    const { attempt, sent, free, end } = startProbing();
    const result = attempt(callOf({}, 1));
    end(200);
    expect(await result).toEqual({ status: 200 });
    expect(sent).toEqual(['/api/v2/person/p1']);
    expect(free()).toBe(2);
  });

  it('occupies no connection, also after it was cancelled', async () => {
    const { attempt, sent, free } = startProbing();
    const cancelToken = new CancelToken();
    const result = attempt(callOf(), cancelToken);
    await expect.poll(free).toBe(2);
    cancelToken.cancel(cancelled);
    await expect(result).rejects.toBe(cancelled);
    expect(free()).toBe(2);
    expect(sent).toEqual([]);
  });

  it('is not sent if it is cancelled together with the end of the probe', async () => {
    const { attempt, sent, free, end } = startProbing();
    const cancelToken = new CancelToken();
    const result = attempt(callOf(), cancelToken);
    await expect.poll(free).toBe(2);
    end(200);
    cancelToken.cancel(cancelled);
    await expect(result).rejects.toBe(cancelled);
    expect(sent).toEqual([]);
    expect(free()).toBe(2);
  });
});

it('reports status 401 with method and path without the query', async () => {
  const unauthorized: string[] = [];
  const onUnauthorized = (...call: string[]): void => void unauthorized.push(call.join(' '));
  const call = { ...callOf({ onUnauthorized }), path: '/api/v2/person/p1?fields=_id' };
  await startStages({ status: 403 }).attempt(call);
  expect(unauthorized).toEqual([]);
  await startStages({ status: 401 }).attempt(call);
  expect(unauthorized).toEqual(['GET /api/v2/person/p1']);
});

function dmsFor(http: HttpClient): Dms {
  return new Dms(http, testCaller(), testBudget());
}

describe('the queue for connections', () => {
  it('passes the slot of a disconnected client on', async () => {
    const mock = createMockDms();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mock.reply('GET', /person/, async ({ path }) => {
      await released;
      return { _id_sys: path };
    });
    const http = testHttp(mock, { connections: 1 });
    const client = new AbortController();
    const holding = dmsFor(http).persons.get('a');
    const leaving = new Dms(http, testCaller(), testBudget({ signal: client.signal })).persons
      .get('b')
      .catch(() => 'left');
    const waiting = dmsFor(http).persons.get('c');
    client.abort();
    expect(await leaving).toBe('left');
    release();
    expect(await Promise.all([holding, waiting])).toHaveLength(2);
    expect(mock.requests).toEqual(['GET /api/v2/person/a', 'GET /api/v2/person/c']);
  });

  it('rejects calls at once if it is full', async () => {
    const mock = createMockDms();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    mock.reply('GET', /person/, async ({ path }) => {
      await released;
      return { _id_sys: path };
    });
    const http = testHttp(mock, { connections: 2, maxWaiting: 1 });
    const reads = ['a', 'b', 'c', 'd'].map((id) => dmsFor(http).persons.get(id));
    const outcomes = Promise.allSettled(reads);
    await expect(reads[3]).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      expected: 'a free place in the queue',
    });
    expect(mock.requests).toHaveLength(2);
    release();
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });
});
