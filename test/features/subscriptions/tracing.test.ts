import { describe, expect, it } from 'vitest';
import { spanNamed, startTracing, treesOf } from '../tracing/traced-gateway.ts';
import { documentA, startLive, startSubscriber } from './live-gateway.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

describe('with OpenTelemetry, events', () => {
  it('have a trace for each event of a subscription, linked to its request', async () => {
    const tracing = await startTracing();
    const { gateway, change, poll } = await startLive({ features: [tracing.feature] });
    const changed = `subscription Watch { documentChanged(id: "${documentA}") { state } }`;
    const subscriber = await startSubscriber(gateway, changed);
    change(documentA, 2);
    await poll();
    await expect.poll(() => subscriber.results).toHaveLength(2);
    const all = await tracing.spans(8);
    const call = 'GET /api/v2/docForm/{id}';
    expect(treesOf(all)).toEqual([
      'POST /graphql\n  subscription',
      call,
      `subscription\n  ${call}`,
      call,
      `subscription\n  ${call}`,
    ]);
    const request = spanNamed(all, 'POST /graphql');
    expect(request.attributes['http.response.status_code']).toBe(200);
    const events = all.filter(({ links }) => links.length > 0);
    expect(events).toHaveLength(2);
    for (const { kind, links, traceId: own, attributes } of events) {
      expect(kind).toBe('INTERNAL');
      expect(links).toEqual([{ traceId: request.traceId, spanId: request.spanId }]);
      expect(own).not.toBe(request.traceId);
      expect(attributes).toEqual({
        'graphql.operation.type': 'subscription',
        'graphql.operation.name': 'Watch',
      });
    }
    expect(new Set(all.map(({ traceId: id }) => id)).size).toBe(5);
  });

  it('of a subscription are not exported if its request is not sampled', async () => {
    const { feature, tracing, exported } = await startTracing();
    const { gateway, requests, dms } = await startLive({ features: [feature] });
    const changed = `subscription { documentChanged(id: "${documentA}") { state } }`;
    const traceparent = `00-${traceId}-${parentId}-00`;
    await startSubscriber(gateway, changed, { headers: { traceparent } });
    await tracing.stop(5000);
    expect(requests).toHaveLength(2);
    // The poll belongs to no request.
    expect(exported().map(({ traceId: id }) => id)).not.toContain(traceId);
    expect(exported()).toHaveLength(1);
    expect(dms.received[1]!.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-.*-00$`));
  });

  it('of a subscription show which of them failed', async () => {
    const tracing = await startTracing();
    const { gateway, dms, clock } = await startLive({ features: [tracing.feature] });
    const changed = `subscription { documentChanged(id: "${documentA}") { state } }`;
    const subscriber = await startSubscriber(gateway, changed);
    dms.reply('GET', /docForm/, '', { status: 403 });
    clock.advance(5000);
    await expect.poll(() => subscriber.isComplete()).toBe(true);
    const all = await tracing.spans(7);
    const statuses = all.filter(({ links }) => links.length > 0).map(({ status }) => status);
    expect(statuses).toEqual(['', 'ERROR FORBIDDEN']);
  });
});
