import { expect, it, onTestFinished } from 'vitest';
import { createAuthority, readCertificate } from '../../helpers/certificates.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf, logged, logOf, spawnGateway } from '../../helpers/process.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

async function startDms() {
  const dms = await startFailingDms((_request, response) => {
    response.end('{"_id_sys":"usr-a","email":"a@example.com"}');
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms;
}

const email = { data: { person: { email: 'a@example.com' } } };

async function readPerson(url: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ann' },
    body: JSON.stringify({ query: '{ person(id: "usr-a") { email } }' }),
  });
  return response.json();
}

it('sends traces to a collector of a private authority, with a client certificate', async () => {
  const authority = createAuthority();
  const dms = await startDms();
  const { cert: ca } = readCertificate(authority);
  const tls = { ...readCertificate(authority.issue()), ca, requestCert: true };
  const collector = await startOtlpReceiver(undefined, tls);
  const client = authority.issue();
  const gateway = spawnGateway({
    DMS_URL: dms.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_CERTIFICATE: authority.cert,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.cert,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: client.key,
  });
  expect(await readPerson(await addressOf(gateway))).toEqual(email);
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
  expect(collector.spans.map(({ kind }) => kind)).toContain('CLIENT');
  expect(logOf(gateway).filter(({ level }) => Number(level) > 30)).toEqual([]);
});

it('works and logs one line if the collector has a certificate of another authority', async () => {
  const dms = await startDms();
  const collector = await startOtlpReceiver(undefined, readCertificate(createAuthority().issue()));
  const gateway = spawnGateway({
    DMS_URL: dms.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_CERTIFICATE: createAuthority().cert,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    OTEL_BSP_SCHEDULE_DELAY: '1',
  });
  const url = await addressOf(gateway);
  expect(await readPerson(url)).toEqual(email);
  const { reason } = await logged(gateway, { level: 40, msg: 'traces not exported' });
  expect(reason).toMatch(/CERT|SIGNATURE/);
  for (let count = 0; count < 3; count += 1) expect(await readPerson(url)).toEqual(email);
  gateway.child.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
  expect(logOf(gateway).filter(({ msg }) => msg === 'traces not exported')).toHaveLength(1);
  expect(gateway.output()).not.toContain('hunter2');
  expect(collector.requests).toEqual([]);
});
