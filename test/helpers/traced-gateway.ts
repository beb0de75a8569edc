import { expect, onTestFinished } from 'vitest';
import {
  createTracing,
  type TracingOptions,
} from '../../src/server/telemetry/open-telemetry/index.ts';
import type { Tracing } from '../../src/server/telemetry/tracing.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

export interface TestTracing {
  readonly tracing: Tracing;
  readonly collector: OtlpReceiver;
  /** Log lines about exports. */
  readonly log: { readonly message: string; readonly fields: unknown }[];
  /** Waits until the collector has received this number of spans, ends tracing, and returns all spans. */
  spans(count: number): Promise<readonly ReceivedSpan[]>;
}

/** Starts tracing with a collector of its own. The DMS counts as `http://dms.test`. */
export async function startTracing(
  options: Partial<TracingOptions> = {},
  collector?: OtlpReceiver,
): Promise<TestTracing> {
  const receiver = collector ?? (await startOtlpReceiver());
  const log: { message: string; fields: unknown }[] = [];
  const tracing = createTracing(
    {
      url: `${receiver.url}/v1/traces`,
      headers: {},
      timeoutMs: 5000,
      compression: 'none',
      tls: {},
      serviceName: 'gateway',
      resourceAttributes: {},
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
      scheduleDelayMs: 10,
      exportTimeoutMs: 5000,
      maxQueueSize: 2048,
      maxBatchSize: 512,
      ...options,
    },
    'http://dms.test/base',
    (_level, message, fields) => log.push({ message, fields }),
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= tracing.stop(5000));
  onTestFinished(() => tracing.stop(0)); // what is not exported by now is not missed
  return {
    tracing,
    collector: receiver,
    log,
    async spans(count) {
      await expect.poll(() => receiver.spans.length).toBeGreaterThanOrEqual(count);
      await stop();
      expect(receiver.spans.map(({ name }) => name)).toHaveLength(count);
      return receiver.spans;
    },
  };
}

/** The spans of each trace as an indented list of names, in the order of their start. Traces are sorted by their roots. */
export function treesOf(spans: readonly ReceivedSpan[]): string[] {
  const isKnown = (id: string): boolean => spans.some(({ spanId }) => spanId === id);
  const inOrder = spans.toSorted((a, b) => Number(a.startedAt - b.startedAt));
  const below = (parent: string, depth: number): string[] =>
    inOrder
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .flatMap(({ name, spanId }) => ['  '.repeat(depth) + name, ...below(spanId, depth + 1)]);
  return inOrder
    .filter(({ parentSpanId }) => !isKnown(parentSpanId))
    .map(({ name, spanId }) => [name, ...below(spanId, 1)].join('\n'));
}

/** The only span of this name. */
export function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0]!;
}
