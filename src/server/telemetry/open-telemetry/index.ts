import { randomUUID } from 'node:crypto';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { loggingErrorHandler, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Log } from '../log.ts';
import type { Tracing } from '../tracing.ts';
import { createExportLog } from './export-log.ts';
import { CallSpans } from './call-spans.ts';
import { RequestSpans } from './request-spans.ts';
import type { SpanSource } from './span-source.ts';

type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** What is traced, and where spans are sent. Times are in milliseconds. docs/settings.md describes the variables. */
export interface TracingOptions {
  /** Complete URL of the collector's OTLP endpoint for traces (HTTP with protobuf). */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit of one export, including its retries. */
  readonly timeoutMs: number;
  readonly compression: 'gzip' | 'none';
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** Fraction of traces that the samplers with a ratio select, from 0 to 1. */
  readonly samplerRatio: number;
  readonly scheduleDelayMs: number;
  readonly exportTimeoutMs: number;
  /** Maximum number of spans that wait. Further spans are dropped. */
  readonly maxQueueSize: number;
  readonly maxBatchSize: number;
}

type ExporterOptions = NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>;

/** Batches besides those of a full queue that can be in progress: the current one, and one that timed out. */
const extraExports = 2;

/**
 * Starts tracing with the SDK of OpenTelemetry. All values are passed to the SDK, so that it does not use its own
 * interpretation of the environment. The API's global tracer, context and propagator are not set: the gateway passes
 * spans explicitly, which costs less than asynchronous context.
 *
 * This module is loaded only if tracing is on.
 *
 * @param upstreamUrl base URL of the DMS; spans contain its host and port
 */
export function createTracing(
  options: TracingOptions,
  upstreamUrl: string,
  writeLog: Log['write'],
): Tracing {
  const exportLog = createExportLog(writeLog);
  diag.setLogger(exportLog.logger, {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  setGlobalErrorHandler(exportLog.onError);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_INSTANCE_ID]: randomUUID() }))
    .merge(resourceFromAttributes(options.resourceAttributes))
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: options.serviceName }));
  const processor = createProcessor(options);
  const tracerWith = (sampler: Sampler) =>
    new TracerProvider({ resource, sampler, spanProcessors: [processor] }).getTracer(
      'dms-graphql-gateway',
    );
  const { hostname, port, protocol } = new URL(upstreamUrl);
  const source: SpanSource = {
    tracer: tracerWith(samplerOf(options)),
    eventTracer: tracerWith(new AlwaysOnSampler()),
    upstream: { address: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) },
  };
  return {
    startRequest: (req, route) => new RequestSpans(source, req, route),
    polls: new CallSpans(source, null),
    async stop(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([processor.shutdown().catch(exportLog.onError), timeout]);
      clearTimeout(timer);
      diag.disable();
      setGlobalErrorHandler(loggingErrorHandler());
    },
  };
}

function createProcessor(options: TracingOptions): BatchSpanProcessor {
  const { maxQueueSize, maxBatchSize } = options;
  const exporter = new OTLPTraceExporter({
    url: options.url,
    headers: { ...options.headers },
    timeoutMillis: options.timeoutMs,
    // The values of the enum are these words. Its package is not a dependency of the gateway.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    compression: options.compression as ExporterOptions['compression'] & string,
    // At shutdown all batches of the queue are exported at once.
    concurrencyLimit: Math.ceil(maxQueueSize / maxBatchSize) + extraExports,
    httpAgentOptions: { keepAlive: true, ...options.tls },
  });
  return new BatchSpanProcessor({
    exporter,
    maxQueueSize,
    maxExportBatchSize: maxBatchSize,
    scheduledDelayMillis: options.scheduleDelayMs,
    exportTimeoutMillis: options.exportTimeoutMs,
  });
}

function samplerOf({ sampler, samplerRatio }: TracingOptions): Sampler {
  const name = sampler.replace(/^parentbased_/, '');
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(samplerRatio);
  return name === sampler ? root : new ParentBasedSampler({ root });
}
