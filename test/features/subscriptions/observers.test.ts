import { describe, expect, it } from 'vitest';
import { documentA, startLive, startSubscriber } from './live-gateway.ts';

describe('what observes a subscription', () => {
  it('lists the calls of each event of a subscription', async () => {
    const { gateway, change, poll } = await startLive();
    const changed = `subscription { documentChanged(id: "${documentA}") { state } }`;
    const subscriber = await startSubscriber(gateway, changed, {
      headers: { 'x-upstream-trace': '1' },
    });
    change(documentA, 2);
    await poll();
    await expect.poll(() => subscriber.results).toHaveLength(2);
    const upstream = [{ route: 'GET /api/v2/docForm/{id}', fields: ['_id', 'state'], status: 200 }];
    for (const { extensions } of subscriber.results) {
      expect(extensions.upstream).toHaveLength(1);
      expect(extensions).toMatchObject({ upstream });
    }
    const silent = await startSubscriber(gateway, changed);
    expect(silent.results[0]).not.toHaveProperty('extensions');
  });
});
