import { proxyFor } from '../../config/proxy-settings.ts';
import { httpUrl, ofProcess, optional } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

const flushMs = 2000;

export const tracing = defineFeature({
  name: 'tracing',
  settings: {
    otlpEndpoint: ofProcess(
      optional(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        httpUrl,
        'Base URL of an OpenTelemetry collector, which receives traces at `/v1/traces`. Unset: no tracing.',
        'to trace requests',
      ),
    ),
  },
  async open({ otlpEndpoint, ...settings }, { dmsUrl, log }) {
    if (otlpEndpoint === null) return null;
    const { createTracing } = await import('./open-telemetry.ts');
    const opened = createTracing(dmsUrl, log.write, (url) => proxyFor(url, settings));
    return opened && { observers: [opened], hooks: { onStop: () => opened.stop(flushMs) } };
  },
});
