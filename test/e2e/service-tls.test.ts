import { copyFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { readConfig, type GatewaySettings } from '../../src/features/settings.ts';
import type { Log } from '../../src/server/telemetry/log.ts';
import { startGateway } from '../../src/startup/start-gateway.ts';
import { TlsFiles } from '../../src/startup/tls-files.ts';
import {
  createAuthority,
  readCertificate,
  type IssueOptions,
  type PrivateAuthority,
} from '../helpers/certificates.ts';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startForwardProxy } from '../helpers/forward-proxy.ts';
const keySet = directions.find(({ name }) => name === 'a key set')!;
const read = '{ person(id: "usr-ann") { firstName } }';

/** Opens the files of the issuer, whose URL does not matter. */
function filesOf(files: GatewaySettings) {
  const { tlsSettings } = readConfig({
    ...(files as Record<string, string>),
    IDENTITY: 'jwt',
    JWT_JWKS_URL: 'https://id.example',
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'gateway',
  });
  const write = vi.fn<Log['write']>();
  return { tls: new TlsFiles(tlsSettings.issuer!, { write }), write };
}

/** A DMS and issuer whose certificate is of the authority. */
function startIssuer(authority: PrivateAuthority, options: IssueOptions = {}) {
  return startDirectionsDms(sendPlain, readCertificate(authority.issue(options)));
}

describe('an issuer with a certificate of a private authority', () => {
  it('is used with JWT_JWKS_CA_FILE', async () => {
    const authority = createAuthority();
    const issuer = await startIssuer(authority);
    const { tls, write } = filesOf({ JWT_JWKS_CA_FILE: authority.cert });
    expect(await keySet.run(issuer, { jwksTls: tls, http: { tls } })).toEqual(keySet.expected);
    expect(write).not.toHaveBeenCalled();
  });

  it('is used through a proxy', async () => {
    const authority = createAuthority();
    const [proxy, issuer] = [await startForwardProxy(), await startIssuer(authority)];
    const { tls } = filesOf({ JWT_JWKS_CA_FILE: authority.cert });
    const options = { jwksTls: tls, jwksProxy: proxy.url };
    expect(await keySet.run(issuer, options)).toEqual(keySet.expected);
    expect(proxy.targets).toEqual([new URL(issuer.url).host]);
  });

  it('is used when its file has changed', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const issuer = await startIssuer(current);
    const { tls, write } = filesOf({ JWT_JWKS_CA_FILE: old.cert });
    copyFileSync(current.cert, old.cert);
    tls.reload();
    expect(await keySet.run(issuer, { jwksTls: tls })).toEqual(keySet.expected);
    expect(write.mock.calls).toEqual([
      ['info', 'TLS files reloaded', { changed: ['JWT_JWKS_CA_FILE'] }],
    ]);
  });

  it('receives nothing if the certificate has expired, and the log names both', async () => {
    const authority = createAuthority();
    const issuer = await startIssuer(authority, { validity: ['20200101', '20200102'] });
    const { tls, write } = filesOf({ JWT_JWKS_CA_FILE: authority.cert });
    const answer = await keySet.run(issuer, { jwksTls: tls });
    expect(answer).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(issuer.requests).toEqual([]);
    expect(write.mock.calls).toEqual([
      [
        'warn',
        'TLS connection to the token issuer failed',
        {
          reason: 'CERT_HAS_EXPIRED',
          certificates: [expect.stringContaining('JWT_JWKS_CA_FILE: CN=authority')],
        },
      ],
    ]);
  });
});

describe('a gateway', () => {
  it('uses the certificates of the settings for each service, and no other', async () => {
    const [authority, other] = [createAuthority(), createAuthority('other')];
    const [dms, issuer] = [await startIssuer(authority), await startIssuer(other)];
    const settings: GatewaySettings = {
      DMS_URL: dms.url,
      DMS_CA_FILE: authority.cert,
      DMS_AUTHORIZATION: 'Bearer account',
      FILE_URL_SECRET: 'f'.repeat(32),
      IDENTITY: 'jwt',
      JWT_JWKS_URL: `${issuer.url}/keys`,
      JWT_JWKS_CA_FILE: other.cert,
      JWT_ISSUER: 'https://id.example',
      JWT_AUDIENCE: 'gateway',
    };
    await using gateway = await startGateway(settings);
    const response = await fetch(`${gateway.graphqlUrl}?query=${encodeURIComponent(read)}`, {
      headers: {
        authorization: `Bearer ${await issuer.sign()}`,
        'apollo-require-preflight': '1',
      },
    });
    expect(await response.json()).toEqual({ data: { person: { firstName: 'Änne' } } });
    expect(dms.requests).toHaveLength(1);
    expect(issuer.requests).toEqual(['GET /keys']);
  });
});
