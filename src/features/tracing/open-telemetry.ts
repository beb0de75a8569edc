import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import { diag, DiagLogLevel, type DiagLogger } from '@opentelemetry/api';
import {
  getBooleanFromEnv,
  getNumberFromEnv,
  getStringFromEnv,
  getStringListFromEnv,
  loggingErrorHandler,
  setGlobalErrorHandler,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { inTime, nodeCodeOf } from '../../model/common.ts';
import type { Log } from '../../server/telemetry/log.ts';
import { CallSpans, type SpanSource } from './call-spans.ts';
import { RequestSpans } from './request-spans.ts';

const name = 'dms-graphql-gateway';

export type Tracing = NonNullable<ReturnType<typeof createTracing>>;

/**
 * Starts tracing with the SDK of OpenTelemetry, which reads its standard variables from the environment. The API's
 * global tracer, context and propagator are not set: the gateway passes spans explicitly, which costs less than
 * asynchronous context.
 */
export function createTracing(
  upstreamUrl: string,
  writeLog: Log['write'],
  proxyFor: (url: string) => string | null = () => null,
) {
  if (getBooleanFromEnv('OTEL_SDK_DISABLED')) return null;
  if (getStringListFromEnv('OTEL_TRACES_EXPORTER')?.includes('none')) return null;
  const endpoints = [ofTraces('ENDPOINT'), getStringFromEnv('OTEL_EXPORTER_OTLP_ENDPOINT')];
  const endpoint = endpoints.find((url) => url !== undefined && URL.canParse(url));
  const proxy = endpoint === undefined ? null : proxyFor(endpoint);
  const exportLog = createExportLog(writeLog, undefined, proxy);
  diag.setLogger(exportLog.logger, {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  setGlobalErrorHandler(exportLog.onError);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: name }))
    .merge(
      detectResources({
        detectors: [
          serviceInstanceIdDetector,
          resourceAttributesEnvDetector,
          serviceNameEnvDetector,
        ],
      }),
    );
  const processor = createProcessor(proxy);
  const tracerWith = (sampler: Sampler) =>
    new TracerProvider({ resource, sampler, spanProcessors: [processor] }).getTracer(name);
  const { hostname, port, protocol } = new URL(upstreamUrl);
  const source: SpanSource = {
    tracer: tracerWith(createSampler()),
    eventTracer: tracerWith(new AlwaysOnSampler()),
    upstream: { address: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) },
  };
  return {
    startRequest: (req: IncomingMessage, route: string | null) =>
      new RequestSpans(source, req, route),
    otherCalls: new CallSpans(source, null),
    async stop(timeoutMs: number): Promise<void> {
      await inTime(processor.shutdown().catch(exportLog.onError), timeoutMs, () => {});
      diag.disable();
      setGlobalErrorHandler(loggingErrorHandler());
    },
  };
}

/*
 * The exporter and the detectors read their variables themselves. Those of the processor and the sampler are read only
 * by @opentelemetry/sdk-node, which brings gRPC and 60 more packages, so they are passed on here as it does.
 */

function createProcessor(proxy: string | null): BatchSpanProcessor {
  const variables = {
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return new BatchSpanProcessor({
    ...Object.fromEntries(given),
    exporter: new OTLPTraceExporter(proxy === null ? {} : { httpAgentOptions: through(proxy) }),
  });
}

/** Options of a connection through a proxy, with what the exporter would read itself without options. */
function through(proxy: string): AgentOptions {
  const read = (name: string): Buffer | undefined => {
    const path = ofTraces(name) ?? getStringFromEnv(`OTEL_EXPORTER_OTLP_${name}`);
    try {
      return path === undefined ? undefined : readFileSync(path);
    } catch {
      diag.error(`cannot read the file of OTEL_EXPORTER_OTLP_${name}`);
      return undefined;
    }
  };
  return {
    keepAlive: true,
    proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    ca: read('CERTIFICATE'),
    cert: read('CLIENT_CERTIFICATE'),
    key: read('CLIENT_KEY'),
  };
}

function ofTraces(name: string): string | undefined {
  return getStringFromEnv(`OTEL_EXPORTER_OTLP_TRACES_${name}`);
}

const samplers: Readonly<Record<string, () => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: () =>
    new TraceIdRatioBasedSampler(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1),
};

function createSampler(): Sampler {
  const wanted = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const root = samplers[wanted.replace(/^parentbased_/, '')]?.();
  if (root !== undefined) {
    return wanted.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  }
  diag.error('unknown OTEL_TRACES_SAMPLER, using default');
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

const intervalMs = 60_000;
const maxReasonLength = 200;

export function createExportLog(
  writeLog: Log['write'],
  now: () => number = () => performance.now(),
  proxy: string | null = null,
) {
  let writtenAt = -Infinity;
  let omitted = 0;
  const report = (reason: string): void => {
    if (now() - writtenAt < intervalMs) {
      omitted += 1;
      return;
    }
    writeLog('warn', 'traces not exported', {
      reason: reason.slice(0, maxReasonLength),
      ...(proxy !== null && { proxy: new URL(proxy).origin }),
      omitted,
    });
    writtenAt = now();
    omitted = 0;
  };
  // The SDK quotes the value of an invalid variable, which can contain a secret.
  const reportTexts = (...parts: unknown[]): void => {
    const texts = parts.filter((part) => typeof part === 'string').join(' ');
    report(texts.replace(/'.*'/s, "'…'"));
  };
  const ignore = (): void => {};
  return {
    onError: (error: unknown): void => report(reasonOf(error)),
    logger: {
      error: reportTexts,
      warn: reportTexts,
      info: ignore,
      debug: ignore,
      verbose: ignore,
    } satisfies DiagLogger,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = nodeCodeOf(error);
  if (typeof code === 'number') return `status ${code}`;
  return typeof code === 'string' ? code : error.message;
}
