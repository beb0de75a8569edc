import { Gauge } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createMetrics, type MetricsSnapshot } from '../../../src/server/telemetry/metrics.ts';
import { readVersion } from '../../../src/server/telemetry/version.ts';
import { startGateway, startGatewayOnSandbox } from '../../helpers/gateway.ts';

/** Samples by name and labels. */
async function samples(metrics: { text(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const person = 'query Who { person(id: "usr-ann") { email } }';

describe('/metrics', () => {
  it('counts requests and calls', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann', email: 'x' });
    gateway.dms.reply('GET', '/api/v2/person/usr-bob', '', { status: 500 });
    await gateway.query(person);
    await gateway.query('{ person(id: "usr-bob") { email } }');
    await gateway.query('{ nothing }');
    await gateway.fetch('/files/documents/a');
    await gateway.fetch('/nowhere');

    const response = await gateway.fetch('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    await response.text();
    const found = await samples(gateway.metrics);
    const route = 'route="GET /api/v2/person/{id}"';
    expect(Object.fromEntries(found)).toMatchObject({
      'gateway_requests_total{type="query",outcome="OK"}': 1,
      'gateway_requests_total{type="query",outcome="UPSTREAM_ERROR"}': 1,
      'gateway_requests_total{type="graphql",outcome="GRAPHQL_VALIDATION_FAILED"}': 1,
      'gateway_requests_total{type="file",outcome="NOT_FOUND"}': 1,
      'gateway_requests_total{type="other",outcome="NOT_FOUND"}': 1,
      'gateway_request_duration_seconds_count{type="query"}': 2,
      [`gateway_upstream_calls_total{${route},status="200"}`]: 1,
      [`gateway_upstream_calls_total{${route},status="500"}`]: 1,
      [`gateway_upstream_call_duration_seconds_count{${route}}`]: 2,
      gateway_upstream_calls_in_flight: 0,
      gateway_upstream_open_circuits: 0,
    });
  });

  it('has no labels from clients', async () => {
    const gateway = await startGateway();
    const hostile = 'hostile';
    await gateway.query(
      `query ${hostile} { person(id: "${hostile}") { email } }`,
      {},
      {
        'x-request-id': hostile,
        'user-agent': hostile,
      },
    );
    await gateway.fetch(`/files/documents/${hostile}/${hostile}`, { headers: { range: hostile } });
    await gateway.fetch(`/${hostile}`);
    expect(await gateway.metrics.text()).not.toContain(hostile);
  });

  it('names version and commit', async () => {
    const { version, commit } = readVersion();
    const text = await createMetrics({ process: false }).text();
    const labels = `version="${version}",commit="${commit}"`;
    expect(text).toContain(`\ngateway_build_info{${labels}} 1\n`);
  });

  it('counts hits in a shared cache under its name', async () => {
    const response = { body: { _id_sys: 'usr-a' }, headers: {}, bytes: 9, request: 'GET /' };
    const read = async () => ({ cached: { response, leftMs: 1000 }, store() {} });
    const sharedCache = { name: 'far', read };
    const gateway = await startGateway({ http: { cacheTtlMs: 60_000, sharedCache } });
    await gateway.query('{ person(id: "usr-a") { email } }');
    const text = await gateway.metrics.text();
    expect(text).toContain('gateway_cache_reads_total{outcome="far"} 1\n');
    expect(text).toContain('gateway_cache_reads_total{outcome="miss"} 0\n');
    expect(gateway.dms.requests).toEqual([]);
  });

  it('counts retries, cache hits and shared reads', async () => {
    const gateway = await startGateway({ http: { retries: 1, cacheTtlMs: 60_000 } });
    let asked = 0;
    gateway.dms.reply('GET', /person/, () => {
      asked += 1;
      if (asked === 1) throw new Error('reset');
      return { _id_sys: 'usr-ann', email: 'x' };
    });
    await gateway.query(person);
    await gateway.query(person);
    const found = await samples(gateway.metrics);
    expect(found.get('gateway_upstream_retries_total{route="GET /api/v2/person/{id}"}')).toBe(1);
    expect(found.get('gateway_cache_reads_total{outcome="miss"}')).toBe(1);
    expect(found.get('gateway_cache_reads_total{outcome="hit"}')).toBe(1);
  });

  it('counts the bytes of a download', async () => {
    const gateway = await startGatewayOnSandbox();
    const { data } = await gateway.query(
      '{ documents(view: ALL, first: 5) { nodes { files { url } } } }',
    );
    const { url } = data.documents.nodes.flatMap(({ files }: { files: unknown[] }) => files)[0];
    const bytes = (await (await fetch(url)).arrayBuffer()).byteLength;
    const found = await samples(gateway.metrics);
    expect(found.get('gateway_file_bytes_total{direction="download"}')).toBe(bytes);
    expect(found.get('gateway_requests_total{type="file",outcome="OK"}')).toBe(1);
  });
});

describe('the metrics of several workers', () => {
  const finished = { kind: 'file', operationType: null, outcome: 'OK' } as never;
  const others = async () => [];

  /** What a worker sends after `requests` requests, of which one is still running. */
  async function sent(number: number, requests: number) {
    const metrics = createMetrics({ process: number === 1, worker: { number, others } });
    metrics.requestsInFlight.set(1);
    for (let n = 1; n < requests; n += 1) metrics.requestFinished(finished, 20);
    metrics.observer.circuitsChanged(number);
    return JSON.parse(JSON.stringify(await metrics.snapshot())) as MetricsSnapshot;
  }

  it('are labelled with the worker number', async () => {
    const theirs = [await sent(1, 2), await sent(3, 5)];
    const worker = { number: 2, others: async () => theirs };
    const metrics = createMetrics({ process: false, worker });
    metrics.requestsInFlight.set(1);
    for (let n = 1; n < 3; n += 1) metrics.requestFinished(finished, 20);
    const found = await samples(metrics);
    const labels = 'type="file",outcome="OK"';
    expect(Object.fromEntries(found)).toMatchObject({
      [`gateway_requests_total{${labels},worker="1"}`]: 1,
      [`gateway_requests_total{${labels},worker="2"}`]: 2,
      [`gateway_requests_total{${labels},worker="3"}`]: 4,
      'gateway_request_duration_seconds_count{type="file",worker="3"}': 4,
      'gateway_request_duration_seconds_bucket{le="0.025",type="file",worker="3"}': 4,
      'gateway_request_duration_seconds_bucket{le="0.01",type="file",worker="3"}': 0,
      'gateway_requests_in_flight{worker="2"}': 1,
      'gateway_upstream_open_circuits{worker="3"}': 3,
      'process_start_time_seconds{worker="1"}': expect.any(Number),
    });
    for (const name of found.keys()) expect(name).toMatch(/worker="\d"/);
  });

  it('omit values that are not numbers', async () => {
    const { registry, snapshot } = createMetrics({ process: false, worker: { number: 1, others } });
    // oxlint-disable-next-line no-new -- prom-client registers it on construction
    new Gauge({ name: 'lag', help: 'x', registers: [registry] }).set(NaN);
    const [lag] = (await snapshot()).filter(({ name }) => name === 'lag');
    expect(lag?.values).toEqual([]);
  });
});
