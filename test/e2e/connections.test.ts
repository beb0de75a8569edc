import { copyFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type SecureVersion } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, type GatewaySettings } from '../../src/index.ts';
import { createAuthority, readCertificate, startTlsRejection } from '../helpers/certificates.ts';
import {
  describeProxy,
  describeTls,
  serverOptions,
  type Connection,
} from '../helpers/connection-suite.ts';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startStrictDms, tlsFilesOf } from '../helpers/dms-tls.ts';
import { refusingUrl, respondWith, startFailingDms } from '../helpers/failing-dms.ts';
import {
  requireCredentials,
  startForwardProxy,
  type ForwardProxy,
  type Refuse,
} from '../helpers/forward-proxy.ts';
import { startGatewayBefore, type TestGateway } from '../helpers/gateway.ts';

const read = '{ person(id: "usr-ann") { firstName } }';
const upsert = 'mutation { upsertOrganization(input: { name: "Müller" }) { __typename } }';
const unavailable = [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }];

/** Starts a gateway of the package with these settings, and sends a query. */
async function useOnce(settings: GatewaySettings, query: string, token: string) {
  let log = '';
  await using gateway = await startGateway(settings, { onLog: (line) => (log += line) });
  const response = await fetch(gateway.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors !== undefined) expect(errors).toMatchObject(unavailable);
  return { isUsed: errors === undefined, log };
}

const dmsConnection: Connection = {
  settings: { ca: 'DMS_CA_FILE', cert: 'DMS_CLIENT_CERT_FILE', key: 'DMS_CLIENT_KEY_FILE' },
  async start(tls) {
    const dms = await startDirectionsDms(sendPlain, serverOptions(tls));
    const use: Awaited<ReturnType<Connection['start']>>['use'] = (settings) =>
      useOnce({ DMS_URL: dms.url, DMS_RETRIES: 0, ...settings }, read, 'ann');
    return { ...dms, use };
  },
};

const issuerConnection: Connection = {
  settings: { ca: 'JWT_JWKS_CA_FILE' },
  async start(tls) {
    const issuer = await startDirectionsDms(sendPlain, serverOptions(tls));
    const identity = {
      DMS_URL: 'http://127.0.0.1:9', // not read
      DMS_AUTHORIZATION: 'Bearer account',
      FILE_URL_SECRET: 'f'.repeat(32),
      IDENTITY: 'jwt',
      JWT_JWKS_URL: `${issuer.url}/keys`,
      JWT_ISSUER: 'https://id.example',
      JWT_AUDIENCE: 'gateway',
    } as const;
    return {
      ...issuer,
      use: async (settings) =>
        useOnce({ ...identity, ...settings }, '{ viewer { runAs } }', await issuer.sign()),
    };
  },
};

describeTls('the DMS', dmsConnection);
describeTls('the token issuer', issuerConnection);
describeProxy('the DMS', dmsConnection);
describeProxy('the token issuer', issuerConnection);

/** The keys of an issuer are on another connection. */
const dmsDirections = directions.filter(({ name }) => name !== 'a key set');
const firstDirection = dmsDirections[0]!;

function startTlsDms(certificate = createAuthority().issue()) {
  return startDirectionsDms(sendPlain, readCertificate(certificate));
}

const withPassword = ({ url }: ForwardProxy): string => url.replace('//', '//ann:hunter%402@');

function causeIn({ log }: TestGateway): unknown {
  return log.find(({ msg }) => msg === 'failure')?.['cause'];
}

it.each(dmsDirections)(
  'a DMS that requires a client certificate, behind a proxy that requires a password is used for $name',
  async ({ run, expected }) => {
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'));
    const authority = createAuthority();
    const dms = await startStrictDms(authority);
    const { tls, write } = tlsFilesOf(authority.cert, authority.issue());
    expect(await run(dms, { http: { tls, proxy: withPassword(proxy) } })).toEqual(expected);
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(dms.url).host]));
    expect(write).not.toHaveBeenCalled();
  },
);

it('the certificate of the DMS must have the name of DMS_TLS_SERVER_NAME', async () => {
  const authority = createAuthority();
  const dms = await startTlsDms(authority.issue({ altName: 'DNS:dms.internal' }));
  const { tls } = tlsFilesOf(authority.cert, null, 'dms.internal');
  expect(await firstDirection.run(dms, { http: { tls } })).toEqual(firstDirection.expected);
});

describe('a DMS that rejects the client certificate', () => {
  it.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])(
    'is not available, for reads and writes (none, %s)',
    async (version) => {
      const authority = createAuthority();
      const dms = await startStrictDms(authority, version);
      const { tls, write } = tlsFilesOf(authority.cert);
      const gateway = await startGatewayBefore(dms.url, { http: { tls } });
      for (const text of [read, upsert]) {
        const { errors } = await gateway.query(text);
        expect(errors).toMatchObject(unavailable);
      }
      expect(dms.requests).toEqual([]);
      expect(write.mock.calls).toEqual([
        [
          'warn',
          'TLS connection to the DMS failed',
          expect.objectContaining({ reason: expect.stringMatching(/_ALERT_/) as string }),
        ],
      ]);
    },
  );

  it('is not available if it sends an alert, and the log names the certificate', async () => {
    const authority = createAuthority();
    const url = await startTlsRejection(authority.issue(), createAuthority('other'));
    const { tls, write } = tlsFilesOf(authority.cert, authority.issue({ name: 'stranger' }));
    const gateway = await startGatewayBefore(url, { http: { tls } });
    for (const text of [read, upsert]) {
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject(unavailable);
    }
    const certificate = expect.stringContaining('DMS_CLIENT_CERT_FILE: CN=stranger') as string;
    expect(write.mock.calls).toEqual([
      [
        'warn',
        'TLS connection to the DMS failed',
        {
          reason: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
          certificates: [expect.any(String), certificate],
        },
      ],
    ]);
  });

  it('is not available if its proxy sends a page, and each request is sent once', async () => {
    const page = '<html><head><title>400 The SSL certificate error</title></head></html>';
    const behave = respondWith(400, page, { 'content-type': 'text/html' });
    for (const text of [read, upsert]) {
      const dms = await startFailingDms(behave);
      const gateway = await startGatewayBefore(dms.url);
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject(unavailable);
      const failure = gateway.log.find(({ msg }) => msg === 'failure');
      expect(JSON.stringify(failure)).toContain('it rejects the client certificate');
      expect(dms.requests).toHaveLength(1);
    }
  });

  it('is used on the next connection after the files have changed', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const dms = await startStrictDms(current, 'TLSv1.2');
    const [client, next] = [old.issue(), current.issue()];
    const { tls } = tlsFilesOf(current.cert, client);
    const gateway = await startGatewayBefore(dms.url, { http: { tls } });
    expect((await gateway.query(read)).errors).toMatchObject(unavailable);
    copyFileSync(next.key, client.key);
    copyFileSync(next.cert, client.cert);
    tls.reload();
    expect((await gateway.query(read)).errors).toBeUndefined();
  });
});

describe('a proxy', () => {
  it('receives a password without a user name', async () => {
    const proxy = await startForwardProxy(requireCredentials('', 'hunter'));
    const dms = await startDirectionsDms(sendPlain);
    const http = { proxy: proxy.url.replace('//', '//:hunter@') };
    expect(await firstDirection.run(dms, { http })).toEqual(firstDirection.expected);
  });

  it('opens as many tunnels as there are connections', async () => {
    const proxy = await startForwardProxy();
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await startGatewayBefore(dms.url, {
      http: { proxy: proxy.url, connections: 2 },
    });
    const ids = Array.from(
      { length: 20 },
      (_, at) => `p${at}: person(id: "usr-${at}") { firstName }`,
    );
    const { errors } = await gateway.query(`{ ${ids.join(' ')} }`);
    expect(errors).toBeUndefined();
    expect(proxy.maxTunnels()).toBeLessThanOrEqual(2);
    expect(dms.requests).toHaveLength(20);
  });

  it('that breaks a tunnel leaves the outcome of a write unknown, which is sent once', async () => {
    const proxy = await startForwardProxy();
    const dms = await startDirectionsDms((_answer, request) => void request.socket.destroy());
    const gateway = await startGatewayBefore(dms.url, { http: { proxy: proxy.url } });
    const { errors } = await gateway.query(upsert);
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN' } }]);
    expect(dms.requests).toHaveLength(1);
  });

  const end =
    (status: string): Refuse =>
    (_request, socket) => {
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
      return true;
    };

  it.each<readonly [string, Refuse, RegExp]>([
    [
      'answers 407',
      end('407 Proxy Authentication Required'),
      /status 407 to CONNECT, it requires other credentials/,
    ],
    ['answers 403', end('403 Forbidden'), /status 403 to CONNECT/],
    [
      'sends data that the DMS has not sent',
      (_request, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n<html>'),
      /data after its response to CONNECT/,
    ],
    ['closes the connection', (_request, socket) => Boolean(socket.destroy()), /no connection/],
    ['sends no HTTP', (_request, socket) => Boolean(socket.end('SSH-2.0\r\n')), /no connection/],
    ['does not answer', () => true, /no answer within 1000 ms/],
  ])('that %s is named, for reads and writes', async (_what, refuse, problem) => {
    const proxy = await startForwardProxy(refuse);
    const dms = await startDirectionsDms(sendPlain);
    const http = { proxy: withPassword(proxy), timeoutMs: 2000, retries: 0 };
    for (const text of [read, upsert]) {
      const gateway = await startGatewayBefore(dms.url, { http });
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject(unavailable);
      expect(causeIn(gateway)).toMatch(problem);
      expect(causeIn(gateway)).toContain(`ProxyError: ${proxy.url}: `);
      expect(JSON.stringify(gateway.log)).not.toContain('hunter');
    }
    expect(dms.requests).toEqual([]);
  });

  it.each<readonly [string, (socket: Socket) => unknown]>([
    ['closes its tunnel', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    [
      'sends no TLS',
      (socket) => {
        socket.once('data', () => socket.write('<html></html>')); // the beginning of the handshake
        return socket.write('HTTP/1.1 200 OK\r\n\r\n');
      },
    ],
  ])('that %s to a DMS with TLS is named', async (_what, answer) => {
    const proxy = await startForwardProxy((_request, socket) => Boolean(answer(socket)));
    const gateway = await startGatewayBefore('https://dms.invalid', {
      http: { proxy: proxy.url, retries: 0 },
    });
    expect((await gateway.query(read)).errors).toMatchObject(unavailable);
    expect(causeIn(gateway)).toContain(`in the tunnel of ${proxy.url}: `);
  });

  it('at which nothing listens is named', async () => {
    const proxy = await refusingUrl();
    const gateway = await startGatewayBefore('http://dms.invalid', { http: { proxy, retries: 0 } });
    expect((await gateway.query(read)).errors).toMatchObject(unavailable);
    expect(causeIn(gateway)).toMatch(`ProxyError: ${proxy}: no connection ← Error (ECONNREFUSED)`);
  });

  it('that is reached over TLS receives the password only if Node trusts it', async () => {
    const authority = createAuthority();
    const certificate = readCertificate(authority.issue());
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'), certificate);
    const dms = await startTlsDms(authority.issue());
    const http = { tls: tlsFilesOf(authority.cert).tls, proxy: withPassword(proxy), retries: 0 };
    const gateway = await startGatewayBefore(dms.url, { http });
    expect((await gateway.query(read)).errors).toMatchObject(unavailable);
    expect(causeIn(gateway)).toMatch(
      `ProxyError: ${proxy.url}: no connection ← Error (UNABLE_TO_VERIFY`,
    );
    expect(dms.requests).toEqual([]);

    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readCertificate(authority).cert]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    expect((await gateway.query(read)).errors).toBeUndefined();
    expect(proxy.targets).toEqual([new URL(dms.url).host]);
    expect(JSON.stringify(gateway.log)).not.toContain('hunter');
  });
});
