import { createServer as createHttp2Server } from 'node:http2';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/features/settings.ts';
import { checkDms } from '../../../src/features/dms-commands/check.ts';
import { openCommandDms } from '../../../src/startup/commands.ts';
import { createAuthority, readCertificate, startTlsRejection } from '../../helpers/certificates.ts';
import { refusingUrl, startFailingDms, type Behaviour } from '../../helpers/failing-dms.ts';
import { passable } from '../../helpers/passable-clock.ts';
import { startForwardProxy, requireCredentials } from '../../helpers/forward-proxy.ts';
import { startKeyServer } from '../../helpers/key-server.ts';
import { spawnGateway } from '../../helpers/process.ts';

const secret = 'Bearer the-secret-of-the-account';
const service = { IDENTITY: 'service', DMS_AUTHORIZATION: secret, FILE_URL_SECRET: 'f'.repeat(32) };
const document = {
  _id: '64a000000000000000000001',
  author: 'usr-ann',
  filesList: [{ id: '64f000000000000000000001', fileName: 'a.pdf' }],
};
const view =
  '/api/v2/docForm/view/all?first=0&pageSize=1&fields=_id,author,filesList,id,fileName&embed=filesList';
const file = `/${document.filesList[0]!.id}`;

type Routes = Readonly<Record<string, unknown>>;

/** A DMS in which everything works, by path without the query. Other paths are a 404. */
const healthy: Routes = {
  '/': {},
  '/api/v2/docForm/view/all': [document],
  '/api/v2/sysForm': [{ _id: '64b000000000000000000001', _id_web: 'memo' }],
  '/api/v2/person/usr-ann': { _id_sys: 'usr-ann' },
  [`/api/v2/docForm/${document._id}/file${file}`]: 'bytes',
  '/api/v2/listValue': [{ _id: '64c000000000000000000001', value: { en: 'Areas' } }],
};

/** Responds with a body or, for a number, with a status. Users other than usr-ann are rejected. */
function respond(routes: Routes, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (request, response) => {
    const body = routes[pathOf(request)];
    const user = request.headers['svc-run-as'];
    const status = user !== undefined && user !== 'usr-ann' ? 403 : body === undefined ? 404 : body;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (typeof status === 'number') return void response.writeHead(status).end();
    response.setHeader('content-type', 'application/json');
    return void response.setHeader('svc-total-count', '1').end(JSON.stringify(body));
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*/, '');
}

/** Checks the DMS at a URL. `lines` have single spaces. */
async function check(url: string, settings: Record<string, string> = service, runAs?: string) {
  let output = '';
  const config = readConfig({ DMS_URL: url, ...settings });
  const isUsable = await checkDms(config, {
    runAs: runAs ?? null,
    openDms: () => openCommandDms(config),
    async write(line) {
      output += line;
    },
  });
  const lines = output.trimEnd().split('\n');
  return { isUsable, output, lines: lines.map((line) => line.replaceAll(/ +/g, ' ')) };
}

async function checkOf(behave: Behaviour, settings?: Record<string, string>, runAs?: string) {
  const dms = await startFailingDms(behave);
  const result = await check(dms.url, settings, runAs);
  return { ...result, requests: dms.requests, host: new URL(dms.url).host };
}

describe('checkDms', () => {
  it('reads each part of the API once, and writes nothing', async () => {
    const { isUsable, lines, requests, host } = await checkOf(respond(healthy), service, 'usr-ann');
    expect(lines.slice(0, -1)).toEqual([
      `ok connection ${host} is reachable`,
      expect.stringMatching(/^ok clock the clocks differ by [0-5] s$/),
      'ok credential is accepted',
      'ok run-as svc-run-as is obeyed',
      'ok total count is in svc-total-count',
      'ok forms can be read',
      'ok form path is sysForm',
      'ok persons can be read',
      'ok attachment path has the document ID',
      'ok list values have the shape of version 2',
    ]);
    expect(lines.at(-1)).toMatch(/^(?:ok|warn) latency a page of one document takes \d+ ms/);
    expect(isUsable).toBe(true);
    expect(requests).toEqual([
      'GET /',
      ...Array.from({ length: 3 }, () => `GET ${view}`), // as the account, the user, and an unknown user
      'GET /api/v2/sysForm',
      'GET /api/v2/person/usr-ann',
      `GET /api/v2/docForm/${document._id}/file${file}`,
      'GET /api/v2/listValue',
      ...Array.from({ length: 3 }, () => `GET ${view}`),
    ]);
  });

  it('finds the other variants of an ambiguous specification', async () => {
    const older: Routes = {
      ...healthy,
      '/api/v2/sysForm': undefined,
      '/api/v2/sysFrom': [],
      [`/api/v2/docForm/${document._id}/file${file}`]: undefined,
      [`/api/v2/docForm/${document._id}`]: document,
      [`/api/v2/docForm/file${file}`]: 'bytes',
      '/api/v2/listValue': [{ _id: '64c000000000000000000001', valuedata: 'Areas' }],
    };
    const { lines } = await checkOf((request, response, nth) => {
      response.setHeader = new Proxy(response.setHeader, {
        apply: (set, self, [name, value]: [string, string]) =>
          Reflect.apply(set, self, [name.replace('svc-', 'X-'), value]),
      });
      respond(older)(request, response, nth);
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        'ok total count is in x-total-count',
        'ok form path is sysFrom',
        'ok attachment path is the older one, without the document ID',
        'ok list values have the shape of version 1',
      ]),
    );
  });

  it('warns of missing roles, headers and directories', async () => {
    const { isUsable, lines } = await checkOf((request, response, nth) => {
      const refused = { '/api/v2/sysForm': 403, '/api/v2/person/usr-ann': 403 };
      const listValues = { '/api/v2/listValue': 503 };
      const files = { [`/api/v2/docForm/${document._id}/file${file}`]: 500 };
      respond({ ...healthy, ...refused, ...listValues, ...files })(request, response, nth);
    });
    expect(lines.slice(3, -1)).toEqual([
      'skip run-as Unknown without a user for whom the gateway can read. Add --run-as USER.',
      'ok total count is in svc-total-count',
      'warn forms GET /api/v2/sysForm: status 403. The fields form and forms need the role elAdminDocsR.',
      'skip form path Unknown until forms can be read.',
      'warn persons GET /api/v2/person/usr-ann: status 403. Authors and members need the right to read persons.',
      `warn attachment path GET /api/v2/docForm/${document._id}/file${file}: status 500, expected status 200. Downloads fail.`,
      'warn list values GET /api/v2/listValue: status 503. Directories and list values fail.',
    ]);
    expect(isUsable).toBe(true);
  });

  it('says what an empty DMS does not show', async () => {
    const empty = { ...healthy, '/api/v2/docForm/view/all': [], '/api/v2/listValue': [] };
    const { lines } = await checkOf((request, response) => {
      response.end(JSON.stringify((empty as Routes)[pathOf(request)]));
    });
    expect(lines.slice(4, -1)).toEqual([
      'warn total count Neither svc-total-count nor X-Total-Count: totalCount is null. Check proxies.',
      'ok forms can be read',
      'ok form path is sysForm',
      'skip persons The first document has no person as author.',
      'skip attachment path The first document has no file.',
      'skip list values There is no directory.',
    ]);
  });

  it('fails if the DMS ignores the user', async () => {
    const { isUsable, lines } = await checkOf((_request, response) => {
      response.end(JSON.stringify([document]));
    });
    expect(lines[3]).toBe(
      'fail run-as The DMS ignores svc-run-as. Set DMS_RUN_AS_HEADER, or every user sees what the account sees.',
    );
    expect(isUsable).toBe(false);
  });

  it('does not know whether the DMS obeys the user if nobody sees a document', async () => {
    const { lines } = await checkOf(
      (_request, response) => void response.end('[]'),
      service,
      'usr-ann',
    );
    expect(lines[3]).toBe('skip run-as Unknown until the account can read a document.');
  });

  it('fails if the user cannot be used', async () => {
    const { isUsable, lines } = await checkOf(respond(healthy), service, 'usr-bob');
    expect(lines[3]).toBe(
      `fail run-as GET ${view}: status 403. Name an active user, and let the account act for users.`,
    );
    expect(isUsable).toBe(false);
  });

  it('never prints a credential that the DMS repeats', async () => {
    const { isUsable, lines, output } = await checkOf((request, response) => {
      const { authorization = '' } = request.headers;
      response.writeHead(401, { 'x-error': authorization, 'content-type': authorization });
      response.end(authorization);
    });
    expect(lines.at(-1)).toBe(`fail credential GET ${view}: status 401. Check DMS_AUTHORIZATION.`);
    expect(output).not.toContain('the-secret');
    expect(isUsable).toBe(false);
  });

  it.each([
    [404, '', 'status 404. Check the path of DMS_URL.'],
    [403, '', 'status 403. Let the account read documents.'],
    [503, '', 'status 503. Check whether the DMS runs, and proxies in front of it.'],
    [302, '', 'status 302, expected status 200. DMS_URL may name a web interface,'],
    [200, '<!doctype html>', 'status 200, expected JSON. DMS_URL may name a web interface,'],
    [200, '{}', 'UPSTREAM_ERROR, expected an array. Ask the operator of the DMS.'],
  ])('ends at the credential with status %i and %j', async (status, body, found) => {
    const { isUsable, lines, requests } = await checkOf((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', location: '/login' }).end(body);
    });
    expect(lines.at(-1)).toContain(`fail credential GET ${view}: ${found}`);
    expect(requests).toEqual(['GET /', `GET ${view}`]);
    expect(isUsable).toBe(false);
  });

  it('names the settings of a signed credential that is rejected', async () => {
    const signed = { DMS_ACCOUNT_ID: 'api-gateway', DMS_ACCOUNT_KEY: 'k'.repeat(32) };
    const { lines } = await checkOf(
      (_request, response) => {
        response.writeHead(401, { date: new Date(Date.now() - 600_000).toUTCString() }).end();
      },
      { IDENTITY: 'service', FILE_URL_SECRET: 'f'.repeat(32), ...signed },
    );
    expect(lines[1]).toMatch(
      /^warn clock the clocks differ by 60[01] s\. Synchronize them: a token of DMS_ACCOUNT_KEY/,
    );
    expect(lines[2]).toContain(
      'Check DMS_ACCOUNT_ID, DMS_ACCOUNT_KEY, DMS_ACCOUNT_ALG and the clock.',
    );
  });

  it('checks the connection alone if clients send their own credentials', async () => {
    const { isUsable, lines } = await checkOf(
      (_request, response) => void response.writeHead(401).end(),
      {},
    );
    expect(lines.slice(2)).toEqual([
      'skip credential Clients send their own (IDENTITY=passthrough). Run this command with IDENTITY=service and a credential for the other checks.',
    ]);
    expect(isUsable).toBe(true);
  });

  it('warns of a DMS that requires no credential', async () => {
    const { lines } = await checkOf(respond(healthy), {});
    expect(lines[2]).toBe('warn credential The DMS requires none.');
  });

  it('warns of a slow DMS', async () => {
    const pass = passable();
    pass.stopClock();
    let isSlow = false;
    const { lines } = await checkOf((request, response, nth) => {
      isSlow ||= request.url === '/api/v2/listValue';
      if (isSlow) pass(500);
      respond(healthy)(request, response, nth);
    });
    expect(lines.at(-1)).toMatch(
      /^warn latency a page of one document takes 500 ms\. A nested query waits for several of them/,
    );
  });

  it('survives a DMS that ends each connection after its first answer', async () => {
    const { isUsable, lines } = await checkOf(({ socket }, response, nth) => {
      if (nth > 1) socket.destroy();
      else response.end();
    });
    expect(lines.at(-1)).toBe(
      `fail credential GET ${view}: UPSTREAM_UNAVAILABLE, expected a stable connection. Check whether the DMS runs, and proxies in front of it.`,
    );
    expect(isUsable).toBe(false);
  });

  it('says what to do about a client certificate', async () => {
    const { isUsable, lines, host } = await checkOf((_request, response) => {
      response.writeHead(400).end('<center>No required SSL certificate was sent</center>');
    });
    expect(lines).toEqual([
      `fail connection ${host}: it requires a client certificate. Set DMS_CLIENT_CERT_FILE and DMS_CLIENT_KEY_FILE.`,
    ]);
    expect(isUsable).toBe(false);
  });

  it('says what to do about HTTP/2', async () => {
    const server = createHttp2Server().on('sessionError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { lines } = await check(`http://127.0.0.1:${port}`);
    expect(lines).toEqual([
      `fail connection 127.0.0.1:${port}: it speaks HTTP/2 only. The gateway speaks HTTP/1.1: enable it in the DMS, and check the port in DMS_URL.`,
    ]);
  });

  it('begins with the warnings of the settings', async () => {
    const { lines, isUsable } = await checkOf(respond(healthy), {
      ...service,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      ALL_PROXY: 'http://proxy:3128',
    });
    expect(lines[0]).toMatch(/^warn settings ALL_PROXY has no effect/);
    expect(lines[1]).toMatch(/^warn settings NODE_TLS_REJECT_UNAUTHORIZED=0 /);
    expect(lines[2]).toMatch(/^ok connection /);
    expect(isUsable).toBe(true);
  });

  it('names DNS for an unknown host', async () => {
    const { isUsable, lines } = await check('https://dms.invalid/base');
    expect(lines).toEqual([
      expect.stringMatching(
        /^fail connection dms\.invalid: (?:ENOTFOUND|EAI_AGAIN)\. Check the host name in DMS_URL, and DNS\.$/,
      ),
    ]);
    expect(isUsable).toBe(false);
  });

  it('names the address if nothing listens there', async () => {
    const url = await refusingUrl();
    const { lines } = await check(url);
    expect(lines).toEqual([
      `fail connection ${new URL(url).host}: ECONNREFUSED. Check host and port in DMS_URL, and firewalls.`,
    ]);
  });

  it.each(['directly', 'through a proxy'])(
    'names the certificate of an unknown authority %s, and sends nothing',
    async (how) => {
      const proxy = await startForwardProxy();
      const isProxied = how === 'through a proxy';
      const certificate = readCertificate(createAuthority().issue());
      const dms = await startFailingDms(respond(healthy), 0, certificate);
      const { host } = new URL(dms.url);
      const { lines } = await check(dms.url, {
        ...service,
        ...(isProxied && { HTTPS_PROXY: proxy.url }),
      });
      const through = isProxied ? ` through the proxy ${proxy.url}` : '';
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      expect(lines).toEqual([
        `fail connection ${host}${through}: UNABLE_TO_VERIFY_LEAF_SIGNATURE (CN=issued-1, valid until ${tomorrow}). Check the certificate of the DMS. For a private authority, set DMS_CA_FILE to its file. For another name, set DMS_TLS_SERVER_NAME.`,
      ]);
      expect(dms.requests).toEqual([]);
      expect(proxy.targets).toEqual(isProxied ? [host, host] : []);
    },
  );

  it('uses the certificates of the settings, and names those that have expired', async () => {
    const authority = createAuthority();
    const old = authority.issue({ name: 'old', validity: ['20200101', '20200102'] });
    const tls = { ...readCertificate(authority.issue()), ca: readCertificate(authority).cert };
    const options = { ...tls, requestCert: true, rejectUnauthorized: false };
    const dms = await startFailingDms(respond(healthy), 0, options);
    const { lines, isUsable } = await check(dms.url, {
      ...service,
      DMS_CA_FILE: authority.cert,
      DMS_CLIENT_CERT_FILE: old.cert,
      DMS_CLIENT_KEY_FILE: old.key,
    });
    expect(lines[0]).toMatch(/^ok certificates DMS_CA_FILE: CN=authority, valid until \S+, \/\S+$/);
    expect(lines[1]).toBe(
      `warn certificates DMS_CLIENT_CERT_FILE: CN=old, valid until 2020-01-02, ${old.cert}: it has expired. Replace it.`,
    );
    expect(lines[2]).toMatch(/^ok connection /);
    expect(isUsable).toBe(true);
  });

  it.each(['directly', 'through a proxy'])(
    'names the settings if the DMS requires a client certificate, or rejects it (%s)',
    async (how) => {
      const proxy = how === 'directly' ? {} : { HTTPS_PROXY: (await startForwardProxy()).url };
      const authority = createAuthority();
      const url = await startTlsRejection(authority.issue(), createAuthority('other'));
      const ca = { ...service, ...proxy, DMS_CA_FILE: authority.cert };
      expect((await check(url, ca)).lines[1]).toContain(
        'it requires a client certificate. Set DMS_CLIENT_CERT_FILE and DMS_CLIENT_KEY_FILE.',
      );
      const { cert, key } = authority.issue();
      const client = { DMS_CLIENT_CERT_FILE: cert, DMS_CLIENT_KEY_FILE: key };
      expect((await check(url, { ...ca, ...client })).lines[2]).toContain(
        'it rejects the client certificate. Check DMS_CLIENT_CERT_FILE, and which authorities the DMS trusts.',
      );
    },
  );

  it('names the port if it does not accept TLS', async () => {
    const dms = await startFailingDms(() => {});
    const { lines } = await check(dms.url.replace('http:', 'https:'));
    expect(lines[0]).toContain('Check whether the port in DMS_URL accepts https.');
    expect(dms.requests).toEqual([]);
  });
});

describe('checkDms through a proxy', () => {
  it.each<readonly [string, () => Promise<string>, RegExp]>([
    [
      'refuses',
      async () => (await startForwardProxy(requireCredentials('ann', 'other'))).url,
      /proxy: status 407 to CONNECT, it requires other credentials\. /,
    ],
    ['does not run', refusingUrl, /proxy: no connection \(ECONNREFUSED\)\. /],
  ])('names one that %s', async (_what, start, reason) => {
    const proxy = await start();
    const dms = await startFailingDms(respond(healthy));
    const HTTP_PROXY = proxy.replace('//', '//ann:hunter2@');
    const { isUsable, lines, output } = await check(dms.url, { ...service, HTTP_PROXY });
    expect(lines).toEqual([
      expect.stringMatching(
        `^fail connection \\S+ through the proxy ${proxy}: ${reason.source}Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and whether the proxy allows the port\\.$`,
      ),
    ]);
    expect(output).not.toContain('hunter2');
    expect(isUsable).toBe(false);
    expect(dms.requests).toEqual([]);
  });
});

describe('checkDms with a token issuer', () => {
  const jwt = {
    ...service,
    IDENTITY: 'jwt',
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'gateway',
  };
  const lineOf = (lines: readonly string[]) => lines.find((line) => line.includes('token issuer'));

  it('reads its keys, through its proxy', async () => {
    const keys = await startKeyServer();
    await keys.add('first');
    const proxy = await startForwardProxy();
    const dms = await startFailingDms(respond(healthy));
    const settings = { ...jwt, JWT_JWKS_URL: keys.url, HTTP_PROXY: proxy.url };
    const { host } = new URL(keys.url);
    expect(lineOf((await check(dms.url, settings)).lines)).toBe(
      `ok token issuer ${host} through the proxy ${proxy.url} is reachable, number of keys: 1`,
    );
    const direct = { ...settings, NO_PROXY: '*' };
    expect(lineOf((await check(dms.url, direct)).lines)).toBe(
      `ok token issuer ${host} is reachable, number of keys: 1`,
    );
    expect(keys.asked()).toBe(2);
  });

  it('names its certificate, and fails', async () => {
    const authority = createAuthority();
    const issuer = await startFailingDms(
      (_request, response) => void response.end('{"keys":[]}'),
      0,
      readCertificate(authority.issue({ name: 'issuer' })),
    );
    const dms = await startFailingDms(respond(healthy));
    const settings = { ...jwt, JWT_JWKS_URL: issuer.url };
    const { host } = new URL(issuer.url);
    const { lines, isUsable } = await check(dms.url, settings);
    expect(lineOf(lines)?.replace(/until [\d-]+/, 'until DAY')).toBe(
      `fail token issuer ${host}: UNABLE_TO_VERIFY_LEAF_SIGNATURE (CN=issuer, valid until DAY). No token is accepted. Check JWT_JWKS_URL. For a private authority, set JWT_JWKS_CA_FILE to its file.`,
    );
    expect(isUsable).toBe(false);
    const trusted = { ...settings, JWT_JWKS_CA_FILE: authority.cert };
    expect(lineOf((await check(dms.url, trusted)).lines)).toBe(
      `ok token issuer ${host} is reachable, number of keys: 0`,
    );
    expect(issuer.requests).toEqual(['GET /']);
  });
});

describe('the addresses of the DMS', () => {
  it('are listed, and one at which nothing listens is a warning', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation((async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]) as unknown as typeof dns.lookup);
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const dms = await startFailingDms(respond(healthy));
    const url = dms.url.replace('127.0.0.1', 'localhost');
    const addressesOf = async (settings = {}) =>
      (await check(url, { ...service, ...settings })).lines.filter((line) =>
        line.includes('addresses'),
      );
    const dead =
      'warn addresses 127.0.0.2: ECONNREFUSED. New connections use the others. Check DNS.';
    expect(await addressesOf()).toEqual([
      'ok addresses 127.0.0.1, 127.0.0.2. A connection has no maximum age (DMS_CONNECTION_MAX_AGE_S).',
      dead,
    ]);
    expect(await addressesOf({ DMS_CONNECTION_MAX_AGE_S: '60' })).toEqual([
      'ok addresses 127.0.0.1, 127.0.0.2. A connection is used for at most 60 s.',
      dead,
    ]);
  });
});

describe('the command check', () => {
  it('ends with 0 on the sandbox', async () => {
    const gateway = spawnGateway({}, 'check', '--run-as', 'usr-ann');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toMatch(/^ok +run-as +svc-run-as is obeyed$/m);
    expect(gateway.output()).not.toMatch(/^fail/m);
  });

  it('ends with 1 if a check fails', async () => {
    const gateway = spawnGateway({ DMS_URL: await refusingUrl() }, 'check');
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/^fail +connection /);
  });

  it.each([
    ['chek', `Unknown argument 'chek'`],
    ['check more', `Unknown argument 'more'`],
    ['check --out a', '--out needs forms, or schema'],
    [
      'check --run-as a,b',
      '--run-as needs check or forms, and the system ID or e-mail address of a user',
    ],
  ])('rejects %s', async (flags, message) => {
    const gateway = spawnGateway({}, ...flags.split(' '));
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toContain(message);
  });
});
