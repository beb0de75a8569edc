import { describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { spanNamed, startTracing, treesOf } from './traced-gateway.ts';

const person = '{ person(id: "usr-ann") { email } }';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

async function startTraced(
  options: TestGatewayOptions = {},
  tracingOptions: Parameters<typeof startTracing>[0] = {},
) {
  const tracing = await startTracing(tracingOptions);
  const gateway = await startGateway({ ...options, features: [tracing.feature] });
  gateway.dms.reply('GET', /\/person\//, ({ path }) => ({
    _id_sys: path.split('/').at(-1),
    email: 'ann@example.com',
  }));
  return { ...tracing, gateway, dms: gateway.dms };
}

describe('an operation', () => {
  it('has a span below its request, and one for each upstream call', async () => {
    const { gateway, dms, spans } = await startTraced();
    dms.reply('GET', /\/docForm\/view\/inbox/, [
      { _id: 'a'.repeat(24), author: 'usr-ann', state: 1 },
      { _id: 'b'.repeat(24), author: 'usr-bob', state: 1 },
    ]);
    const { errors } = await gateway.query(
      'query Inbox { documents(view: INBOX, first: 2) { nodes { author { ... on Person { email } } } } }',
    );
    expect(errors).toBeUndefined();
    const all = await spans(5);
    expect(treesOf(all)).toEqual([
      [
        'POST /graphql',
        '  query',
        '    GET /api/v2/docForm/view/{viewId}',
        '    GET /api/v2/person/{id}',
        '    GET /api/v2/person/{id}',
      ].join('\n'),
    ]);
    expect(spanNamed(all, 'POST /graphql')).toMatchObject({
      kind: 'SERVER',
      status: '',
      events: [],
      attributes: {
        'http.request.method': 'POST',
        'url.scheme': 'http',
        'http.route': '/graphql',
        'http.response.status_code': 200,
      },
    });
    const operation = spanNamed(all, 'query');
    expect(operation).toMatchObject({ kind: 'SERVER', status: '', events: [] });
    expect(operation.attributes).toEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Inbox',
    });
    const call = spanNamed(all, 'GET /api/v2/docForm/view/{viewId}');
    expect(call).toMatchObject({ kind: 'CLIENT', status: '', events: [], links: [] });
    expect(call.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'dms.test',
      'server.port': 80,
      'url.template': '/api/v2/docForm/view/{viewId}',
      'gateway.call': 'documents.inView',
    });
    const sent = dms.received.map(({ headers }) => headers['traceparent'] ?? '');
    const calls = all.filter(({ kind }) => kind === 'CLIENT');
    expect(new Set(sent)).toEqual(
      new Set(calls.map((one) => `00-${one.traceId}-${one.spanId}-01`)),
    );
    expect(dms.received[0]!.headers).not.toHaveProperty('tracestate');
    for (const { startedAt, endedAt } of all) expect(endedAt >= startedAt).toBe(true);
  });

  it('describes the process and how it is configured', async () => {
    const { gateway, spans } = await startTraced(
      {},
      {
        OTEL_SERVICE_NAME: 'documents',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      },
    );
    await gateway.query('{ __typename }');
    const [span] = await spans(2);
    expect(span!.resource).toMatchObject({
      'service.name': 'documents',
      'deployment.environment.name': 'test',
      'telemetry.sdk.language': 'nodejs',
      'service.instance.id': expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it('has a name of at most 64 characters', async () => {
    const { gateway, spans } = await startTraced();
    await gateway.query(`query ${'x'.repeat(1000)} { __typename }`);
    const { attributes } = spanNamed(await spans(2), 'query');
    expect(attributes['graphql.operation.name']).toBe('x'.repeat(64));
  });

  it('is traced apart from concurrent operations of others', async () => {
    const { gateway, spans } = await startTraced();
    const names = ['ann', 'bob', 'cid', 'dan'];
    await Promise.all(
      names.map((name) =>
        gateway.query(
          `query ${name} { a: person(id: "usr-${name}-1") { email } b: person(id: "usr-${name}-2") { email } }`,
        ),
      ),
    );
    const all = await spans(16);
    const tree = ['POST /graphql', '  query', ...Array(2).fill('    GET /api/v2/person/{id}')];
    expect(treesOf(all)).toEqual(names.map(() => tree.join('\n')));
    expect(new Set(all.map((span) => span.traceId)).size).toBe(4);
  });
});

describe('the trace of the client', () => {
  it('is continued by the gateway and in the DMS, without baggage', async () => {
    const { gateway, dms, spans } = await startTraced();
    await gateway.query(
      person,
      {},
      {
        traceparent: `00-${traceId}-${parentId}-01`,
        tracestate: 'vendor=opaque, bad key=x, other=1',
        baggage: 'user=ann',
      },
    );
    const all = await spans(3);
    expect(all.every((span) => span.traceId === traceId)).toBe(true);
    expect(spanNamed(all, 'POST /graphql').parentSpanId).toBe(parentId);
    const call = spanNamed(all, 'GET /api/v2/person/{id}');
    const [{ headers } = { headers: {} }] = dms.received;
    expect(headers).toMatchObject({
      traceparent: `00-${traceId}-${call.spanId}-01`,
      tracestate: 'vendor=opaque,other=1',
    });
    expect(headers).not.toHaveProperty('baggage');
  });

  it('is not exported but continued if it is not sampled', async () => {
    const { gateway, dms, exported, tracing } = await startTraced();
    const traceparent = `00-${traceId}-${parentId}-00`;
    expect((await gateway.query(person, {}, { traceparent })).status).toBe(200);
    await expect.poll(() => gateway.log).toHaveLength(1);
    await tracing.stop(5000);
    expect(exported()).toEqual([]);
    const sent = dms.received[0]!.headers['traceparent'];
    expect(sent).toMatch(new RegExp(`^00-${traceId}-(?!${parentId})[\\da-f]{16}-00$`));
    expect(gateway.log[0]).toMatchObject({ trace_id: traceId, trace_flags: '00' });
  });

  it.each([
    ['always_off', '1', 0],
    ['traceidratio', '0', 0],
    ['traceidratio', '', 3],
    ['parentbased_always_off', '1', 3],
    ['parentbased_traceidratio', '0', 3],
    ['always_on', '1', 3],
  ])('is sampled with %s of %s as %d spans', async (sampler, ratio, count) => {
    const { gateway, exported, tracing } = await startTraced(
      {},
      { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio },
    );
    await gateway.query(person, {}, { traceparent: `00-${traceId}-${parentId}-01` });
    await expect.poll(() => gateway.log).toHaveLength(1);
    await tracing.stop(5000);
    expect(exported()).toHaveLength(count);
  });
});

describe('log lines', () => {
  it('name the trace and the span of their request', async () => {
    const { gateway, dms, spans } = await startTraced();
    dms.reply('GET', /\/person\//, '', { status: 500 });
    await gateway.query(person);
    const { traceId: id, spanId } = spanNamed(await spans(3), 'POST /graphql');
    const position = { trace_id: id, span_id: spanId, trace_flags: '01' };
    expect(gateway.log).toEqual([
      expect.objectContaining({ msg: 'failure', ...position }),
      expect.objectContaining({ msg: 'request', ...position }),
    ]);
  });
});

describe('a failed operation', () => {
  it('has the code of its first error, and the status of the DMS at the call', async () => {
    const { gateway, dms, spans } = await startTraced();
    dms.reply('GET', /\/person\//, '', { status: 500 });
    expect((await gateway.query(person)).status).toBe(200);
    const all = await spans(3);
    expect(spanNamed(all, 'GET /api/v2/person/{id}')).toMatchObject({
      status: 'ERROR',
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    });
    expect(spanNamed(all, 'query')).toMatchObject({
      status: 'ERROR UPSTREAM_ERROR',
      attributes: { 'error.type': 'UPSTREAM_ERROR' },
    });
    const request = spanNamed(all, 'POST /graphql');
    expect(request).toMatchObject({ status: '' });
    expect(request.attributes).not.toHaveProperty('error.type');
  });

  it('has a span for each attempt', async () => {
    const { gateway, dms, spans } = await startTraced({ http: { retries: 2 } });
    let attempts = 0;
    dms.reply('GET', /\/person\//, () => {
      attempts += 1;
      if (attempts === 1) throw new Error('reset');
      return { _id_sys: 'usr-ann', email: 'x' };
    });
    expect((await gateway.query(person)).data).toEqual({ person: { email: 'x' } });
    const all = await spans(4);
    const calls = all.filter(({ kind }) => kind === 'CLIENT');
    expect(calls.map(({ status, attributes }) => [status, attributes])).toEqual([
      [
        'ERROR UPSTREAM_UNAVAILABLE',
        expect.objectContaining({ 'error.type': 'UPSTREAM_UNAVAILABLE' }),
      ],
      [
        '',
        expect.objectContaining({
          'http.request.resend_count': 1,
          'http.response.status_code': 200,
        }),
      ],
    ]);
    expect(calls[0]!.attributes).not.toHaveProperty('http.request.resend_count');
    expect(spanNamed(all, 'query').status).toBe('');
  });

  it('shows at the request that it was rejected before it was an operation', async () => {
    const { gateway, spans } = await startTraced();
    const accept = 'application/graphql-response+json';
    expect((await gateway.query('{ nothing }', {}, { accept })).status).toBe(400);
    const [request] = await spans(1);
    expect(request).toMatchObject({
      name: 'POST /graphql',
      status: '',
      attributes: { 'http.response.status_code': 400, 'error.type': 'GRAPHQL_VALIDATION_FAILED' },
    });
  });

  it('has CANCELLED and no status if the client disconnects', async () => {
    const { gateway, dms, spans } = await startTraced();
    dms.reply('GET', /\/person\//, () => new Promise(() => {}));
    const leaving = new AbortController();
    const response = gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: person }),
      signal: leaving.signal,
    });
    response.catch(() => {});
    await expect.poll(() => dms.requests).toHaveLength(1);
    leaving.abort();
    const all = await spans(3);
    expect(all.map(({ status }) => status)).toEqual(Array(3).fill('ERROR CANCELLED'));
    for (const { attributes } of all) {
      expect(attributes['error.type']).toBe('CANCELLED');
      expect(attributes).not.toHaveProperty('http.response.status_code');
    }
  });

  it('is an error of the request if the gateway answers with 5xx', async () => {
    const { gateway, dms, spans } = await startTraced();
    dms.reply('GET', /\/file\//, '', { status: 500 });
    expect((await gateway.fetch('/files/documents/d/f')).status).toBe(502);
    const request = spanNamed(await spans(2), 'GET /files/documents/{document}/{file}');
    expect(request).toMatchObject({
      status: 'ERROR UPSTREAM_ERROR',
      attributes: { 'http.response.status_code': 502, 'error.type': 'UPSTREAM_ERROR' },
    });
  });

  it.each(['/healthz', '/readyz', '/metrics', '/unknown'])(
    'has no trace at %s, where probes come',
    async (path) => {
      const { gateway, exported, tracing } = await startTraced();
      await (await gateway.fetch(path)).text();
      await tracing.stop(5000);
      expect(exported()).toEqual([]);
    },
  );
});

describe('reads without a request', () => {
  it('are events of the operation', async () => {
    const { gateway, dms, spans } = await startTraced({ http: { cacheTtlMs: 60_000 } });
    await gateway.query(person);
    await gateway.query(person);
    expect(dms.requests).toHaveLength(1);
    const all = await spans(5);
    const operations = all.filter(({ name }) => name === 'query');
    expect(operations[0]!.events).toEqual([]);
    expect(operations[1]).toMatchObject({
      events: [
        {
          name: 'gateway.read.cached',
          attributes: { 'gateway.resource': 'persons', 'gateway.cache': 'memory' },
        },
      ],
      attributes: { 'gateway.reads.cached': 1 },
    });
  });

  it('name the shared cache if the answer came from there', async () => {
    const response = { body: { _id_sys: 'usr-ann' }, headers: {}, bytes: 9, request: 'GET /' };
    const read = async () => ({ cached: { response, leftMs: 1000 }, store() {} });
    const { gateway, spans } = await startTraced({
      http: { cacheTtlMs: 60_000, sharedCache: { name: 'redis', read } },
    });
    await gateway.query(person);
    const [event] = spanNamed(await spans(2), 'query').events;
    expect(event!.attributes).toEqual({
      'gateway.resource': 'persons',
      'gateway.cache': 'redis',
    });
  });

  it('are only counted beyond 100', async () => {
    const { gateway, dms, spans } = await startTraced({ http: { cacheTtlMs: 60_000 } });
    const nodes = Array.from({ length: 120 }, (_, i) => ({
      _id: String(i).padStart(24, '0'),
      author: `usr-${i}`,
    }));
    dms.reply('GET', /\/docForm\/view\//, ({ path }) => {
      const query = new URLSearchParams(path.split('?')[1]);
      const first = Number(query.get('first'));
      return nodes.slice(first, first + Number(query.get('pageSize')));
    });
    const page =
      '{ documents(view: INBOX, first: 120) { nodes { author { ... on Person { email } } } } }';
    expect((await gateway.query(`query Cold ${page}`)).errors).toBeUndefined();
    expect((await gateway.query(`query Warm ${page}`)).errors).toBeUndefined();
    expect(dms.requests).toHaveLength(2 + 120 + 2);
    const all = await spans(4 + dms.requests.length);
    const warm = all.find(({ attributes }) => attributes['graphql.operation.name'] === 'Warm')!;
    expect(warm.events).toHaveLength(100);
    expect(warm.attributes['gateway.reads.cached']).toBe(120);
  });

  it('join the request of another operation', async () => {
    const { gateway, dms, spans } = await startTraced();
    const asked = Promise.withResolvers<void>();
    dms.reply('GET', /\/person\//, async () => {
      await asked.promise;
      return { _id_sys: 'usr-ann', email: 'x' };
    });
    const answers = [gateway.query(`query A ${person}`), gateway.query(`query B ${person}`)];
    await expect
      .poll(async () => gateway.metrics.text())
      .toMatch(/^gateway_cache_reads_total\{outcome="shared"\} 1$/m);
    asked.resolve();
    await Promise.all(answers);
    const all = await spans(5);
    const [, joined] = all
      .filter(({ name }) => name === 'query')
      .toSorted((a, b) => a.events.length - b.events.length);
    expect(joined).toMatchObject({
      events: [
        {
          name: 'gateway.read.shared',
          attributes: { 'url.template': '/api/v2/person/{id}', 'gateway.call': 'persons.get' },
        },
      ],
      attributes: { 'gateway.reads.shared': 1 },
    });
  });
});
