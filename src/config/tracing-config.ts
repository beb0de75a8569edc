import type { Setting } from './setting-parsers.ts';
import type { Pairs, tracingSettings } from './tracing-settings.ts';

type Values = {
  [N in keyof typeof tracingSettings]: (typeof tracingSettings)[N] extends Setting<infer T>
    ? T
    : never;
};

/** What is traced, and where spans are sent. Times are in milliseconds. */
export interface TracingConfig {
  /** Complete URL. */
  readonly url: string;
  readonly headers: Pairs;
  readonly timeoutMs: number;
  readonly compression: Values['otlpCompression'];
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly serviceName: string;
  readonly resourceAttributes: Pairs;
  readonly sampler: Values['otelTracesSampler'];
  /** From 0 to 1; for the samplers with a ratio. */
  readonly samplerRatio: number;
  readonly scheduleDelayMs: number;
  readonly exportTimeoutMs: number;
  readonly maxQueueSize: number;
  readonly maxBatchSize: number;
}

/** Whether a variable has a value, valid or not. */
export type IsSet = (name: string) => boolean;

/**
 * Combines the variables of tracing. Null if tracing is off. Adds a problem for each value that the gateway does not
 * support or that contradicts another.
 */
export function tracingFrom(
  values: Values,
  isSet: IsSet,
  problems: string[],
): TracingConfig | null {
  const { otlpEndpoint, otlpTracesEndpoint, otelResourceAttributes } = values;
  const isOff = values.otelSdkDisabled || values.otelTracesExporter === 'none';
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  if (isOff || !endpoints.some(isSet)) return null;
  checkProtocol(values, problems);
  if (isSet('OTEL_BSP_MAX_EXPORT_BATCH_SIZE')) checkBatchSize(values, problems);
  const ca = values.otlpTracesCertificate ?? values.otlpCertificate;
  const cert = values.otlpTracesClientCertificate ?? values.otlpClientCertificate;
  const key = values.otlpTracesClientKey ?? values.otlpClientKey;
  if ((cert === null) !== (key === null)) {
    problems.push(
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY require each other',
    );
  }
  if (otlpEndpoint === null && otlpTracesEndpoint === null) return null; // both are invalid
  return {
    url: otlpTracesEndpoint ?? tracesUrlBelow(otlpEndpoint!),
    headers: { ...values.otlpHeaders, ...values.otlpTracesHeaders },
    timeoutMs: values.otlpTracesTimeoutMs ?? values.otlpTimeoutMs,
    compression: values.otlpTracesCompression ?? values.otlpCompression,
    tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    serviceName:
      values.otelServiceName ?? otelResourceAttributes['service.name'] ?? 'dms-graphql-gateway',
    resourceAttributes: otelResourceAttributes,
    sampler: values.otelTracesSampler,
    samplerRatio: values.otelTracesSamplerArg,
    scheduleDelayMs: values.otelBspScheduleDelayMs,
    exportTimeoutMs: values.otelBspExportTimeoutMs,
    maxQueueSize: values.otelBspMaxQueueSize,
    // Only the default can be above the size of the queue.
    maxBatchSize: Math.min(values.otelBspMaxExportBatchSize, values.otelBspMaxQueueSize),
  };
}

function checkProtocol({ otlpProtocol, otlpTracesProtocol }: Values, problems: string[]): void {
  if ((otlpTracesProtocol ?? otlpProtocol) === 'http/protobuf') return;
  const name = otlpTracesProtocol === null ? 'OTLP' : 'OTLP_TRACES';
  problems.push(
    `OTEL_EXPORTER_${name}_PROTOCOL must be http/protobuf: the gateway supports no other protocol`,
  );
}

function checkBatchSize(
  { otelBspMaxExportBatchSize, otelBspMaxQueueSize }: Values,
  problems: string[],
): void {
  // The default, which replaces an invalid value, must not be compared.
  const isInvalid = problems.some((problem) => problem.startsWith('OTEL_BSP_MAX_'));
  if (isInvalid || otelBspMaxExportBatchSize <= otelBspMaxQueueSize) return;
  problems.push(
    `OTEL_BSP_MAX_EXPORT_BATCH_SIZE must not be above OTEL_BSP_MAX_QUEUE_SIZE, which is ${otelBspMaxQueueSize}`,
  );
}

function tracesUrlBelow(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
