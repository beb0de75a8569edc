import { describe, expect, it } from 'vitest';
import { createResolvers } from '../../../src/testing/index.ts';
import { answersInParts } from '../../helpers/result-parts.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { documentA, documentB, pollOfInbox, startLive, startSubscriber } from './live-gateway.ts';

const stream = 'application/json, text/event-stream';

describe('x-cost-only', () => {
  it('reports the cost of an event', async () => {
    const { gateway, requests } = await startLive();
    const response = await gateway.query(
      'subscription { documentsChanged(view: INBOX, first: 3) { added { author { ... on Person { email } } } } }',
      {},
      { 'x-cost-only': '1', accept: stream },
    );
    expect(response).toMatchObject({
      data: null,
      extensions: { cost: { atLeast: 0, upstreamCalls: 4 } },
    });
    expect(requests).toEqual([]);
  });

  it('is rejected as the subscription is', async () => {
    const { gateway, requests } = await startLive();
    const query = `subscription { documentChanged(id: "${documentA}") { id } }`;
    const real = await gateway.query(query);
    const asked = await gateway.query(query, {}, { 'x-cost-only': '1' });
    const message = expect.stringContaining('text/event-stream');
    const rejected = { status: 406, errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
    expect([real, asked]).toMatchObject([rejected, rejected]);
    expect(requests).toEqual([]);
  });
});

describe('MAX_LIST_FIELDS', () => {
  it.each([
    ['added', 'added { id shortId }'],
    ['changed', 'changed { id shortId }'],
    ['removedIds', 'removedIds'],
  ])('limits the items of %s before they are made', async (field, selection) => {
    const { gateway, documents, change, poll, requests } = await startLive({
      server: { maxListFields: field === 'removedIds' ? 1 : 5 },
    });
    documents.set(documentB, { revision: 1, state: 1 });
    const text = `subscription { documentsChanged(first: 2) { ${selection} } }`;
    const { results } = await startSubscriber(gateway, text);
    if (field !== 'added') {
      expect(results[0].errors).toBeUndefined();
      if (field === 'changed') for (const id of [documentA, documentB]) change(id, 2);
      else documents.clear();
      await poll();
      await expect.poll(() => results).toHaveLength(2);
    }
    expect(results.at(-1)).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('MAX_LIST_FIELDS allows'),
          path: ['documentsChanged', field],
        },
      ],
    });
    expect(requests).toContain(pollOfInbox(2));
  });
});

it('is rejected by createResolvers, which has no stream', async () => {
  const running = createResolvers().run('subscription { documentsChanged { totalCount } }');
  await expect(running).rejects.toThrow('A subscription needs a gateway: use startGateway.');
});

it.runIf(answersInParts)('cannot have @defer or @stream that is on', async () => {
  const { gateway, requests } = await startLive();
  const query = `subscription ($on: Boolean!) {
    documentChanged(id: "${documentA}") { fullId ... @defer(if: $on) { state } }
  }`;
  const { results } = await startSubscriber(gateway, query, { variables: { on: true } });
  const message = '`@defer` and `@stream` are for queries, not for a subscription.';
  expect(results[0]).toMatchObject({
    errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }],
  });
  expect(requests).toEqual([]);
  const { results: others } = await subscribe(gateway, query, { variables: { on: false } });
  const data = { documentChanged: { fullId: documentA, state: 1 } };
  await expect.poll(() => others).toEqual([{ data }]);
});
