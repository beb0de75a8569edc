import { expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { documentA, pollOf, startLive, startSubscriber } from './live-gateway.ts';

/* Subscriptions of a team, and fields of a team in events. */

const never = new Promise<never>(() => {});

it('joins the fields of a team with the request for each event', async () => {
  const { gateway, dms, requests, change, poll } = await startLive({
    parts: {
      extendSchema: (builder, { DocumentRef }) =>
        builder.objectField(DocumentRef, 'riskScore', (t) =>
          t.int({
            nullable: true,
            requires: ['author', 'step'],
            resolve: ({ author, step }) => (author === 'usr-ann' ? (step ?? null) : 100),
          }),
        ),
    },
  });
  dms.reply('GET', /fields=_id,author,step$/, { _id: documentA, author: 'usr-ann', step: 5 });
  const text = `subscription { documentChanged(id: "${documentA}") { riskScore } }`;
  const subscriber = await startSubscriber(gateway, text);
  change(documentA, 2);
  await poll();
  await expect.poll(() => subscriber.results).toHaveLength(2);
  const event = { data: { documentChanged: { riskScore: 5 } } };
  expect(subscriber.results).toEqual([event, event]);
  const read = `GET /api/v2/docForm/${documentA}?fields=_id,author,step`;
  expect(requests).toEqual([pollOf(documentA), read, pollOf(documentA), read]);
});

it('ends a subscription of a team that does not begin in time', async () => {
  const gateway = await startGateway({
    server: { requestTimeoutMs: 50 },
    parts: {
      extendSchema: (builder) =>
        builder.subscriptionField('ticks', (t) =>
          t.int({ subscribe: () => never, resolve: (tick: number) => tick }),
        ),
    },
  });
  const { response } = await subscribe(gateway, 'subscription { ticks }');
  expect(response.status).toBe(504);
});

it('lets other requests run between the events of a subscription that are ready at once', async () => {
  const others = { done: 0 };
  let events = 0;
  const gateway = await startGateway({
    parts: {
      extendSchema: (builder) =>
        builder.subscriptionField('ticks', (t) =>
          t.int({
            async *subscribe() {
              setImmediate(() => (others.done += 1));
              while (others.done === 0 && events < 10_000) yield (events += 1);
            },
            resolve: (tick) => tick,
          }),
        ),
    },
  });
  const subscriber = await subscribe(gateway, 'subscription { ticks }');
  await expect.poll(() => subscriber.isComplete()).toBe(true);
  expect(events).toBeLessThan(100);
});
