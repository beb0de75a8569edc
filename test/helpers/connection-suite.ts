import type { IncomingHttpHeaders } from 'node:http';
import type { ServerOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import { createAuthority, readCertificate, type Certificate } from './certificates.ts';
import { refusingUrl } from './failing-dms.ts';
import { requireCredentials, startForwardProxy, type ForwardProxy } from './forward-proxy.ts';

export type Variables = Readonly<Record<string, string>>;

/** The certificate of a service. With `clients`, it requires certificates of that authority. */
export interface ServiceTls {
  readonly certificate: Certificate;
  readonly clients?: Certificate;
}

/** What came of one use of the service by a gateway. */
interface Use {
  readonly isUsed: boolean;
  /** The log from level `warn`. */
  readonly log: string;
}

/** A running service. */
interface Service {
  readonly url: string;
  /** Starts a gateway with these settings, which uses the service once. */
  use(settings: Variables): Promise<Use>;
  /** The headers of each request, if the service speaks HTTP. */
  readonly headers?: readonly IncomingHttpHeaders[];
}

/** A service that the gateway connects to, which ends with the test. */
export interface Connection {
  /** Starts it. Without `tls`, it speaks HTTP. */
  start(tls?: ServiceTls): Promise<Service>;
  /** The settings of its certificates. */
  readonly settings: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

/** The options of a server of Node for this certificate. */
export function serverOptions(tls: ServiceTls | undefined): ServerOptions | undefined {
  if (tls === undefined) return undefined;
  const { certificate, clients } = tls;
  const required = clients && { ca: readCertificate(clients).cert, requestCert: true };
  return { ...readCertificate(certificate), ...required };
}

const used: Use = { isUsed: true, log: '' };

/** What each connection over TLS promises. */
export function describeTls(name: string, { start, settings: { ca, cert, key } }: Connection) {
  describe(`TLS to ${name}`, () => {
    it('accepts a certificate of the authority that the settings name', async () => {
      const authority = createAuthority();
      const service = await start({ certificate: authority.issue() });
      expect(await service.use({ [ca]: authority.cert })).toEqual(used);
    });

    it('sends nothing to a service of another authority', async () => {
      const service = await start({ certificate: createAuthority().issue() });
      const { isUsed, log } = await service.use({ [ca]: createAuthority('other').cert });
      expect(isUsed).toBe(false);
      expect(log).toMatch(/CERT|SIGNATURE|certificate/);
      expect(log).not.toContain('hunter'); // the password of a service
      expect(service.headers ?? []).toEqual([]);
    });

    it('sends nothing to a service whose certificate has another host name', async () => {
      const authority = createAuthority();
      const certificate = authority.issue({ altName: 'DNS:other.internal' });
      const service = await start({ certificate });
      const { isUsed, log } = await service.use({ [ca]: authority.cert });
      expect(isUsed).toBe(false);
      expect(log).toMatch(/ALTNAME|altnames/);
      expect(service.headers ?? []).toEqual([]);
    });

    if (cert === undefined || key === undefined) return;
    it('presents the client certificate of the settings, which the service requires', async () => {
      const authority = createAuthority();
      const service = await start({ certificate: authority.issue(), clients: authority });
      const without = await service.use({ [ca]: authority.cert });
      expect(without.isUsed).toBe(false);
      expect(service.headers ?? []).toEqual([]);
      const client = authority.issue();
      const settings = { [ca]: authority.cert, [cert]: client.cert, [key]: client.key };
      expect(await service.use(settings)).toEqual(used);
    });
  });
}

/** What each connection through a proxy promises. */
export function describeProxy(name: string, { start, settings: { ca } }: Connection) {
  describe.each(['https', 'http'])(`a proxy to ${name} over %s`, (scheme) => {
    const variable = `${scheme.toUpperCase()}_PROXY`;
    const withPassword = ({ url }: ForwardProxy): string => url.replace('//', '//ann:hunter%402@');

    async function startService() {
      const authority = createAuthority();
      const service = await start(
        scheme === 'https' ? { certificate: authority.issue() } : undefined,
      );
      return { service, settings: scheme === 'https' ? { [ca]: authority.cert } : {} };
    }

    it('is used with its credentials, which the service does not receive', async () => {
      const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'));
      const { service, settings } = await startService();
      expect(await service.use({ ...settings, [variable]: withPassword(proxy) })).toEqual(used);
      expect(new Set(proxy.targets)).toEqual(new Set([new URL(service.url).host]));
      for (const headers of service.headers!) {
        expect(headers).not.toHaveProperty('proxy-authorization');
      }
    });

    it('that refuses is named without its credentials', async () => {
      const proxy = await startForwardProxy(requireCredentials('ann', 'other'));
      const { service, settings } = await startService();
      const { isUsed, log } = await service.use({ ...settings, [variable]: withPassword(proxy) });
      expect(isUsed).toBe(false);
      expect(log).toContain(proxy.url);
      expect(log).not.toContain('hunter');
      expect(service.headers).toEqual([]);
    });

    it('is not used if NO_PROXY excepts the service', async () => {
      const { service, settings } = await startService();
      const proxies = { [variable]: await refusingUrl(), NO_PROXY: '127.0.0.0/8' };
      expect(await service.use({ ...settings, ...proxies })).toEqual(used);
    });
  });
}
