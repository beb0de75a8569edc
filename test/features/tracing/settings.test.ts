import { describe, expect, it } from 'vitest';
import { readConfig, readSettings } from '../../../src/features/settings.ts';

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('alone turns tracing on', () => {
    const others = {
      OTEL_SERVICE_NAME: 'x',
      OTEL_EXPORTER_OTLP_HEADERS: 'x',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x',
    };
    expect(readConfig(others)).toMatchObject({ otlpEndpoint: null, warnings: [] });
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/base/' };
    expect(readConfig(endpoint).otlpEndpoint).toBe('https://collector:4318/base');
  });

  it('is not a setting of a file', () => {
    const settings: object = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' };
    expect(() => readSettings(settings)).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT can be set in the environment of the command only',
    );
  });

  it.each([
    ['collector:4318', 'an http:// or https:// URL'],
    ['grpc://collector', 'an http:// or https:// URL'],
    ['http://ann:hunter2@collector', 'a URL without user name, password, query and fragment'],
    ['http://c?key=hunter2', 'a URL without user name, password, query and fragment'],
  ])('is rejected as %s without repeating it', (value, expected) => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: value })).toThrow(
      new RegExp(`^Invalid settings:\n  OTEL_EXPORTER_OTLP_ENDPOINT must be ${expected}$`),
    );
  });
});
