import { describe, expect, it, vi } from 'vitest';
import { RestError } from '../../../src/rest/client/rest-error.ts';
import { documentA as a, pollOf, readOf, startLive, startSubscriber } from './live-gateway.ts';
import { testHttpOptions } from '../../helpers/mock-dms.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { jwtIdentity, tokenWith } from '../../helpers/jwt.ts';
import { fakeTimers } from '../../helpers/fake-timers.ts';

const changed = `subscription { documentChanged(id: "${a}") { state } }`;
const eventOf = (state: number) => ({ data: { documentChanged: { state } } });
const exactPath = `/api/v2/docForm/${a}?fields=_id,_meta`;

const { timeoutMs: dmsTimeoutMs } = testHttpOptions;

/** A subscriber that has its first event. */
async function startSubscribed(options: Parameters<typeof startLive>[0] = {}) {
  const live = await startLive(options);
  const subscriber = await startSubscriber(live.gateway, changed);
  live.requests.splice(0);
  return { ...live, subscriber };
}

describe('a DMS that fails', () => {
  it.each([
    ['with 500', 'out of order', 500],
    ['with an answer without ID', {}, 200],
  ])('%s is polled less and less often, and ends nothing', async (_, body, status) => {
    const { dms, clock, requests, change, subscriber } = await startSubscribed();
    let isFailing = true;
    dms.reply('GET', exactPath, body, { status });
    const waits = [];
    for (let failures = 1; failures <= 6; failures += 1) {
      clock.advance(clock.waits()[0]!);
      await expect.poll(() => clock.waits()).toHaveLength(1);
      waits.push(clock.waits()[0]);
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    expect(requests).toEqual(Array.from({ length: 6 }, () => pollOf(a)));
    expect(subscriber.results).toHaveLength(1);
    expect(subscriber.isComplete()).toBeUndefined();

    isFailing = false;
    change(a, 2);
    dms.reply('GET', exactPath, () => (isFailing ? '' : { _id: a, _meta: { _rev: 2 } }));
    clock.advance(60_000);
    await expect.poll(() => subscriber.results[1]).toEqual(eventOf(2));
    expect(clock.waits()).toEqual([5000]);
  });

  it.each([
    [400, 'BAD_USER_INPUT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
  ])('with %i ends the subscription, because no later poll can succeed', async (status, code) => {
    const { dms, clock, subscriber } = await startSubscribed();
    dms.reply('GET', exactPath, '', { status });
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results.at(-1)).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(clock.waits()).toEqual([]);
  });

  it('receives one request per poll, with any DMS_RETRIES', async () => {
    const { dms, clock, requests } = await startSubscribed({ http: { retries: 2 } });
    dms.reply('GET', /./, '', { status: 503 });
    clock.advance(5000);
    await expect.poll(() => clock.waits()).toEqual([10_000]);
    expect(requests).toEqual([pollOf(a)]);
  });

  it('is left alone as long as it asks for', async () => {
    const { dms, clock } = await startSubscribed();
    dms.reply('GET', /./, '', { status: 503, headers: { 'retry-after': '45' } });
    clock.advance(5000);
    await expect.poll(() => clock.waits()).toEqual([45_000]);
  });

  it('is waited for when a subscription begins', async () => {
    const { gateway, dms, clock } = await startLive();
    dms.reply('GET', exactPath, '', { status: 500 });
    const { results, isComplete } = await subscribe(gateway, changed);
    await expect.poll(() => clock.waits()).toEqual([10_000]);
    expect(isComplete()).toBeUndefined();
    dms.reply('GET', exactPath, { _id: a, _meta: { _rev: 1 } });
    clock.advance(10_000);
    await expect.poll(() => results).toEqual([eventOf(1)]);
  });

  it('that does not answer in time is polled again', async () => {
    const { dms, clock, requests, subscriber } = await startSubscribed();
    dms.reply('GET', /./, () => new Promise(() => {}));
    fakeTimers('performance', 'setTimeout');
    clock.advance(5000);
    await expect.poll(() => requests).toEqual([pollOf(a)]);
    expect(clock.waits()).toEqual([]);
    vi.advanceTimersByTime(dmsTimeoutMs);
    await expect.poll(() => clock.waits()).toEqual([10_000]);
    expect(requests).toHaveLength(1);
    expect(subscriber.isComplete()).toBeUndefined();
  });
});

describe('RATE_LIMIT', () => {
  /** Allows `left` calls. */
  function limitedCalls() {
    const calls = { left: Infinity };
    const consume = async (): Promise<void> => {
      if (calls.left === 0) throw new RestError('RATE_LIMITED', 'GET', { retryAfterMs: 30_000 });
      calls.left -= 1;
    };
    return { calls, http: { rateLimiter: { consume } } };
  }

  it('delays polls of its caller, and ends nothing', async () => {
    const { calls, http } = limitedCalls();
    const { clock, requests, change, subscriber } = await startSubscribed({ http });
    calls.left = 0;
    change(a, 2);
    clock.advance(5000);
    await expect.poll(() => clock.waits()).toEqual([30_000]);
    expect(requests).toEqual([]);
    expect(subscriber.isComplete()).toBeUndefined();
    calls.left = 2;
    clock.advance(30_000);
    await expect.poll(() => subscriber.results[1]).toEqual(eventOf(2));
    expect(requests).toEqual([pollOf(a), readOf(a)]);
    expect(calls.left).toBe(0);
  });

  it('delays an event whose selection it rejects', async () => {
    const { calls, http } = limitedCalls();
    const { gateway, clock, requests, change, poll, subscriber } = await startSubscribed({ http });
    calls.left = 1;
    change(a, 2);
    await poll();
    await expect.poll(() => gateway.log.map(({ code }) => code)).toEqual(['RATE_LIMITED']);
    await expect.poll(() => clock.waits()).toHaveLength(1);
    expect(requests).toEqual([pollOf(a)]);
    calls.left = 2;
    await poll();
    await expect.poll(() => subscriber.results[1]).toEqual(eventOf(2));
    expect(subscriber.results).toHaveLength(2);
  });
});

describe('a selection that cannot be read', () => {
  it('because the DMS fails is read again after the next polls, and logged', async () => {
    const { gateway, dms, clock, requests, change, poll, subscriber } = await startSubscribed();
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, '', { status: 500 });
    change(a, 2);
    // The selection is read after polls 1, 2 and 4.
    for (const failures of [1, 2, 2, 3, 3, 3, 3]) {
      await poll();
      await expect.poll(() => clock.waits()).toHaveLength(1);
      await expect.poll(() => gateway.log).toHaveLength(failures);
    }
    // After 1 and then 2 more polls; the next one would follow 4 more.
    await expect.poll(() => requests.filter((one) => one === readOf(a))).toHaveLength(3);
    expect(requests.indexOf(readOf(a))).toBe(1);
    expect(requests.lastIndexOf(readOf(a))).toBe(6);
    expect(subscriber.results).toHaveLength(1);
    await expect
      .poll(() => gateway.log.map(({ msg, code }) => [msg, code]))
      .toEqual(Array.from({ length: 3 }, () => ['failure', 'UPSTREAM_ERROR']));
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, { _id: a, state: 2 });
    await poll();
    await expect.poll(() => subscriber.results[1]).toEqual(eventOf(2));
  });

  it('because access is lost ends with the code', async () => {
    const { dms, change, clock, subscriber } = await startSubscribed();
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, '', { status: 403 });
    change(a, 2);
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results[1]).toMatchObject({
      data: { documentChanged: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    expect(clock.waits()).toEqual([]);
  });

  it('because the document has just been deleted is null, and the end', async () => {
    const { dms, change, clock, subscriber } = await startSubscribed();
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, '', { status: 404 });
    change(a, 2);
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results[1]).toEqual({ data: { documentChanged: null } });
    expect(clock.waits()).toEqual([]);
  });

  it('in one branch leaves its siblings', async () => {
    const { gateway, dms } = await startLive();
    dms.reply('GET', /docForm/, { _id: a, _meta: { _rev: 1 }, author: 'usr-ann', state: 1 });
    dms.reply('GET', /person/, '', { status: 500 });
    const query = `subscription { documentChanged(id: "${a}") { state author { ... on Person { email } } } }`;
    const { results, isComplete } = await startSubscriber(gateway, query);
    expect(results[0]).toMatchObject({
      data: { documentChanged: { state: 1, author: null } },
      errors: [{ path: ['documentChanged', 'author'], extensions: { code: 'UPSTREAM_ERROR' } }],
    });
    expect(isComplete()).toBeUndefined();
  });

  it('within MAX_UPSTREAM_CALLS has a budget of its own for each event', async () => {
    const { gateway, change, poll } = await startLive({ server: { maxUpstreamCalls: 1 } });
    const { results } = await subscribe(gateway, changed);
    await expect.poll(() => results).toEqual([eventOf(1)]);
    for (const state of [2, 3]) {
      change(a, state);
      await poll();
      await expect.poll(() => results.at(-1)).toEqual(eventOf(state));
    }
  });

  it('within REQUEST_TIMEOUT_MS ends that event alone', async () => {
    const { gateway, dms, requests, change, poll, subscriber } = await startSubscribed({
      server: { requestTimeoutMs: 3000 },
      http: { timeoutMs: 3_600_000 },
    });
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, () => new Promise(() => {}));
    fakeTimers('performance', 'setTimeout');
    change(a, 2);
    await poll();
    await expect.poll(() => requests.at(-1)).toBe(readOf(a));
    vi.advanceTimersByTime(3000);
    await expect.poll(() => gateway.log.map(({ code }) => code)).toEqual(['UPSTREAM_TIMEOUT']);
    dms.reply('GET', `/api/v2/docForm/${a}?fields=_id,state`, { _id: a, state: 2 });
    await expect
      .poll(async () => {
        await poll();
        return subscriber.results[1];
      })
      .toEqual(eventOf(2));
  });
});

describe('a shutdown', () => {
  it.each(['poll', 'read'])('during a %s ends cleanly and cancels it', async (what) => {
    const { gateway, dms, clock, change, requests, subscriber } = await startSubscribed();
    if (what === 'read') change(a, 2);
    const path = what === 'poll' ? exactPath : `/api/v2/docForm/${a}?fields=_id,state`;
    dms.reply('GET', path, () => new Promise(() => {}));
    clock.advance(5000);
    await expect.poll(() => requests.at(-1)).toBe(what === 'poll' ? pollOf(a) : readOf(a));
    expect(await gateway.close(5000)).toBe(true);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results).toHaveLength(1);
    expect(clock.waits()).toEqual([]);
    expect(await gateway.metrics.text()).toMatch(/^gateway_upstream_calls_in_flight 0$/m);
  });
});

describe('a token', () => {
  it('ends the subscription that it opened, and no other one of its user', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const nowS = Math.floor(Date.now() / 1000);
      const { gateway, dms, clock } = await startLive({
        server: { identity: { ...jwtIdentity, runAsClaim: 'sub' } },
      });
      const open = async (expiresAtS: number, protocol: 'events' | 'multipart') =>
        subscribe(gateway, changed, {
          protocol,
          headers: {
            authorization: `Bearer ${await tokenWith({ sub: 'usr-ann', exp: expiresAtS })}`,
          },
        });
      const long = await open(nowS + 3600, 'events');
      const soon = nowS + 2;
      vi.setSystemTime(soon * 1000 - 30);
      const short = [await open(soon, 'events'), await open(soon, 'multipart')];
      for (const { results } of [long, ...short])
        await expect.poll(() => results.length).toBeGreaterThan(0);
      vi.setSystemTime(soon * 1000 + 1);
      for (const { results, isComplete } of short) {
        await expect.poll(() => isComplete()).toBe(true);
        expect(results.at(-1)).toEqual({
          errors: [
            {
              message: 'The token has expired.',
              extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) },
            },
          ],
        });
      }
      expect(long.isComplete()).toBeUndefined();
      expect(clock.waits()).toEqual([5000]);
      expect(dms.received[0]?.headers['svc-run-as']).toBe('usr-ann');
      await expect
        .poll(() => gateway.log.map(({ outcome }) => outcome))
        .toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    } finally {
      vi.useRealTimers();
    }
  });
});
