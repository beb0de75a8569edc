import { expect, it } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';
import { addressOf, spawnGateway, type GatewayProcess } from '../../helpers/process.ts';
import { startWorkers } from '../../helpers/workers.ts';

const person = '{ person(id: "usr-ann") { email } }';

async function startDms() {
  const dms = await startFailingDms((_request, response) => {
    response.end('{"_id_sys":"usr-ann","email":"x"}');
  });
  return dms;
}

async function stop(gateway: GatewayProcess): Promise<void> {
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
}

/** Prints the modules of OpenTelemetry that are loaded, apart from its API, which prom-client always loads. */
const reportLoads = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (/opentelemetry[/](?!api[/])|open-telemetry[.]ts/.test(url)) process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    } });`,
  )}`,
};

it('exports the traces of each worker, at the latest at shutdown', async () => {
  const dms = await startDms();
  const collector = await startOtlpReceiver();
  const { gateway, clients } = await startWorkers(2, {
    ...reportLoads,
    DMS_URL: dms.url,
    CACHE_TTL_MS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  });
  for (const client of clients) {
    expect(await client.query(person)).toEqual({ data: { person: { email: 'x' } } });
  }
  expect(collector.requests).toEqual([]);
  await stop(gateway);

  const received = collector.payload();
  const instances = received.match(/service\.instance\.id\W+[\w-]{36}/g);
  expect(new Set(instances).size).toBe(2);
  expect(received.match(/GET \/api\/v2\/person\/\{id\}/g)).toHaveLength(2);
  expect(gateway.output()).toMatch(/^loaded .*@opentelemetry\/sdk-trace\//m);
  expect(gateway.output()).toMatch(/^loaded .*\/src\/features\/tracing\/open-telemetry/m);
});

it('loads nothing of OpenTelemetry without an endpoint', { tags: ['nightly'] }, async () => {
  const dms = await startDms();
  const gateway = spawnGateway({
    ...reportLoads,
    DMS_URL: dms.url,
    OTEL_SERVICE_NAME: 'documents',
  });
  const response = await fetch(`${await addressOf(gateway)}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: person }),
  });
  expect(await response.json()).toEqual({ data: { person: { email: 'x' } } });
  await stop(gateway);
  expect(gateway.output()).not.toContain('loaded ');
});
