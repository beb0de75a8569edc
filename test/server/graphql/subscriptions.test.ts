import { describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { createLiveClock } from '../../helpers/live-clock.ts';
import { subscribe } from '../../helpers/subscriber.ts';

const a = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const b = 'bbbbbbbbbbbbbbbbbbbbbbbb';
const c = 'cccccccccccccccccccccccc';
const pollOf = (id: string): string => `GET /api/v2/docForm/${id}?fields=_id,_meta`;
const readOf = (id: string): string => `GET /api/v2/docForm/${id}?fields=_id,state`;
const changed =
  'subscription ($id: ID! = "aaaaaaaaaaaaaaaaaaaaaaaa") { documentChanged(id: $id) { state } }';
const passthrough = { identity: { mode: 'passthrough' as const }, credential: null };

/** A gateway whose polls run when the test says so, and a DMS with documents that the test changes. */
async function start(options: TestGatewayOptions = {}) {
  const clock = createLiveClock();
  const gateway = await startGateway({ ...options, parts: { liveClock: clock, ...options.parts } });
  const { dms } = gateway;
  const documents = new Map([[a, { rev: 1, state: 1 }]]);
  let failure: number | null = null;
  dms.reply('GET', /\/docForm\/[^/]+$/, ({ path }) => {
    const [, id = ''] = /docForm\/(\w+)/.exec(path) ?? [];
    const document = documents.get(id);
    if (document === undefined) throw new Error('no such document');
    return { _id: id, _meta: { _rev: document.rev }, state: document.state };
  });
  return {
    gateway,
    dms,
    clock,
    documents,
    requests: dms.requests,
    /** Writes a document without the gateway. */
    change(id: string, state: number) {
      documents.set(id, { rev: (documents.get(id)?.rev ?? 0) + 1, state });
    },
    /** Whatever the DMS answers from now on. */
    failWith(status: number | null, body = '') {
      failure = status;
      dms.reply('GET', /./, body, { status: failure ?? 200 });
    },
    /** Lets a poll happen, and waits until the next one is scheduled. */
    async poll(ms = 5000) {
      const polls = clock.waits().length;
      clock.advance(ms);
      await expect.poll(() => clock.waits().length).toBe(polls);
    },
  };
}

describe.each(['events', 'multipart'] as const)('documentChanged over %s', (protocol) => {
  it('sends the document at once and after each new revision', async () => {
    const { gateway, requests, change, poll } = await start();
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

  it('sends null and ends when the document is gone', async () => {
    const { gateway, requests, dms, clock } = await start();
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect.poll(() => subscriber.results).toHaveLength(1);
    dms.reply('GET', /docForm/, '', { status: 404 });
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results[1]).toEqual({ data: { documentChanged: null } });
    expect(requests).toEqual([pollOf(a), readOf(a), pollOf(a)]);
    expect(clock.waits()).toEqual([]);
  });

  it('ends with the code when access is lost', async () => {
    const { gateway, dms, clock } = await start();
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect.poll(() => subscriber.results).toHaveLength(1);
    dms.reply('GET', /docForm/, '', { status: 403 });
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(subscriber.results[1]).toMatchObject({
      data: { documentChanged: null },
      errors: [{ path: ['documentChanged'], extensions: { code: 'FORBIDDEN' } }],
    });
    expect(clock.waits()).toEqual([]);
  });

  it('is completed at shutdown, and no poll is left', async () => {
    const { gateway, clock } = await start();
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect.poll(() => subscriber.results).toHaveLength(1);
    expect(await gateway.close(5000)).toBe(true);
    expect(subscriber.results).toHaveLength(1);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    expect(clock.waits()).toEqual([]);
  });

  it('sends heartbeats', async () => {
    const { gateway } = await start({ server: { heartbeatMs: 10 } });
    const subscriber = await subscribe(gateway, changed, { protocol });
    await expect.poll(() => subscriber.heartbeats()).toBeGreaterThan(1);
    expect(subscriber.isComplete()).toBeUndefined();
  });
});
