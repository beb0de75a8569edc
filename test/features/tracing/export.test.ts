import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createExportLog,
  createTracing,
  type Tracing,
} from '../../../src/features/tracing/open-telemetry.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';
import { startTracing } from './traced-gateway.ts';

const startCollector = async (...args: Parameters<typeof startOtlpReceiver>): Promise<string> =>
  (await startOtlpReceiver(...args)).url;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a span reads of a request
const request = { method: 'POST', headers: {} } as IncomingMessage;

function addSpans(tracing: Tracing, count: number): void {
  for (let i = 0; i < count; i += 1) tracing.startRequest(request, '/x').end(200, 'OK', true);
}

describe('a collector that', () => {
  it.each([
    ['is away', async () => 'http://127.0.0.1:9', /^ECONNREFUSED$/],
    ['never answers', () => startCollector(() => {}), /./],
    [
      'rejects everything',
      () => startCollector((response) => void response.writeHead(400).end('secret'.repeat(999))),
      /^status 400$/,
    ],
    [
      'redirects',
      () => startCollector((response) => void response.writeHead(302, { location: '/' }).end()),
      /^status 302$/,
    ],
    [
      'accepts a part only',
      // partial_success: 7 rejected spans, and a message
      () => startCollector((response) => void response.end('\n\n\x08\x07\x12\x06quota!', 'latin1')),
      /quota!/,
    ],
  ])('%s delays nothing and costs one log line', async (_, startServer, reason) => {
    const { feature, tracing, log } = await startTracing({
      OTEL_EXPORTER_OTLP_ENDPOINT: await startServer(),
      OTEL_EXPORTER_OTLP_TIMEOUT: '500', // shorter than the pause before a retry
    });
    const gateway = await startGateway({ features: [feature] });
    gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'x' });
    const answer = await gateway.query('{ person(id: "usr-ann") { email } }');
    expect(answer.data).toEqual({ person: { email: 'x' } });
    await expect.poll(() => log).toHaveLength(1);
    addSpans(tracing, 1);
    await tracing.stop(5000);
    expect(log).toEqual([
      {
        message: 'traces not exported',
        fields: { reason: expect.stringMatching(reason), omitted: 0 },
      },
    ]);
    expect(JSON.stringify(log)).not.toContain('secret');
    expect(JSON.stringify(log).length).toBeLessThan(400);
  });

  it('never answers costs no more memory than its queue', async () => {
    const held: ServerResponse[] = [];
    const collector = await startOtlpReceiver((response) => void held.push(response));
    const { tracing, log } = await startTracing(
      {
        OTEL_BSP_MAX_QUEUE_SIZE: '20',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
        OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
        OTEL_BSP_EXPORT_TIMEOUT: '60000',
      },
      collector,
    );
    addSpans(tracing, 1000);
    await expect.poll(() => collector.requests).toHaveLength(1);
    await tracing.stop(100);
    // The batch that is in progress, and at shutdown those of the queue.
    await expect.poll(() => collector.requests).toHaveLength(3);
    expect(log).toEqual([]);
    // Exports that failed later would be reported to the next test.
    for (const response of held) response.end();
  });
});

describe('tracing', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['OTEL_SDK_DISABLED', 'TRUE'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ])('is off with %s=%s', (name, value) => {
    vi.stubEnv(name, value);
    expect(createTracing('http://dms.test', () => {})).toBeNull();
  });

  it('uses the defaults for invalid variables, and logs no value of them', async () => {
    const { tracing, collector, log } = await startTracing({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'hunter2',
      OTEL_TRACES_SAMPLER: 'hunter2',
      OTEL_BSP_MAX_QUEUE_SIZE: 'hunter2',
    });
    addSpans(tracing, 1);
    await tracing.stop(5000);
    expect(collector.requests).toHaveLength(1);
    expect(log).toMatchObject([{ message: 'traces not exported' }]);
    expect(JSON.stringify(log)).not.toContain('hunter2');
  });
});

describe('the log of exports', () => {
  it('has at most one line a minute, with the number of those omitted', () => {
    const lines: unknown[] = [];
    let now = 0;
    const log = createExportLog(
      (...line) => void lines.push(line),
      () => now,
    );
    const fail = (at: number): void => {
      now = at;
      log.onError(new Error(`failed at ${at}`));
    };
    fail(0);
    fail(1);
    fail(59_999);
    fail(60_000);
    fail(60_001);
    fail(180_000);
    const line = (at: number, omitted: number) => [
      'warn',
      'traces not exported',
      { reason: `failed at ${at}`, omitted },
    ];
    expect(lines).toEqual([line(0, 0), line(60_000, 2), line(180_000, 1)]);
  });
});
