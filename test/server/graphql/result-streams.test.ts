import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, type GraphQLFieldConfig } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { openConnection, queryBytes } from '../../helpers/raw-connection.ts';

const text = { type: GraphQLString };

/** Starts a gateway with another schema and the plugin useDeferStream. */
function start(
  fields: {
    readonly query?: Record<string, GraphQLFieldConfig<unknown, unknown>>;
    readonly mutation?: Record<string, GraphQLFieldConfig<unknown, unknown>>;
    readonly subscription?: Record<string, GraphQLFieldConfig<unknown, unknown>>;
  },
  options: TestGatewayOptions = {},
) {
  const { query = { ok: text }, mutation, subscription } = fields;
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    ...(mutation && { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation }) }),
    ...(subscription && {
      subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscription }),
    }),
  });
  return startGateway({ ...options, parts: { schema, plugins: [useDeferStream()] } });
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

/** An endless source that counts its open iterators. */
function source(events: () => unknown) {
  const state = { open: 0 };
  async function* subscribe() {
    state.open += 1;
    try {
      for (;;) {
        yield { event: events() };
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      state.open -= 1;
    }
  }
  return { state, subscribe };
}

/** A field `fast` that resolves at once, and `slow` below it, which can be large or fail. */
const nested = (slow: () => unknown) => ({
  type: new GraphQLObjectType({
    name: 'Nested',
    fields: { fast: { ...text, resolve: () => 'fast' }, slow: { ...text, resolve: slow } },
  }),
  resolve: () => ({}),
});
const deferred = '{ nested { fast ... @defer { slow } } }';

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

  it('rejects @defer if the client accepts no parts', async () => {
    const { gateway, state } = await startCounting();
    const document = '{ change { fast ... @defer { slow } } }';
    const response = await ask(gateway, document, 'application/json');
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect(state.runs).toBe(0);
  });

  it('accepts a disabled @defer without streaming', async () => {
    const { gateway } = await startCounting();
    const document = 'mutation ($on: Boolean!) { change { fast ... @defer(if: $on) { slow } } }';
    const response = await ask(gateway, document, 'application/json', { on: false });
    expect(await response.json()).toEqual({ data: { change: { fast: 'fast', slow: 'slow' } } });
  });

  it('rejects a subscription as multipart/mixed', async () => {
    const { state, subscribe } = source(() => 'x');
    const gateway = await start({ subscription: { event: { ...text, subscribe } } });
    const response = await ask(gateway, 'subscription { event }', 'multipart/mixed');
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
    expect(state.open).toBe(0);
  });

  it.each(['application/json', 'text/event-stream', '*/*'])(
    'rejects subscriptions as %s',
    async (accept) => {
      const gateway = await start({});
      const body = await (await ask(gateway, 'subscription { event }', accept)).text();
      expect(body).toContain('"code":"BAD_USER_INPUT"');
      await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['request']);
    },
  );
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

  it.each(['multipart/mixed', 'text/event-stream'])('limits each part as %s', async (accept) => {
    const gateway = await start({ query: { nested: nested(long) } }, { server });
    const body = await (await ask(gateway, deferred, accept)).text();
    expect(body).toContain('"fast":"fast"');
    expect(body).toMatch(/MAX_RESPONSE_BYTES.*"hasNext":false/);
    expect(body).not.toContain('xxx');
    await expect.poll(() => gateway.log).toMatchObject([{ outcome: 'BAD_USER_INPUT' }]);
  });

  it('limits each event of a subscription', async () => {
    async function* subscribe() {
      yield { event: long() };
      yield { event: 'short' };
    }
    const gateway = await start({ subscription: { event: { ...text, subscribe } } }, { server });
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
    const gateway = await start({ subscription: { event: { ...text, subscribe } } });
    const body = await (await ask(gateway, 'subscription { event }', 'text/event-stream')).text();
    expect(body).toContain('{"data":{"event":"one"}}');
    expect(body).toContain('INTERNAL_SERVER_ERROR');
    expect(body).not.toContain('secret');
    await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['failure', 'request']);
  });

  it.each(['next', 'return'] as const)('does no harm if %s() throws', async (method) => {
    const thrown = (): never => {
      throw new Error('secret of the source');
    };
    let isFirst = true;
    const iterator = {
      next() {
        if (!isFirst) return new Promise(() => {});
        isFirst = false;
        return Promise.resolve({ done: false, value: { event: 'one' } });
      },
      return: () => Promise.resolve({ done: true, value: undefined }),
      [method]: thrown,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const gateway = await start({
      subscription: { event: { ...text, subscribe: () => iterator } },
    });
    const leaving = new AbortController();
    const response = await gateway.fetch('/graphql', {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { event }' }),
    });
    if (method === 'next') expect(await response.text()).toContain('INTERNAL_SERVER_ERROR');
    leaving.abort();
    await expect.poll(() => gateway.log.some(({ msg }) => msg === 'request')).toBe(true);
    expect((await gateway.query('{ ok }')).data).toEqual({ ok: null });
  });

  /** A subscription whose source opens when the test says so. */
  const startOpening = async () => {
    const { state, subscribe } = source(() => 'x');
    const wanted = Promise.withResolvers<void>();
    const mayOpen = Promise.withResolvers<void>();
    const open = async () => {
      wanted.resolve();
      await mayOpen.promise;
      return subscribe();
    };
    const gateway = await start({
      subscription: { event: { ...text, subscribe: open as never } },
    });
    const leaving = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    });
    leaving.on('error', () => {});
    leaving.end(JSON.stringify({ query: 'subscription { event }' }));
    await wanted.promise;
    return { gateway, leaving, mayOpen, state };
  };

  it('leaves no timer when its client disconnects', async () => {
    const requestTimeoutMs = 45_678;
    const started = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const { state, subscribe } = source(() => 'a');
    const gateway = await start(
      { subscription: { event: { ...text, subscribe } } },
      { server: { requestTimeoutMs } },
    );
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const leaving = request(`${gateway.url}/graphql`, { method: 'POST', headers });
    leaving.on('error', () => {});
    leaving.end(JSON.stringify({ query: 'subscription { event }' }));
    const [response] = (await once(leaving, 'response')) as [IncomingMessage];
    await once(response, 'data');
    leaving.destroy();
    await expect.poll(() => state.open).toBe(0);
    expect(await gateway.close()).toBe(true);
    const timers = started.mock.calls.flatMap(([, ms], at) =>
      ms === requestTimeoutMs ? [started.mock.results[at]!.value as unknown] : [],
    );
    const ended = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    expect(timers.filter((timer) => !ended.has(timer))).toEqual([]);
  });

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

describe('the connection of a stream', () => {
  it('is closed if the client does not read', async () => {
    const { state, subscribe } = source(() => 'x'.repeat(100_000));
    const gateway = await start(
      { subscription: { event: { ...text, subscribe } } },
      { server: { requestTimeoutMs: 1000 } },
    );
    const socket = openConnection(gateway.url);
    socket.write(queryBytes('subscription { event }', 'text/event-stream'));
    await once(socket, 'readable');
    expect(state.open).toBe(1);
    await expect.poll(() => state.open).toBe(0);
    socket.destroy();
  });

  it('ends with the stream on request and is not cached', async () => {
    const gateway = await start({ query: { nested: nested(() => 'slow') } });
    const asking = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        connection: 'close',
      },
    });
    asking.end(JSON.stringify({ query: deferred }));
    const [response] = await once(asking, 'response');
    expect(response.headers).toMatchObject({ connection: 'close', 'cache-control': 'no-store' });
    response.resume();
    await once(response, 'end');
  });
});
