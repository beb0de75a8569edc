import { readFileSync } from 'node:fs';
import { integer, maxDurationMs, oneOf, text, type Setting } from './setting-parsers.ts';

const positiveMs = [1, maxDurationMs] as const;
const compressions = ['gzip', 'none'] as const;
const protocols = ['http/protobuf', 'http/json', 'grpc'] as const;

/**
 * The standard variables of OpenTelemetry that concern traces. The variables with `TRACES` in their name take
 * precedence over those without.
 *
 * The exporter would read some of them from the environment by itself and ignore invalid values. It gets all values
 * from here instead, so that invalid ones are reported at start.
 */
export const tracingSettings = {
  otlpEndpoint: collectorUrl(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Base URL of an OpenTelemetry collector. Traces are sent to `/v1/traces` below it. Unset: no tracing.',
  ),
  otlpTracesEndpoint: collectorUrl(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Complete URL for traces. Takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT.',
  ),
  otelSdkDisabled: trueFalse('OTEL_SDK_DISABLED', '`true` turns tracing off.'),
  otelTracesExporter: oneOf(
    'OTEL_TRACES_EXPORTER',
    'otlp',
    ['otlp', 'none'],
    'Trace exporter: otlp or none. `none` turns tracing off.',
  ),
  otelServiceName: text(
    'OTEL_SERVICE_NAME',
    null,
    'Name of the service in traces. Unset: `service.name` of OTEL_RESOURCE_ATTRIBUTES, otherwise dms-graphql-gateway.',
  ),
  otelResourceAttributes: pairs(
    'OTEL_RESOURCE_ATTRIBUTES',
    /^[\x21-\x7e]+$/,
    /./su,
    'Attributes of the process in traces: `key=value` pairs, comma-separated, values percent-encoded.',
  ),
  otelTracesSampler: oneOf(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    'Which requests are traced: always_on, always_off, traceidratio, or one of these after `parentbased_`.',
  ),
  otelTracesSamplerArg: ratio(
    'OTEL_TRACES_SAMPLER_ARG',
    'Fraction of the requests that the traceidratio samplers select, from 0 to 1. The other samplers ignore it.',
  ),
  otlpProtocol: oneOf(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'http/protobuf',
    protocols,
    'Protocol of the collector. Must be http/protobuf if tracing is on.',
  ),
  otlpTracesProtocol: oneOf(
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    null,
    protocols,
    'The same for traces only.',
  ),
  otlpHeaders: headers(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Request headers for the collector: `name=value` pairs, comma-separated, values percent-encoded.',
  ),
  otlpTracesHeaders: headers(
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    'Additional headers for traces only.',
  ),
  otlpTimeoutMs: integer(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    positiveMs,
    'Timeout of a request to the collector, including its retries.',
  ),
  otlpTracesTimeoutMs: integer(
    'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
    null,
    positiveMs,
    'The same for traces only.',
  ),
  otlpCompression: oneOf(
    'OTEL_EXPORTER_OTLP_COMPRESSION',
    'none',
    compressions,
    'Compression of requests to the collector: gzip or none.',
  ),
  otlpTracesCompression: oneOf(
    'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION',
    null,
    compressions,
    'The same for traces only.',
  ),
  otlpCertificate: pemFile(
    'OTEL_EXPORTER_OTLP_CERTIFICATE',
    'Path of a PEM file with the certificate authorities of the collector. Unset: those of Node.',
  ),
  otlpTracesCertificate: pemFile(
    'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE',
    'The same for traces only.',
  ),
  otlpClientCertificate: pemFile(
    'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    'Path of a PEM file with the client certificate for the collector.',
  ),
  otlpTracesClientCertificate: pemFile(
    'OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE',
    'The same for traces only.',
  ),
  otlpClientKey: pemFile(
    'OTEL_EXPORTER_OTLP_CLIENT_KEY',
    'Path of a PEM file with the private key of the client certificate.',
  ),
  otlpTracesClientKey: pemFile('OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY', 'The same for traces only.'),
  otelBspScheduleDelayMs: integer(
    'OTEL_BSP_SCHEDULE_DELAY',
    5000,
    positiveMs,
    'Maximum time that a span waits before it is sent.',
  ),
  otelBspExportTimeoutMs: integer(
    'OTEL_BSP_EXPORT_TIMEOUT',
    30_000,
    positiveMs,
    'Time after which the next spans are sent although the collector has not answered.',
  ),
  otelBspMaxQueueSize: integer(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    2048,
    [1, 1_000_000],
    'Maximum number of spans that wait to be sent. Further spans are dropped.',
  ),
  otelBspMaxExportBatchSize: integer(
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    512,
    [1, 1_000_000],
    'Maximum number of spans per request to the collector. At most OTEL_BSP_MAX_QUEUE_SIZE.',
  ),
} as const;

/** A name and value per member, as OpenTelemetry's variables list them. */
export type Pairs = Readonly<Record<string, string>>;

/** Error messages never contain the URL, whose path and query can contain a key. */
function collectorUrl(name: string, description: string): Setting<string | null> {
  const read = (value: string): string => {
    const url = URL.parse(value);
    if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
      throw new Error('must be an http:// or https:// URL without user name and password');
    return url.href;
  };
  return { name, read, fallback: null, defaultText: '', description };
}

/** The two values of a switch in OpenTelemetry's variables, in any case. */
function trueFalse(name: string, description: string): Setting<boolean> {
  const read = (value: string): boolean => {
    const lower = value.trim().toLowerCase();
    if (lower === 'true' || lower === 'false') return lower === 'true';
    throw new Error(`must be true or false, not "${value.slice(0, 40)}"`);
  };
  return {
    name,
    read,
    fallback: false,
    defaultText: 'false',
    rangeText: 'true, false',
    description,
  };
}

function ratio(name: string, description: string): Setting<number> {
  const read = (value: string): number => {
    const number = Number(value);
    if (/^\d*\.?\d+(?:e-\d+)?$/i.test(value) && number <= 1) return number;
    throw new Error(`must be a number from 0 to 1, not "${value.slice(0, 40)}"`);
  };
  return { name, read, fallback: 1, defaultText: '1', rangeText: '0 to 1', description };
}

/** Header values are credentials, so error messages never contain them. */
function headers(name: string, description: string): Setting<Pairs> {
  return pairs(
    name,
    /^[\w!#$%&'*+.^`|~-]+$/,
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    description,
  );
}

/**
 * Pairs in the form of the W3C Baggage header, without properties. A later pair replaces an earlier one of its name.
 */
function pairs(
  name: string,
  keyPattern: RegExp,
  valuePattern: RegExp,
  description: string,
): Setting<Pairs> {
  const readOne = (member: string): readonly [string, string] => {
    const [, key = '', encoded = ''] = /^([^=]*)=(.*)$/s.exec(member) ?? [];
    const value = decodeOrNull(encoded.trim());
    if (keyPattern.test(key.trim()) && value !== null && valuePattern.test(value))
      return [key.trim(), value];
    throw new Error(
      'must be a comma-separated list of name=value pairs with percent-encoded values',
    );
  };
  const read = (value: string): Pairs =>
    Object.fromEntries(
      value
        .split(',')
        .filter((member) => member.trim() !== '')
        .map(readOne),
    );
  return { name, read, fallback: {}, defaultText: '', description };
}

function decodeOrNull(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function pemFile(name: string, description: string): Setting<string | null> {
  const read = (path: string): string => {
    try {
      const content = readFileSync(path, 'utf8');
      if (content.includes('-----BEGIN ')) return content;
    } catch {
      // Reported below.
    }
    throw new Error('must be the path of a readable PEM file');
  };
  return { name, read, fallback: null, defaultText: '', description };
}
