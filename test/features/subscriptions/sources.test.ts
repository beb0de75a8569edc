import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type TestGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { ask, startWithFields, text } from '../../helpers/other-schema.ts';

/* Subscriptions of another schema, whose events are not those of the gateway. */

const start = (
  subscription: Parameters<typeof startWithFields>[0]['subscription'] & object,
  options: TestGatewayOptions = {},
): Promise<TestGateway> => startWithFields({ subscription }, options);

describe('a subscription', () => {
  it('has a limit of bytes for each event', async () => {
    async function* subscribe() {
      yield { event: 'x'.repeat(1001) };
      yield { event: 'short' };
    }
    const gateway = await start(
      { event: { ...text, subscribe } },
      { server: { maxResponseBytes: 1000 } },
    );
    const body = await (await ask(gateway, 'subscription { event }', 'text/event-stream')).text();
    expect(body).toContain('MAX_RESPONSE_BYTES');
    expect(body).not.toContain('xxx');
    expect(body).toContain('{"data":{"event":"short"}}');
  });
});

describe('a source', () => {
  it('is masked, logged and closed if it fails', async () => {
    async function* subscribe() {
      yield { event: 'one' };
      throw new Error('secret of the source');
    }
    const gateway = await start({ event: { ...text, subscribe } });
    const body = await (await ask(gateway, 'subscription { event }', 'text/event-stream')).text();
    expect(body).toContain('{"data":{"event":"one"}}');
    expect(body).toContain('INTERNAL_SERVER_ERROR');
    expect(body).not.toContain('secret');
    await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['failure', 'request']);
  });

  /** A subscription whose source opens when the test says so. */
  const startOpening = async () => {
    const state = { open: 0 };
    async function* subscribe() {
      state.open += 1;
      try {
        for (;;) {
          yield { event: 'x' };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        state.open -= 1;
      }
    }
    const wanted = Promise.withResolvers<void>();
    const mayOpen = Promise.withResolvers<void>();
    const open = async () => {
      wanted.resolve();
      await mayOpen.promise;
      return subscribe();
    };
    const gateway = await start({ event: { ...text, subscribe: open as never } });
    const leaving = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    });
    leaving.on('error', () => {});
    leaving.end(JSON.stringify({ query: 'subscription { event }' }));
    await wanted.promise;
    return { gateway, leaving, mayOpen, state };
  };

  it('that opens after its client disconnected is closed', async () => {
    const { gateway, leaving, mayOpen, state } = await startOpening();
    leaving.destroy();
    await expect.poll(() => gateway.log.length).toBe(1);
    mayOpen.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    await expect.poll(() => state.open).toBe(0);
    expect(await gateway.close(5000)).toBe(true);
  });

  it('that opens during shutdown is closed', async () => {
    const { gateway, leaving, mayOpen, state } = await startOpening();
    const closed = gateway.close(5000);
    mayOpen.resolve();
    const [response] = await once(leaving, 'response');
    response.resume();
    expect(await closed).toBe(true);
    expect(state.open).toBe(0);
  });
});
