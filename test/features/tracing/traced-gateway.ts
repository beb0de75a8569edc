import { expect, onTestFinished, vi } from 'vitest';
import { createTracing, type Tracing } from '../../../src/features/tracing/open-telemetry.ts';
import type { Feature } from '../../../src/server/feature.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

export interface TestTracing {
  readonly tracing: Tracing;
  /** Lets a gateway use this tracing. */
  readonly feature: Feature;
  readonly collector: OtlpReceiver;
  /** Log lines about exports. */
  readonly log: { readonly message: string; readonly fields: unknown }[];
  /** Waits until the collector has received this number of spans, ends tracing, and returns all spans. */
  spans(count: number): Promise<readonly ReceivedSpan[]>;
}

let lastMs = 0;

/** Spans start at whole milliseconds. Those of one millisecond would have no order, so no millisecond comes twice. */
function separateMilliseconds(): void {
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    lastMs = Math.max(lastMs + 1, Math.floor(performance.timeOrigin + performance.now()));
    return lastMs;
  });
  onTestFinished(() => clock.mockRestore());
}

/** Starts tracing with a collector of its own and variables of OpenTelemetry. The DMS counts as `http://dms.test`. */
export async function startTracing(
  variables: Readonly<Record<`OTEL_${string}`, string>> = {},
  collector?: OtlpReceiver,
): Promise<TestTracing> {
  separateMilliseconds();
  const receiver = collector ?? (await startOtlpReceiver());
  const log: { message: string; fields: unknown }[] = [];
  const defaults = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  };
  for (const [name, value] of Object.entries({ ...defaults, ...variables })) {
    vi.stubEnv(name, value);
  }
  const tracing = createTracing('http://dms.test/base', (_level, message, fields) =>
    log.push({ message, fields }),
  )!;
  vi.unstubAllEnvs();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= tracing.stop(5000));
  onTestFinished(() => tracing.stop(0)); // what is not exported by now is not missed
  return {
    tracing,
    feature: { name: 'tracing', open: async () => ({ observers: [tracing] }) },
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
