import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/ids.ts';
import {
  documentA as a,
  documentB as b,
  passthrough,
  pollOf,
  readOf,
  startLive,
  startSubscriber,
} from './live-gateway.ts';

const changed = `subscription { documentChanged(id: "${a}") { state } }`;
const move = `mutation { moveDocument(input: { document: "${a}", action: BLOCK }) { __typename } }`;
const asUser = (user: string) => ({ headers: { authorization: `Bearer ${user}` } });

describe('one poll', () => {
  it('serves all subscribers of a caller, and the selection is read once per change', async () => {
    const { gateway, requests, change, poll } = await startLive();
    const subscribers = await Promise.all(
      Array.from({ length: 5 }, () => startSubscriber(gateway, changed)),
    );
    requests.splice(0);

    await poll();
    expect(requests.splice(0)).toEqual([pollOf(a)]);
    change(a, 2);
    await poll();
    for (const { results } of subscribers) {
      await expect.poll(() => results[1]).toEqual({ data: { documentChanged: { state: 2 } } });
    }
    expect(requests).toEqual([pollOf(a), readOf(a)]);
  });

  it('serves all subscriptions to the same ID of a document', async () => {
    const { gateway, requests, clock, change, poll } = await startLive();
    const all = [];
    for (const id of ['DOC-1', a, 'DOC-1', toGlobalId('Document', a)]) {
      const subscriber = await startSubscriber(gateway, changed.replace(a, id));
      all.push(subscriber);
    }
    expect(clock.waits()).toHaveLength(2);
    requests.splice(0);
    change(a, 2);
    await poll();
    for (const { results } of all) {
      await expect
        .poll(() => results.slice(1))
        .toEqual([{ data: { documentChanged: { state: 2 } } }]);
    }
    expect(requests.filter((line) => line !== readOf(a))).toEqual([pollOf('DOC-1'), pollOf(a)]);
    for (const { leave } of all) leave();
    await expect.poll(() => clock.waits()).toEqual([]);
  });

  it('is all that a selection of ids and revision costs', async () => {
    const { gateway, requests, change, poll } = await startLive();
    const small = `subscription { documentChanged(id: "${a}") { fullId meta { revision } } }`;
    const { results } = await startSubscriber(gateway, small);
    change(a, 1);
    await poll();
    await expect
      .poll(() => results[1])
      .toEqual({ data: { documentChanged: { fullId: a, meta: { revision: 2 } } } });
    expect(requests).toEqual([pollOf(a), pollOf(a)]);
  });

  it('is of each caller and each document', async () => {
    const { gateway, requests, change, poll } = await startLive({ server: passthrough });
    change(b, 1);
    const other = changed.replace(a, b);
    await Promise.all([
      startSubscriber(gateway, changed, asUser('ann')),
      startSubscriber(gateway, changed, asUser('ann')),
      startSubscriber(gateway, changed, asUser('bob')),
      startSubscriber(gateway, other, asUser('bob')),
    ]);
    requests.splice(0);
    await poll();
    expect(requests.toSorted()).toEqual([pollOf(a), pollOf(a), pollOf(b)]);
  });

  it('keeps run-as apart, and asks the DMS as the subscriber', async () => {
    const { gateway, dms, poll } = await startLive({ server: passthrough });
    const runAs = (user: string) => ({
      headers: { authorization: 'Bearer s', 'svc-run-as': user },
    });
    for (const user of ['usr-ann', 'usr-bob']) await startSubscriber(gateway, changed, runAs(user));
    dms.received.splice(0);
    await poll();
    expect(dms.received.map(({ headers }) => String(headers['svc-run-as'])).toSorted()).toEqual([
      'usr-ann',
      'usr-bob',
    ]);
  });

  it('starts a late subscriber with the current state', async () => {
    const { gateway, requests } = await startLive();
    await startSubscriber(gateway, changed);
    requests.splice(0);
    await startSubscriber(gateway, changed);
    expect(requests).toEqual([readOf(a)]);
  });

  it('stops with the last subscriber, also while it is in progress', async () => {
    const { gateway, dms, clock, requests } = await startLive();
    const subscribers = [
      await startSubscriber(gateway, changed),
      await startSubscriber(gateway, changed),
    ];
    subscribers[0]!.leave();
    await expect.poll(() => gateway.log.length).toBe(1);
    expect(clock.waits()).toEqual([5000]);

    const held = Promise.withResolvers<void>();
    dms.reply('GET', /docForm/, async () => {
      await held.promise;
      return {};
    });
    requests.splice(0);
    clock.advance(5000);
    await expect.poll(() => requests).toEqual([pollOf(a)]);
    subscribers[1]!.leave();
    await expect.poll(() => gateway.log.length).toBe(2);
    held.resolve();
    await expect
      .poll(async () => (await gateway.metrics.text()).match(/^gateway_watches_active .*/m)?.[0])
      .toBe('gateway_watches_active 0');
    expect(clock.waits()).toEqual([]);
  });
});

describe('a mutation', () => {
  it('of the same caller shows at once', async () => {
    const { gateway, dms, requests, change } = await startLive();
    dms.reply('POST', /docResponse/, () => {
      change(a, 9);
      return '';
    });
    const { results } = await startSubscriber(gateway, changed);
    requests.splice(0);
    await gateway.query(move);
    await expect.poll(() => results[1]).toEqual({ data: { documentChanged: { state: 9 } } });
    expect(requests).toEqual([`POST /api/v2/docForm/${a}/docResponse`, pollOf(a), readOf(a)]);
  });

  it('whose outcome is not known is looked at, too', async () => {
    const { gateway, dms, requests } = await startLive();
    dms.reply('POST', /docResponse/, '', { status: 502 });
    await startSubscriber(gateway, changed);
    requests.splice(0);
    await gateway.query(move);
    await expect.poll(() => requests).toEqual([`POST /api/v2/docForm/${a}/docResponse`, pollOf(a)]);
  });

  it('by a short ID reaches a subscription by the full ID', async () => {
    const { gateway, dms, requests } = await startLive();
    dms.reply('POST', /docResponse/, '');
    await startSubscriber(gateway, changed);
    requests.splice(0);
    await gateway.query(move.replace(a, 'DOC-1'));
    await expect.poll(() => requests).toHaveLength(2);
    expect(requests[1]).toBe(pollOf(a));
  });

  it('during a poll is followed by another one', async () => {
    const { gateway, dms, requests, clock } = await startLive();
    const { results } = await startSubscriber(gateway, changed);
    requests.splice(0);
    const held = Promise.withResolvers<void>();
    let revision = 1;
    dms.reply('GET', /docForm/, async () => {
      const seen = revision;
      await held.promise;
      return { _id: a, _meta: { _rev: seen }, state: seen };
    });
    dms.reply('POST', /docResponse/, () => {
      revision = 2;
      return '';
    });
    clock.advance(5000);
    await expect.poll(() => requests).toEqual([pollOf(a)]);
    await gateway.query(move);
    held.resolve();
    await expect.poll(() => results[1]).toEqual({ data: { documentChanged: { state: 2 } } });
    expect(requests.slice(2)).toEqual([pollOf(a), readOf(a)]);
  });

  it('of another caller, or to another document, waits for the next poll', async () => {
    const { gateway, dms, requests, poll } = await startLive({ server: passthrough });
    dms.reply('POST', /docResponse/, '');
    await startSubscriber(gateway, changed, asUser('ann'));
    requests.splice(0);
    await gateway.query(move, {}, { authorization: 'Bearer bob' });
    await gateway.query(move.replace(a, b), {}, { authorization: 'Bearer ann' });
    expect(requests).toHaveLength(2);
    await poll();
    expect(requests.slice(2)).toEqual([pollOf(a)]);
  });
});
