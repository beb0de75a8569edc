import { describe, expect, it } from 'vitest';
import { createAuthority, readCertificate } from '../../helpers/certificates.ts';
import {
  requireCredentials,
  startForwardProxy,
  type ForwardProxy,
} from '../../helpers/forward-proxy.ts';
import { refusingUrl } from '../../helpers/failing-dms.ts';
import { addressOf, logOf, spawnGateway } from '../../helpers/process.ts';
import { sendPlain, startDirectionsDms } from '../../helpers/directions.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const read = '{ person(id: "usr-ann") { firstName } }';

const withPassword = ({ url }: ForwardProxy): string => url.replace('//', '//ann:hunter%402@');

describe('the collector of traces', () => {
  /** Reads once, and ends the gateway, which exports what is left. */
  async function trace(settings: Record<string, string>) {
    const dms = await startDirectionsDms(sendPlain);
    const NO_PROXY = new URL(dms.url).host;
    const gateway = spawnGateway({ DMS_URL: dms.url, NO_PROXY, ...settings });
    await fetch(`${await addressOf(gateway)}/graphql?query=${encodeURIComponent(read)}`, {
      headers: { authorization: 'Bearer ann', 'apollo-require-preflight': '1' },
    });
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).not.toContain('hunter');
    return logOf(gateway).filter(({ level }) => Number(level) > 30);
  }

  it.each(['HTTPS_PROXY', 'HTTP_PROXY'])('is reached through %s', async (name) => {
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'));
    const authority = createAuthority();
    const isSecure = name === 'HTTPS_PROXY';
    const ca = readCertificate(authority).cert;
    const tls = { ...readCertificate(authority.issue()), ca, requestCert: true };
    const collector = await startOtlpReceiver(undefined, isSecure ? tls : undefined);
    const client = authority.issue();
    const warnings = await trace({
      [name]: withPassword(proxy),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_CERTIFICATE: authority.cert,
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.cert,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: client.key,
    });
    expect(warnings).toEqual([]);
    expect(collector.spans.map(({ kind }) => kind)).toContain('CLIENT');
    expect(collector.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(collector.url).host]));
  });

  it('is reached through a proxy over TLS, if Node trusts that', async () => {
    const authority = createAuthority();
    const tls = readCertificate(authority.issue());
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'), tls);
    const collector = await startOtlpReceiver(undefined, tls);
    const warnings = await trace({
      HTTPS_PROXY: withPassword(proxy),
      NODE_EXTRA_CA_CERTS: authority.cert,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    expect(warnings).toEqual([]);
    expect(collector.spans.map(({ kind }) => kind)).toContain('CLIENT');
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(collector.url).host]));
  });

  it.each(['HTTPS_PROXY', 'HTTP_PROXY'])('is not reached if %s refuses', async (name) => {
    const proxy = await startForwardProxy(requireCredentials('ann', 'other'));
    const scheme = name === 'HTTPS_PROXY' ? 'https' : 'http';
    const warnings = await trace({
      [name]: withPassword(proxy),
      OTEL_EXPORTER_OTLP_ENDPOINT: `${scheme}://collector.invalid`,
    });
    expect(warnings).toMatchObject([{ msg: 'traces not exported', proxy: proxy.url }]);
  });

  it('is reached without a proxy if NO_PROXY excepts it', async () => {
    const collector = await startOtlpReceiver();
    const warnings = await trace({
      HTTP_PROXY: await refusingUrl(),
      NO_PROXY: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    expect(warnings).toEqual([]);
    expect(collector.spans.map(({ kind }) => kind)).toContain('CLIENT');
  });
});
