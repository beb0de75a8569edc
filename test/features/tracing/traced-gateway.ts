import { SpanKind, SpanStatusCode, type Attributes } from '@opentelemetry/api';
import { hrTimeToMilliseconds } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, vi } from 'vitest';
import { createTracing, type Tracing } from '../../../src/features/tracing/open-telemetry.ts';
import type { Feature } from '../../../src/server/feature.ts';
import { startOtlpReceiver, type OtlpReceiver } from './otlp-receiver.ts';

/** A span as it was exported. */
export interface ExportedSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if it is the root of its trace. */
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes?: Attributes }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** `OK`, `ERROR` or empty, with the description after a space. */
  readonly status: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Attributes of the process. */
  readonly resource: Attributes;
}

export interface TestTracing {
  readonly tracing: Tracing;
  /** Lets a gateway use this tracing. */
  readonly feature: Feature;
  readonly collector: OtlpReceiver;
  /** Log lines about exports. */
  readonly log: { readonly message: string; readonly fields: unknown }[];
  /** The spans so far. */
  exported(): readonly ExportedSpan[];
  /** Waits until this number of spans has been exported, ends tracing, and returns all spans. */
  spans(count: number): Promise<readonly ExportedSpan[]>;
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
  const exports = vi.spyOn(OTLPTraceExporter.prototype, 'export');
  onTestFinished(() => exports.mockRestore());
  const exported = () => exports.mock.calls.flatMap(([spans]) => spans.map(exportedSpan));
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
    exported,
    async spans(count) {
      await expect.poll(() => exported().length).toBeGreaterThanOrEqual(count);
      await stop();
      expect(exported().map(({ name }) => name)).toHaveLength(count);
      return exported();
    },
  };
}

function exportedSpan(span: ReadableSpan): ExportedSpan {
  const { name, kind, attributes, events, links, status, parentSpanContext } = span;
  const { traceId, spanId } = span.spanContext();
  const code = status.code === SpanStatusCode.UNSET ? '' : SpanStatusCode[status.code];
  return {
    name,
    kind: SpanKind[kind],
    traceId,
    spanId,
    parentSpanId: parentSpanContext?.spanId ?? '',
    attributes,
    events,
    links: links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
    status: `${code} ${status.message ?? ''}`.trim(),
    startedAt: hrTimeToMilliseconds(span.startTime),
    endedAt: hrTimeToMilliseconds(span.endTime),
    resource: span.resource.attributes,
  };
}

/** The spans of each trace as an indented list of names, in the order of their start. Traces are sorted by their roots. */
export function treesOf(spans: readonly ExportedSpan[]): string[] {
  const isKnown = (id: string): boolean => spans.some(({ spanId }) => spanId === id);
  const inOrder = spans.toSorted((a, b) => a.startedAt - b.startedAt);
  const below = (parent: string, depth: number): string[] =>
    inOrder
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .flatMap(({ name, spanId }) => ['  '.repeat(depth) + name, ...below(spanId, depth + 1)]);
  return inOrder
    .filter(({ parentSpanId }) => !isKnown(parentSpanId))
    .map(({ name, spanId }) => [name, ...below(spanId, 1)].join('\n'));
}

/** The only span of this name. */
export function spanNamed(spans: readonly ExportedSpan[], name: string): ExportedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0]!;
}
