import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { documentA as a, pollOf, readOf, startLive, startSubscriber } from './live-gateway.ts';
import { requestParts } from '../../helpers/result-parts.ts';
import { subscribe } from '../../helpers/subscriber.ts';

const changed = `subscription { documentChanged(id: "${a}") { state } }`;

describe.each(['events', 'multipart'] as const)('documentChanged over %s', (protocol) => {
  it('sends the document at once and after each new revision', async () => {
    const { gateway, requests, change, poll } = await startLive();
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect
      .poll(() => subscriber.results)
      .toEqual([{ data: { documentChanged: { state: 1 } } }]);
    expect(requests).toEqual([pollOf(a), readOf(a)]);

    await poll();
    expect(requests.splice(0)).toHaveLength(3);
    change(a, 2);
    await poll();
    await expect.poll(() => subscriber.results).toHaveLength(2);
    expect(subscriber.results[1]).toEqual({ data: { documentChanged: { state: 2 } } });
    expect(requests).toEqual([pollOf(a), readOf(a)]);
    expect(subscriber.isComplete()).toBeUndefined();
  });

  it('sends null and ends when the document is deleted', async () => {
    const { gateway, requests, dms, clock } = await startLive();
    const subscriber = await startSubscriber(gateway, changed, { protocol });
    dms.reply('GET', /docForm/, '', { status: 404 });
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results[1]).toEqual({ data: { documentChanged: null } });
    expect(requests).toEqual([pollOf(a), readOf(a), pollOf(a)]);
    expect(clock.waits()).toEqual([]);
  });

  it('is completed at shutdown, and no poll is left', async () => {
    const { gateway, clock } = await startLive();
    const subscriber = await startSubscriber(gateway, changed, { protocol });
    expect(await gateway.close(5000)).toBe(true);
    expect(subscriber.results).toHaveLength(1);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(clock.waits()).toEqual([]);
  });

  it('signs the link of a file for each event', async () => {
    const { gateway, change, poll } = await startLive();
    const text = `subscription { documentChanged(id: "${a}") { state recognizedPdfUrl } }`;
    const subscriber = await startSubscriber(gateway, text, { protocol });
    const later = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    onTestFinished(() => void vi.restoreAllMocks());
    change(a, 2);
    await poll();
    await expect.poll(() => subscriber.results).toHaveLength(2);
    const [first, second] = subscriber.results.map(
      ({ data }) => data?.['documentChanged'] as { readonly recognizedPdfUrl: string },
    );
    expect(second?.recognizedPdfUrl).not.toBe(first?.recognizedPdfUrl);
  });

  it('sends heartbeats', async () => {
    const { gateway } = await startLive({ heartbeatMs: 10 });
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect.poll(() => subscriber.heartbeats()).toBeGreaterThan(1);
    expect(subscriber.isComplete()).toBeUndefined();
  });
});

describe('the Accept header of a subscription', () => {
  const post = async (accept: string) => {
    const { gateway, requests, clock } = await startLive();
    const leaving = new AbortController();
    const response = await requestParts(gateway, changed, { accept, signal: leaving.signal });
    return { response, requests, clock, leave: () => leaving.abort() };
  };

  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['*/*', 'text/event-stream'],
    ['application/json, multipart/mixed, text/event-stream', 'text/event-stream'],
    [
      'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json',
      'multipart/mixed',
    ],
  ])('%s chooses the protocol', async (accept, type) => {
    const { response, leave } = await post(accept);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toBe('no-store');
    leave();
  });

  it.each(['application/json', 'multipart/mixed', 'multipart/mixed;subscriptionSpec="2.0"'])(
    '%s is rejected before anything is sent',
    async (accept) => {
      const { response, requests, clock } = await post(accept);
      expect(response.status).toBe(406);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      });
      expect(requests).toEqual([]);
      expect(clock.waits()).toEqual([]);
    },
  );
});

describe('an error before the first event', () => {
  it.each([
    ['multipart/mixed;subscriptionSpec="1.0",application/json', 'application/json'],
    ['multipart/mixed;subscriptionSpec="1.0"', 'multipart/mixed'],
  ])('goes out to a client that accepts %s', async (accept, type) => {
    const { gateway, requests } = await startLive();
    const response = await requestParts(gateway, changed.replace(a, '..'), { accept });
    expect(response.headers.get('content-type')).toContain(type);
    expect(await response.text()).toContain('"code":"BAD_USER_INPUT"');
    expect(requests).toEqual([]);
  });
});
