import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, type GraphQLFieldConfig } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';

const text = { type: GraphQLString };

/** Starts a gateway with another schema and the plugin useDeferStream. */
function start(
  fields: {
    readonly query?: Record<string, GraphQLFieldConfig<unknown, unknown>>;
    readonly mutation?: Record<string, GraphQLFieldConfig<unknown, unknown>>;
  },
  options: TestGatewayOptions = {},
) {
  const { query = { ok: text }, mutation } = fields;
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    ...(mutation && { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation }) }),
  });
  return startGateway({ ...options, parts: { schema, plugins: [useDeferStream()] } });
}

/** A source of events that counts how often it is opened. */
function source() {
  const state = { runs: 0 };
  async function* subscribe() {
    state.runs += 1;
    yield 1;
  }
  return { state, subscribe };
}

function ask(
  gateway: TestGateway,
  query: string,
  accept: string,
  variables: object = {},
): Promise<Response> {
  return gateway.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
  });
}

/** A field `fast` that resolves at once, and `slow` below it, which can be large or fail. */
const nested = (slow: () => unknown) => ({
  type: new GraphQLObjectType({
    name: 'Nested',
    fields: { fast: { ...text, resolve: () => 'fast' }, slow: { ...text, resolve: slow } },
  }),
  resolve: () => ({}),
});

describe('Accept', () => {
  const startCounting = async () => {
    const state = { runs: 0 };
    const run = () => (state.runs += 1);
    const change = { ...nested(() => 'slow'), resolve: () => ({ run: run() }) };
    const gateway = await start({ query: { change }, mutation: { change } });
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
      const gateway = await start({}, { features: null });
      const body = await (await ask(gateway, 'subscription { event }', accept)).text();
      expect(body).toContain('"code":"BAD_USER_INPUT"');
      await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['request']);
    },
  );

  it('rejects @defer of a plugin, because no feature executes it', async () => {
    const slow = () => expect.unreachable();
    const gateway = await start({ query: { nested: nested(slow) } }, { features: null });
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
      const gateway = await start({ query: { long: { ...text, resolve: long } } }, { server });
      const body = await (await ask(gateway, '{ long }', accept)).text();
      expect(body).toContain('MAX_RESPONSE_BYTES');
      expect(body).not.toContain('xxx');
    },
  );
});
