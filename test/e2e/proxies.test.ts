import { describe, expect, it } from 'vitest';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
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
    ['closes the connection', (_request, socket) => Boolean(socket.destroy()), /no connection/],
    ['sends no HTTP', (_request, socket) => Boolean(socket.end('SSH-2.0\r\n')), /no connection/],
    ['does not answer', () => true, /no answer within 250 ms/],
  ])('that %s is named, for reads and writes', async (_what, refuse, problem) => {
    const proxy = await startForwardProxy(refuse);
    const dms = await startDirectionsDms(sendPlain);
    const http = { proxy: withPassword(proxy), timeoutMs: 500, retries: 0 };
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

  it('at which nothing listens is named', async () => {
    const proxy = await refusingUrl();
    const gateway = await startGatewayBefore('http://dms.invalid', { http: { proxy, retries: 0 } });
    const { errors } = await gateway.query(read);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(causeIn(gateway)).toMatch(`ProxyError: ${proxy}: no connection ← Error (ECONNREFUSED)`);
  });
});

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
      const response = await fetch(
        `${await addressOf(gateway)}/graphql?query=${encodeURIComponent(read)}`,
        { headers: { authorization: 'Bearer ann', 'apollo-require-preflight': '1' } },
      );
      expect(await response.json()).toEqual({ data: { person: { firstName: 'Änne' } } });
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
