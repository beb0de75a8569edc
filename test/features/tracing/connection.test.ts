import { expect, vi } from 'vitest';
import { readEnvironment } from '../../../src/features/settings.ts';
import {
  describeProxy,
  describeTls,
  serverOptions,
  type Connection,
  type Variables,
} from '../../helpers/connection-suite.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { startOtlpReceiver, type OtlpReceiver } from './otlp-receiver.ts';

/** Starts a gateway that exports the spans of a query at once. */
async function useOnce(collector: OtlpReceiver, settings: Variables) {
  const variables = {
    DMS_URL: 'http://dms.test',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    ...settings,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const server = readEnvironment(variables); // with the proxies
  const gateway = await startGateway({ server });
  vi.unstubAllEnvs();
  await gateway.query('{ __typename }');
  const warnings = () => gateway.log.filter(({ level }) => Number(level) > 30);
  await expect.poll(() => collector.requests.length + warnings().length).toBeGreaterThan(0);
  await gateway.close();
  const log = warnings().map((line) => JSON.stringify(line));
  return { isUsed: collector.requests.length > 0, log: log.join('\n') };
}

const collectorConnection: Connection = {
  settings: {
    ca: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    cert: 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    key: 'OTEL_EXPORTER_OTLP_CLIENT_KEY',
  },
  async start(tls) {
    const collector = await startOtlpReceiver(undefined, serverOptions(tls));
    return {
      url: collector.url,
      get headers() {
        return collector.requests.map(({ headers }) => headers);
      },
      use: (settings) => useOnce(collector, settings),
    };
  },
};

describeTls('the collector of traces', collectorConnection);
describeProxy('the collector of traces', collectorConnection);
