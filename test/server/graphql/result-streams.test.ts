import { describe, expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { ask, nested, startWithDefer, text } from '../../helpers/other-schema.ts';

/** A source of events that counts how often it is opened. */
function source() {
  const state = { runs: 0 };
  async function* subscribe() {
    state.runs += 1;
    yield 1;
  }
  return { state, subscribe };
}

describe('Accept', () => {
  const startCounting = async () => {
    const state = { runs: 0 };
    const run = () => (state.runs += 1);
    const change = { ...nested(() => 'slow'), resolve: () => ({ run: run() }) };
    const gateway = await startWithDefer({ query: { change }, mutation: { change } });
    return { gateway, state };
  };

  it.each([
    ['no supported type', 'image/png'],
    ['q=0 for every type', 'application/json;q=0, text/event-stream;q=0'],
  ])('rejects %s before execution', async (_, accept) => {
    const { gateway, state } = await startCounting();
    const response = await ask(gateway, 'mutation { change { fast } }', accept);
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect(state.runs).toBe(0);
  });

  it.each([
    ['text/event-stream;charset=latin1', 'text/event-stream'],
    ['multipart/mixed;charset=utf-16, text/html', 'multipart/mixed'],
    ['multipart/mixed;q=0, text/event-stream', 'text/event-stream'],
    ['application/json;q=0, text/event-stream', 'text/event-stream'],
  ])('determines the response type: %s', async (accept, answered) => {
    const { gateway, state } = await startCounting();
    const response = await ask(gateway, 'mutation { change { fast } }', accept);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(answered);
    expect(await response.text()).toContain('{"data":{"change":{"fast":"fast"}}}');
    expect(state.runs).toBe(1);
  });

  it.each(['application/json', 'text/event-stream', '*/*'])(
    'rejects subscriptions as %s',
    async (accept) => {
      const gateway = await startWithDefer({}, { features: null });
      const body = await (await ask(gateway, 'subscription { event }', accept)).text();
      expect(body).toContain('"code":"BAD_USER_INPUT"');
      await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['request']);
    },
  );

  it('rejects @defer of a plugin, because no feature executes it', async () => {
    const slow = () => expect.unreachable();
    const gateway = await startWithDefer({ query: { nested: nested(slow) } }, { features: null });
    const document = '{ nested { fast ... @defer { slow } } }';
    const response = await ask(gateway, document, 'multipart/mixed');
    expect(await response.text()).toContain(
      'This gateway does not support `@defer` and `@stream`.',
    );
    await expect.poll(() => gateway.log).toMatchObject([{ outcome: 'BAD_USER_INPUT' }]);
  });

  it('rejects a subscription that a team has added, because no feature executes it', async () => {
    const { state, subscribe } = source();
    const gateway = await startGateway({
      features: null,
      parts: {
        extendSchema: (builder) =>
          builder.subscriptionField('tick', (t) => t.int({ subscribe, resolve: (tick) => tick })),
      },
    });
    const response = await ask(gateway, 'subscription { tick }', 'text/event-stream');
    expect(await response.text()).toContain('This gateway does not support subscriptions.');
    expect(state.runs).toBe(0);
  });
});

describe('MAX_RESPONSE_BYTES', () => {
  const server = { maxResponseBytes: 1000 };
  const long = (): string => 'x'.repeat(1001);

  it.each(['multipart/mixed', 'text/event-stream'])(
    'limits a complete result as %s',
    async (accept) => {
      const gateway = await startWithDefer(
        { query: { long: { ...text, resolve: long } } },
        { server },
      );
      const body = await (await ask(gateway, '{ long }', accept)).text();
      expect(body).toContain('MAX_RESPONSE_BYTES');
      expect(body).not.toContain('xxx');
    },
  );
});
