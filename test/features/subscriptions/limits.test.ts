import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Live } from '../../../src/features/subscriptions/live.ts';
import { createMockDms, testCaller, testHttp } from '../../helpers/mock-dms.ts';
import {
  documentA as a,
  passthrough,
  pollOf,
  readOf,
  startLive,
  startSubscriber,
} from './live-gateway.ts';
import { requestParts } from '../../helpers/result-parts.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { openConnection, queryBytes } from '../../helpers/raw-connection.ts';

const changed = `subscription Watch { documentChanged(id: "${a}") { state } }`;
const asUser = (user: string) => ({ headers: { authorization: `Bearer ${user}` } });
const gauge = (text: string, name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];

describe('MAX_SUBSCRIPTIONS', () => {
  it.each(['events', 'multipart'] as const)(
    'rejects one more of the caller over %s, until one ends',
    async (protocol) => {
      const { gateway, requests, clock } = await startLive({
        server: { ...passthrough, maxSubscriptions: 2 },
      });
      const ann = [
        await startSubscriber(gateway, changed, asUser('ann')),
        await startSubscriber(gateway, changed, asUser('ann')),
      ];
      requests.splice(0);

      const third = await subscribe(gateway, changed, { ...asUser('ann'), protocol });
      await expect.poll(() => third.isComplete()).toBe(true);
      expect(third.results).toMatchObject([{ errors: [{ extensions: { code: 'RATE_LIMITED' } }] }]);
      expect(third.results[0].errors[0].message).toContain('MAX_SUBSCRIPTIONS allows 2');
      expect(requests).toEqual([]);

      await startSubscriber(gateway, changed, asUser('bob'));
      ann[0]!.leave();
      await expect.poll(() => gateway.log.length).toBe(2);
      await startSubscriber(gateway, changed, asUser('ann'));
      expect(clock.waits()).toHaveLength(2);
    },
  );

  it('has status 429 for clients that read the status', async () => {
    const { gateway } = await startLive({ server: { maxSubscriptions: 0 } });
    const accept = 'application/graphql-response+json, text/event-stream';
    expect((await requestParts(gateway, changed, { accept })).status).toBe(429);
  });

  it('counts a user once, whatever headers are forwarded', async () => {
    const { gateway } = await startLive({
      server: { ...passthrough, maxSubscriptions: 1, forwardHeaders: ['x-tenant'] },
    });
    const headers = { authorization: 'Bearer ann' };
    await startSubscriber(gateway, changed, {
      headers: { ...headers, 'x-tenant': 'north' },
    });
    const second = await startSubscriber(gateway, changed, {
      headers: { ...headers, 'x-tenant': 'south' },
    });
    expect(second.results[0].errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  it('frees the place of a subscription that cannot begin', async () => {
    const { gateway } = await startLive({ server: { maxSubscriptions: 1 } });
    for (const _ of [1, 2, 3]) {
      const { results } = await startSubscriber(gateway, changed.replace(a, '../x'));
      expect(results[0].errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
    const { results } = await subscribe(gateway, changed);
    await expect.poll(() => results).toEqual([{ data: { documentChanged: { state: 1 } } }]);
  });

  it('bounds a process at 2000', () => {
    const changes: number[] = [];
    const live = new Live(
      testHttp(createMockDms()),
      { livePollMs: 5000, timeoutMs: 1000, maxSubscriptions: 2000 },
      { subscriptionsChanged: (change) => changes.push(change), watchesChanged() {} },
    );
    const releases = Array.from({ length: 2000 }, (_, i) =>
      live.reserve(testCaller({ key: `user ${i % 100}` })),
    );
    expect(releases.every((release) => typeof release === 'function')).toBe(true);
    expect(live.reserve(testCaller({ key: 'one more' }))).toBe('process');
    const [first] = releases;
    if (typeof first === 'function') {
      first();
      first(); // counts once
    }
    expect(typeof live.reserve(testCaller({ key: 'one more' }))).toBe('function');
    expect(live.reserve(testCaller({ key: 'two more' }))).toBe('process');
    expect(changes.filter((change) => change === -1)).toHaveLength(1);
  });
});

describe('`response`', () => {
  /** The message of the only error; nothing is sent and nothing is left. */
  const rejectedMessage = async (query: string, variables = {}): Promise<string> => {
    const { gateway, requests, clock } = await startLive();
    const { results, isComplete } = await subscribe(gateway, query, { variables });
    await expect.poll(() => isComplete()).toBe(true);
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
    expect(requests).toEqual([]);
    expect(clock.waits()).toEqual([]);
    return results[0].errors[0].message as string;
  };

  it.each([
    ['itself', `subscription { documentChanged(id: "${a}") { id response { id } } }`],
    [
      'under an alias and through fragments',
      `subscription { documentChanged(id: "${a}") { ...A } }
       fragment A on Document { ... on Node { ...B } }
       fragment B on Document { mine: response { id } }`,
    ],
    [
      'of the documents of a view',
      'subscription { documentsChanged { changed { id } added { response { id } } } }',
    ],
    [
      'of documents that refer to it',
      `subscription { documentChanged(id: "${a}") { refByDocs { edges { node { response { id } } } } } }`,
    ],
  ])('cannot be selected: %s', async (_, query) => {
    expect(await rejectedMessage(query)).toMatch(/^`response` cannot be selected/);
  });

  it('can be selected where it is skipped', async () => {
    const query = `subscription ($on: Boolean!) { documentChanged(id: "${a}") { state response @include(if: $on) { id } } }`;
    expect(await rejectedMessage(query, { on: true })).toMatch(/^`response` cannot/);
    const { gateway, requests } = await startLive();
    await startSubscriber(gateway, query, { variables: { on: false } });
    expect(requests[1]).toBe(readOf(a));
  });
});

describe('many subscribers', () => {
  it('that leave at once leave nothing', async () => {
    const { gateway, clock, requests } = await startLive({ server: { maxSubscriptions: 200 } });
    const all = await Promise.all(
      Array.from({ length: 30 }, () => startSubscriber(gateway, changed)),
    );
    expect(requests.filter((one) => one === pollOf(a))).toHaveLength(1);
    expect(gauge(await gateway.metrics.text(), 'gateway_subscriptions_active')).toBe('30');
    for (const { leave } of all) leave();
    await expect.poll(() => gateway.log.length).toBe(30);
    const text = await gateway.metrics.text();
    expect(gauge(text, 'gateway_subscriptions_active')).toBe('0');
    expect(gauge(text, 'gateway_watches_active')).toBe('0');
    expect(clock.waits()).toEqual([]);
  });

  it('that leave before they are answered leave nothing', async () => {
    const { gateway, clock } = await startLive({ server: { maxSubscriptions: 200 } });
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = openConnection(gateway.url);
        await once(socket, 'connect');
        socket.write(queryBytes(changed, 'text/event-stream'), () => socket.resetAndDestroy());
        await once(socket, 'close');
      }),
    );
    await expect
      .poll(async () => gauge(await gateway.metrics.text(), 'gateway_requests_in_flight'))
      .toBe('0');
    await expect
      .poll(async () => gauge(await gateway.metrics.text(), 'gateway_watches_active'))
      .toBe('0');
    expect(gauge(await gateway.metrics.text(), 'gateway_subscriptions_active')).toBe('0');
    expect(clock.waits()).toEqual([]);
  });
});

describe('a subscriber that does not read', () => {
  it('misses states, and leaves nothing', async () => {
    const { gateway, dms, clock, requests } = await startLive();
    let revision = 0;
    const tags = ['x'.repeat(2_000_000)];
    dms.reply('GET', /docForm/, ({ path }) => {
      revision += 1;
      return { _id: a, _meta: { _rev: revision }, ...(path.includes('_tags') && { _tags: tags }) };
    });
    const query = changed.replace('state', 'tags');
    const socket = openConnection(gateway.url);
    socket.write(queryBytes(query, 'text/event-stream'));
    await once(socket, 'readable');
    await expect.poll(() => clock.waits()).toHaveLength(1);
    const isPoll = (one: string): boolean => one.endsWith('_id,_meta');
    // As fast as the DMS answers; a few results fill the buffers between, and then no further one is read.
    for (let polls = 0; polls < 20 && clock.waits().length > 0; polls += 1) {
      const before = requests.filter(isPoll).length;
      clock.advance(5000);
      await expect.poll(() => requests.filter(isPoll).length).toBeGreaterThan(before);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const reads = requests.filter((one) => !isPoll(one)).length;
    expect(reads).toBeLessThan(12);
    socket.destroy();
    await expect.poll(() => gateway.log.length).toBe(1);
    expect(clock.waits()).toEqual([]);
  });
});

describe('the log and the metrics', () => {
  it('have one line at the end of a subscription, with its calls, and no IDs', async () => {
    const { gateway, change, poll } = await startLive();
    const { results, leave } = await startSubscriber(gateway, changed);
    change(a, 2);
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(gateway.log).toEqual([]);
    leave();
    await expect.poll(() => gateway.log).toHaveLength(1);
    expect(gateway.log[0]).toMatchObject({
      msg: 'request',
      type: 'subscription',
      operation: 'Watch',
      calls: 2,
      outcome: 'CANCELLED',
      status: 200,
    });
    const text = await gateway.metrics.text();
    expect(text).toContain('gateway_requests_total{type="subscription",outcome="CANCELLED"} 1');
    expect(text).not.toContain(a);
  });
});
