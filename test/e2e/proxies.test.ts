import { copyFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startStrictDms, tlsFilesOf } from '../helpers/dms-tls.ts';
import { createAuthority, readCertificate } from '../helpers/certificates.ts';
import {
  requireCredentials,
  startForwardProxy,
  type ForwardProxy,
  type Refuse,
} from '../helpers/forward-proxy.ts';
import { startGatewayBefore, type TestGateway } from '../helpers/gateway.ts';
import { refusingUrl } from '../helpers/failing-dms.ts';
import { addressOf, logged, logOf, spawnGateway } from '../helpers/process.ts';

const read = '{ person(id: "usr-ann") { firstName } }';
const upsert = 'mutation { upsertOrganization(input: { name: "Müller" }) { __typename } }';

function causeIn({ log }: TestGateway): unknown {
  return log.find(({ msg }) => msg === 'failure')?.['cause'];
}

const withPassword = ({ url }: ForwardProxy): string => url.replace('//', '//ann:hunter%402@');

describe('a proxy', () => {
  it.each(directions)('opens a tunnel for $name', async ({ run, expected }) => {
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'));
    const headers: unknown[] = [];
    const dms = await startDirectionsDms((answer, request, response) => {
      headers.push(request.headers['proxy-authorization']);
      sendPlain(answer, request, response);
    });
    const options = { http: { proxy: withPassword(proxy) }, jwksProxy: withPassword(proxy) };
    expect(await run(dms, options)).toEqual(expected);
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(dms.url).host]));
    expect(new Set(headers)).toEqual(new Set([undefined])); // only the proxy has the password
  });

  it('receives a password without a user name', async () => {
    const proxy = await startForwardProxy(requireCredentials('', 'hunter'));
    const dms = await startDirectionsDms(sendPlain);
    const { run, expected } = directions[0]!;
    const http = { proxy: proxy.url.replace('//', '//:hunter@') };
    expect(await run(dms, { http })).toEqual(expected);
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
    ['answers 502', end('502 Bad Gateway'), /status 502 to CONNECT/],
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
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
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
    const { errors } = await gateway.query(read);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(causeIn(gateway)).toContain(`in the tunnel of ${proxy.url}: `);
  });

  it('at which nothing listens is named', async () => {
    const proxy = await refusingUrl();
    const gateway = await startGatewayBefore('http://dms.invalid', { http: { proxy, retries: 0 } });
    const { errors } = await gateway.query(read);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(causeIn(gateway)).toMatch(`ProxyError: ${proxy}: no connection ← Error (ECONNREFUSED)`);
  });
});

describe('a DMS behind a proxy that requires a client certificate', () => {
  const dmsDirections = directions.filter(({ name }) => name !== 'a key set');

  it.each(dmsDirections)('accepts that of the settings for $name', async ({ run, expected }) => {
    const proxy = await startForwardProxy();
    const authority = createAuthority();
    const dms = await startStrictDms(authority);
    const { tls, write } = tlsFilesOf(authority.cert, authority.issue());
    expect(await run(dms, { http: { tls, proxy: proxy.url } })).toEqual(expected);
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(dms.url).host]));
    expect(write).not.toHaveBeenCalled();
  });

  it.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])(
    'is not available without, for reads and writes (%s)',
    async (version) => {
      const proxy = await startForwardProxy();
      const authority = createAuthority();
      const dms = await startStrictDms(authority, version);
      const { tls, write } = tlsFilesOf(authority.cert);
      const gateway = await startGatewayBefore(dms.url, { http: { tls, proxy: proxy.url } });
      for (const text of [read, upsert]) {
        const { errors } = await gateway.query(text);
        expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
      }
      expect(dms.requests).toEqual([]);
      expect(write.mock.calls.map(([, msg]) => msg)).toEqual(['TLS connection to the DMS failed']);
    },
  );

  it('is used when the files have changed', async () => {
    const proxy = await startForwardProxy();
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const dms = await startStrictDms(current);
    const { tls } = tlsFilesOf(old.cert, current.issue());
    copyFileSync(current.cert, old.cert);
    tls.reload();
    const http = { tls, proxy: proxy.url, retries: 0 };
    const gateway = await startGatewayBefore(dms.url, { http });
    const { errors } = await gateway.query(upsert);
    expect(errors).toBeUndefined();
    expect(dms.requests).toHaveLength(1);
  });
});

describe('a proxy that is reached over TLS', () => {
  async function startSecure() {
    const authority = createAuthority();
    const dms = await startDirectionsDms(sendPlain, readCertificate(authority.issue()));
    const certificate = readCertificate(authority.issue({ name: 'proxy' }));
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'), certificate);
    const HTTPS_PROXY = withPassword(proxy);
    return { authority, dms, proxy, settings: { DMS_URL: dms.url, HTTPS_PROXY } };
  }

  it('is used for the DMS and check if Node trusts it', async () => {
    const { authority, dms, proxy, settings } = await startSecure();
    const env = { ...settings, NODE_EXTRA_CA_CERTS: authority.cert };
    const gateway = spawnGateway(env);
    expect(await firstNameAt(await addressOf(gateway))).toEqual({
      data: { person: { firstName: 'Änne' } },
    });
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(logOf(gateway).filter(({ level }) => Number(level) > 30)).toEqual([]);
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(dms.url).host]));
    const check = spawnGateway(env, 'check');
    await check.exited;
    expect(check.output()).toContain(`through the proxy ${proxy.url} is reachable`);
    expect(gateway.output() + check.output()).not.toContain('hunter');
  });

  it('is named if Node does not trust it, and receives no password', async () => {
    const { authority, dms, proxy, settings } = await startSecure();
    const gateway = spawnGateway({ ...settings, DMS_CA_FILE: authority.cert });
    expect(await firstNameAt(await addressOf(gateway))).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    });
    const { cause } = await logged(gateway, { msg: 'failure' });
    expect(cause).toMatch(`ProxyError: ${proxy.url}: no connection ← Error (UNABLE_TO_VERIFY`);
    expect(await logged(gateway, { msg: 'DMS not reachable' })).toMatchObject({
      reason: 'proxy: no connection (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
      proxy: proxy.url,
    });
    expect(proxy.targets).toEqual([]);
    expect(dms.requests).toEqual([]);
  });
});

async function firstNameAt(url: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(read)}`, {
    headers: { authorization: 'Bearer ann', 'apollo-require-preflight': '1' },
  });
  return response.json();
}

describe.each(['HTTPS_PROXY', 'https_proxy'])('the variable %s', (name) => {
  it('is for a DMS with TLS, which NO_PROXY can except', async () => {
    const proxy = await startForwardProxy(requireCredentials('ann', 'hunter@2'));
    const authority = createAuthority();
    const dms = await startDirectionsDms(sendPlain, readCertificate(authority.issue()));
    const settings = { DMS_URL: dms.url, DMS_CA_FILE: authority.cert };
    const gateways = [
      spawnGateway({ ...settings, [name]: withPassword(proxy) }),
      spawnGateway({ ...settings, [name]: await refusingUrl(), NO_PROXY: '127.0.0.0/8' }),
    ];
    for (const gateway of gateways) {
      expect(await firstNameAt(await addressOf(gateway))).toEqual({
        data: { person: { firstName: 'Änne' } },
      });
      expect(logOf(gateway).filter(({ level }) => Number(level) > 30)).toEqual([]);
      expect(gateway.output()).not.toContain('hunter');
    }
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(dms.url).host]));
  });
});

it('names a proxy without its credentials at the start and in check', async () => {
  const proxy = await startForwardProxy(requireCredentials('ann', 'other'));
  const settings = { DMS_URL: 'https://dms.invalid', HTTPS_PROXY: withPassword(proxy) };
  const gateway = spawnGateway(settings);
  expect(await logged(gateway, { msg: 'DMS not reachable' })).toMatchObject({ proxy: proxy.url });
  const check = spawnGateway(settings, 'check');
  expect(await check.exited).toBe(1);
  expect(check.output()).toContain(`dms.invalid through the proxy ${proxy.url}: `);
  expect(gateway.output() + check.output()).not.toContain('hunter');
});
