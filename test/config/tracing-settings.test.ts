import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/read-config.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/base/' };

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

describe('tracing', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
  ])('is off with %o', (env) => {
    expect(readConfig(env).tracing).toBeNull();
  });

  it('is on with an endpoint, and has the defaults of OpenTelemetry', () => {
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'false' }).tracing).toEqual({
      url: 'https://collector.example:4318/base/v1/traces',
      headers: {},
      timeoutMs: 10_000,
      compression: 'none',
      tls: {},
      serviceName: 'dms-graphql-gateway',
      resourceAttributes: {},
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
      scheduleDelayMs: 5000,
      exportTimeoutMs: 30_000,
      maxQueueSize: 2048,
      maxBatchSize: 512,
    });
  });

  it('prefers the variables for traces', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-pem-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pem = (name: string): string => {
      writeFileSync(join(folder, name), `-----BEGIN ${name}-----`);
      return join(folder, name);
    };
    const { tracing } = readConfig({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other.example/traces/?key=1',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a, x-team = docs',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Basic YQ==',
      OTEL_EXPORTER_OTLP_TIMEOUT: '1',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_CERTIFICATE: pem('CA'),
      OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: pem('CA-TRACES'),
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: pem('CERT'),
      OTEL_EXPORTER_OTLP_CLIENT_KEY: pem('KEY'),
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=docs,deployment.environment.name=t%C3%A9st,',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    });
    expect(tracing).toMatchObject({
      url: 'http://other.example/traces/?key=1',
      headers: { authorization: 'Basic YQ==', 'x-team': 'docs' },
      timeoutMs: 2,
      compression: 'gzip',
      tls: {
        ca: '-----BEGIN CA-TRACES-----',
        cert: '-----BEGIN CERT-----',
        key: '-----BEGIN KEY-----',
      },
      serviceName: 'docs',
      resourceAttributes: { 'deployment.environment.name': 'tést' },
      sampler: 'parentbased_traceidratio',
      samplerRatio: 0.25,
      maxQueueSize: 100,
      maxBatchSize: 100,
    });
  });

  it('names every invalid variable and repeats no secret', () => {
    const problems = problemsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:hunter2@collector',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector:4318',
      OTEL_SDK_DISABLED: 'yes',
      OTEL_TRACES_EXPORTER: 'jaeger',
      OTEL_RESOURCE_ATTRIBUTES: 'no-value',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'tcp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2%',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'bad name=hunter2',
      OTEL_EXPORTER_OTLP_TIMEOUT: '0',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere/ca.pem',
      OTEL_BSP_MAX_QUEUE_SIZE: 'big',
    });
    expect(problems).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL without user name and password',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http:// or https:// URL without user name and password',
      'OTEL_SDK_DISABLED must be true or false, not "yes"',
      'OTEL_TRACES_EXPORTER must be one of otlp, none, not "jaeger"',
      'OTEL_RESOURCE_ATTRIBUTES must be a comma-separated list of name=value pairs with percent-encoded values',
      'OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio, not "sometimes"',
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "1.5"',
      'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json, grpc, not "tcp"',
      'OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value pairs with percent-encoded values',
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS must be a comma-separated list of name=value pairs with percent-encoded values',
      'OTEL_EXPORTER_OTLP_TIMEOUT must be an integer from 1 to 86400000, not "0"',
      'OTEL_EXPORTER_OTLP_COMPRESSION must be one of gzip, none, not "zstd"',
      'OTEL_EXPORTER_OTLP_CERTIFICATE must be the path of a readable PEM file',
      'OTEL_BSP_MAX_QUEUE_SIZE must be an integer from 1 to 1000000, not "big"',
    ]);
  });

  it.each(['grpc', 'http/json'])('refuses the protocol %s', (protocol) => {
    expect(problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol })).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: the gateway supports no other protocol',
    ]);
    expect(problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol })).toEqual([
      'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/protobuf: the gateway supports no other protocol',
    ]);
  });

  it('refuses a protocol together with an invalid endpoint', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(problemsOf(env)).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL without user name and password',
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: the gateway supports no other protocol',
    ]);
  });

  it('requires a client certificate and its key together', () => {
    expect(
      problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_CLIENT_KEY: 'test/config/x.pem' }),
    ).toHaveLength(1);
    const folder = mkdtempSync(join(tmpdir(), 'gateway-pem-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'key'), '-----BEGIN KEY-----');
    const key = { OTEL_EXPORTER_OTLP_CLIENT_KEY: join(folder, 'key') };
    expect(problemsOf({ ...endpoint, ...key })).toEqual([
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY require each other',
    ]);
  });

  it('refuses a batch that is larger than the queue', () => {
    const problemsWith = (sizes: NodeJS.ProcessEnv): string[] =>
      problemsOf({ ...endpoint, ...sizes });
    const batch = 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE';
    const queue = 'OTEL_BSP_MAX_QUEUE_SIZE';
    expect(problemsWith({ [batch]: '101', [queue]: '100' })).toEqual([
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE must not be above OTEL_BSP_MAX_QUEUE_SIZE, which is 100',
    ]);
    expect(problemsWith({ [batch]: '4096' })).toEqual([
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE must not be above OTEL_BSP_MAX_QUEUE_SIZE, which is 2048',
    ]);
    expect(problemsWith({ [batch]: '100', [queue]: '100' })).toEqual([]);
    expect(problemsOf({ [batch]: '101', [queue]: '100' })).toEqual([]); // tracing is off
  });

  it('does not compare an invalid size with the other', () => {
    const sizes = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4096', OTEL_BSP_MAX_QUEUE_SIZE: 'big' };
    expect(problemsOf({ ...endpoint, ...sizes })).toEqual([
      'OTEL_BSP_MAX_QUEUE_SIZE must be an integer from 1 to 1000000, not "big"',
    ]);
  });

  it('warns of a ratio that the sampler does not use', () => {
    const warningsWith = (env: NodeJS.ProcessEnv): readonly string[] => readConfig(env).warnings;
    const ratio = { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.1' };
    expect(warningsWith(ratio)).toEqual([
      'OTEL_TRACES_SAMPLER_ARG has no effect with OTEL_TRACES_SAMPLER=parentbased_always_on',
    ]);
    expect(warningsWith({ ...ratio, OTEL_TRACES_SAMPLER: 'traceidratio' })).toEqual([]);
    expect(warningsWith({ OTEL_TRACES_SAMPLER_ARG: '0.1' })).toEqual([]); // tracing is off
  });
});
