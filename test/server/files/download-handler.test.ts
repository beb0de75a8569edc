import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { misbehave, startFailingDms, type Behaviour } from '../../helpers/failing-dms.ts';
import {
  startGateway,
  startGatewayBefore,
  shareGatewayOnSandbox,
  startGatewayOnSandbox,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts';
import { fakeTimers, whileTimePasses } from '../../helpers/fake-timers.ts';
import { untilUnchanged } from '../../helpers/until-unchanged.ts';
import { jwtIdentity, tokenWith } from '../../helpers/jwt.ts';

const onSandbox = shareGatewayOnSandbox();

const inbox = '{ documents(view: ALL, first: 50) { nodes { fullId files { id name url } } } }';

interface FileNode {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

async function firstFile(gateway: TestGateway): Promise<FileNode & { readonly doc: string }> {
  const { data } = await gateway.query(inbox);
  for (const { fullId, files } of data.documents.nodes) {
    if (files.length > 0) return { ...files[0], doc: fullId };
  }
  throw new Error('the sandbox has files');
}

describe('a file', () => {
  it('with an invalid ID does not affect its document', async () => {
    const { dms, query, fetch } = await startGateway();
    const fullId = '5f0000000000000000000001';
    dms.reply('GET', /docForm/, { _id: fullId, filesList: [{ id: '\ud800', fileName: 'a' }] });
    const { data, errors } = await query(`{ document(id: "${fullId}") { files { name url } } }`);
    expect(errors).toBeUndefined();
    const [file] = data.document.files;
    expect(file.name).toBe('a');
    dms.reply('GET', /docForm/, '', { status: 404 });
    expect((await fetch(new URL(file.url).pathname + new URL(file.url).search)).status).toBe(404);
  });

  it('is served by the link of a query', async () => {
    const gateway = onSandbox();
    const { url, name, doc, id } = await firstFile(gateway);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    const body = new Uint8Array(await response.arrayBuffer());
    const direct = await fetch(`${gateway.sandbox.url}/api/v2/docForm/${doc}/file/${id}`, {
      headers: { authorization: gateway.sandbox.authorization },
    });
    expect(hash(body)).toBe(hash(new Uint8Array(await direct.arrayBuffer())));
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="?/);
    const extended = /filename\*=UTF-8''(\S+)/.exec(
      response.headers.get('content-disposition') ?? '',
    );
    const plain = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '');
    expect(extended ? decodeURIComponent(extended[1]!) : plain?.[1]).toBe(name);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is signed once for all aliases of its URL', async () => {
    const { dms, query } = await startGateway();
    const fullId = '5f0000000000000000000001';
    const filesList = ['a', 'b'].map((id) => ({ id, fileName: id }));
    dms.reply('GET', /docForm/, { _id: fullId, filesList });
    // Two links that are signed at different times differ.
    let nowMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 1000));
    onTestFinished(() => clock.mockRestore());
    const { data } = await query(`{
      a: document(id: "${fullId}") { files { url again: url } more: files { url } }
      b: document(id: "${fullId}") { files { url } }
    }`);
    const urls = [data.a.files, data.a.more, data.b.files].flatMap((files: FileNode[], index) =>
      files.flatMap((file) => (index === 0 ? Object.values(file) : [file.url])),
    );
    expect(urls).toHaveLength(8);
    expect(new Set(urls).size).toBe(2);
  });

  it('has the content headers of the DMS and no others', async () => {
    const gateway = await startGateway();
    const headers = {
      'content-type': 'image/png',
      'content-encoding': 'identity',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    };
    const others = { 'set-cookie': 'session=secret', server: 'dms', 'x-internal': 'secret' };
    gateway.dms.reply('GET', /idp/, 'bytes', { headers: { ...headers, ...others } });
    const response = await gateway.fetch('/files/documents/d/reco-data/e/f');
    expect([response.status, await response.text()]).toEqual([200, 'bytes']);
    expect(gateway.dms.requests).toEqual(['GET /api/v2/idp/d/recoData/e/file/f']);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    for (const name of Object.keys(others)) expect(response.headers.has(name)).toBe(false);
  });

  it('is served in ranges', async () => {
    const gateway = onSandbox();
    const { url } = await firstFile(gateway);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const part = await fetch(url, { headers: { range: 'bytes=2-5' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 2-5/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(2, 6));
    const beyond = await fetch(url, { headers: { range: `bytes=${whole.length}-` } });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  it.each<[string, Behaviour, number, string]>([
    ['stalls', misbehave.silence, 504, 'UPSTREAM_TIMEOUT'],
    ['is cut', misbehave.reset, 503, 'UPSTREAM_UNAVAILABLE'],
  ])('returns an error if it %s before its first byte', async (_what, behave, status, code) => {
    const dms = await startFailingDms((request, response, nth) => {
      response.writeHead(200, { 'content-length': '9' });
      response.flushHeaders();
      setImmediate(behave, request, response, nth);
    });
    fakeTimers('performance', 'setTimeout');
    const gateway = await startGatewayBefore(dms.url, { http: { timeoutMs: 1000 } });
    const opened = gateway.fetch('/files/documents/d1/f1');
    await expect.poll(() => dms.requests).toHaveLength(1);
    if (status === 504) await whileTimePasses(opened);
    const response = await opened;
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { errors: [{ extensions: { code } }] },
    ]);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(dms.requests).toHaveLength(1);
  });

  it('is rejected if the DMS sends a part of it that nobody requested', async () => {
    const gateway = await startGateway();
    const headers = { 'content-type': 'image/png', 'content-range': 'bytes 0-4/10' };
    gateway.dms.reply('GET', /idp/, 'bytes', { status: 206, headers });
    const whole = await gateway.fetch('/files/documents/d/reco-data/e/f');
    expect([whole.status, await whole.json()]).toMatchObject([
      502,
      { errors: [{ extensions: { code: 'UPSTREAM_ERROR', status: 206 } }] },
    ]);
    const part = await gateway.fetch('/files/documents/d/reco-data/e/f', {
      headers: { range: 'bytes=0-4' },
    });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
  });

  it('returns its length to HEAD', async () => {
    const gateway = onSandbox();
    const { url } = await firstFile(gateway);
    const head = await fetch(url, { method: 'HEAD' });
    const whole = await (await fetch(url)).arrayBuffer();
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(whole.byteLength));
    expect(head.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await head.text()).toBe('');
  });

  it('uses the headers of the client in passthrough mode', async () => {
    const gateway = await startGatewayOnSandbox({ server: { identity: { mode: 'passthrough' } } });
    const { authorization } = gateway.sandbox;
    const { data } = await gateway.query(inbox, {}, { authorization });
    const { url } = data.documents.nodes.flatMap(({ files }: { files: FileNode[] }) => files)[0];
    expect(url).not.toContain('?');
    const refused = await fetch(url);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) } }],
    });
    const response = await fetch(url, { headers: { authorization } });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  it('has a URL below PUBLIC_URL', async () => {
    const gateway = await startGateway({ server: { publicUrl: 'https://files.example/gw' } });
    gateway.dms.reply('GET', /docForm/, {
      _id: '65f000005eed00d0000000bf',
      filesList: [{ id: 'a', fileName: 'b' }],
    });
    const { data } = await gateway.query(
      '{ document(id: "65f000005eed00d0000000bf") { files { url } } }',
    );
    expect(data.document.files[0].url).toMatch(
      /^https:\/\/files\.example\/gw\/files\/documents\/65f000005eed00d0000000bf\/a\?t=/,
    );
  });
});

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const jwtMode = { identity: jwtIdentity };

async function as(email: string): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await tokenWith({ email })}` };
}

/** Starts a gateway that identifies users by token, with a file link of one of them. */
async function startLinked(server: TestGatewayOptions['server'] = {}) {
  const gateway = await startGateway({ server: { ...jwtMode, ...server } });
  gateway.dms.reply('GET', '/api/v2/docForm/65f000005eed00d0000000bf', {
    _id: '65f000005eed00d0000000bf',
    filesList: [
      { id: 'f1', fileName: 'a.txt' },
      { id: 'f2', fileName: 'b.txt' },
    ],
  });
  gateway.dms.reply(
    'GET',
    /\/file\//,
    ({ path, headers }) => `${path} as ${headers['svc-run-as']}`,
  );
  const { data } = await gateway.query(
    '{ document(id: "65f000005eed00d0000000bf") { files { url } } }',
    {},
    await as('ann@example.com'),
  );
  const [link, other] = data.document.files;
  return { gateway, link: new URL(link.url), other: new URL(other.url) };
}

async function statusOf(url: URL | string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers });
  await response.text();
  return response.status;
}

describe('a link', () => {
  it('works without headers as its user', async () => {
    const { link } = await startLinked();
    const response = await fetch(link);
    expect(await response.text()).toMatch(/\/file\/f1 as ann@example\.com$/);
  });

  it('works with headers of the same user', async () => {
    const { link } = await startLinked();
    expect(await statusOf(link, await as('ann@example.com'))).toBe(200);
  });

  it('is rejected with headers of another user', async () => {
    const { gateway, link } = await startLinked();
    const before = gateway.dms.requests.length;
    expect(await statusOf(link, await as('bob@example.com'))).toBe(403);
    expect(gateway.dms.requests).toHaveLength(before);
  });

  it('is rejected for another file', async () => {
    const { link, other } = await startLinked();
    expect(await statusOf(new URL(link.search, other))).toBe(403);
  });

  it('is rejected with another user in it', async () => {
    const { link } = await startLinked();
    const [expiry, , mac] = link.searchParams.get('t')!.split('.');
    const bob = Buffer.from('bob@example.com').toString('base64url');
    for (const user of [bob, '']) {
      link.searchParams.set('t', `${expiry}.${user}.${mac}`);
      expect(await statusOf(link)).toBe(403);
    }
  });

  it('is rejected with a later expiry in it', async () => {
    const { link } = await startLinked();
    const [expiry, user, mac] = link.searchParams.get('t')!.split('.');
    const later = (Number.parseInt(expiry!, 36) + 1000).toString(36);
    link.searchParams.set('t', `${later}.${user}.${mac}`);
    expect(await statusOf(link)).toBe(403);
  });

  it.each(['', 'x', 'a.b.c', `${'z'.repeat(10)}..${'A'.repeat(43)}`])(
    'is rejected as %j',
    async (t) => {
      const { link } = await startLinked();
      link.searchParams.set('t', t);
      expect(await statusOf(link)).toBe(403);
    },
  );

  it.each([10, 300])('is valid for FILE_URL_TTL_S=%i', async (fileUrlTtlS) => {
    const wholeSecond = Math.ceil(Date.now() / 1000) * 1000; // a link expires at a whole second
    vi.useFakeTimers({ toFake: ['Date'], now: wholeSecond });
    onTestFinished(() => void vi.useRealTimers());
    const { link } = await startLinked({ fileUrlTtlS });
    vi.setSystemTime(wholeSecond + (fileUrlTtlS - 1) * 1000);
    expect(await statusOf(link)).toBe(200);
    vi.setSystemTime(wholeSecond + (fileUrlTtlS + 1) * 1000);
    expect(await statusOf(link)).toBe(403);
  });

  it.each([
    ['accepted', 'one minute', 60_000, 200],
    ['refused', 'more', 62_000, 403],
  ])('is %s when the clock was set back by %s', async (_outcome, _by, ms, status) => {
    const { link } = await startLinked();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ms });
    onTestFinished(() => void vi.useRealTimers());
    expect(await statusOf(link)).toBe(status);
  });

  it('is rejected by a gateway with another secret', async () => {
    const { link } = await startLinked();
    const other = await startGateway({ server: { ...jwtMode, fileUrlSecret: null } });
    expect(await statusOf(other.url + link.pathname + link.search)).toBe(403);
  });

  it('is required without headers', async () => {
    const { link } = await startLinked();
    link.search = '';
    expect(await statusOf(link)).toBe(401);
    expect(await statusOf(link, await as('bob@example.com'))).toBe(200);
  });

  it('rejects a run-as header', async () => {
    const { link } = await startLinked();
    expect(await statusOf(link, { 'svc-run-as': 'usr-boss' })).toBe(403);
  });

  it('of a user does not authenticate the service account', async () => {
    const { link } = await startLinked();
    const service = await startGateway();
    expect(await statusOf(service.url + link.pathname + link.search)).toBe(403);
  });
});

describe('a URL', () => {
  it.each([
    '/files/',
    '/files/documents/a',
    '/files/documents//b',
    '/files/documents/a/b/c',
    '/files/documents/a/reco-data/b',
    '/files/documents/a/reco-data/b/c/d',
    '/files/documents/a/other/b/c',
    '/files/persons/a/b',
  ])('without a resource returns 404: %s', async (path) => {
    const gateway = await startGateway();
    expect((await gateway.fetch(path)).status).toBe(404);
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each(['a%2Fb', '%2e%2e%2fadmin', 'a%252e', 'a%0d%0aX: y', 'a%00', '%20'])(
    'cannot lead to another path: %s',
    async (id) => {
      const gateway = await startGateway();
      const response = await gateway.fetch(`/files/documents/${id}/f1`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      });
      expect(gateway.dms.requests).toEqual([]);
    },
  );

  it('keeps query and fragment characters in the ID', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /./, 'content');
    const response = await gateway.fetch('/files/documents/a%3Fx=1&y%23z/f%201');
    expect(response.status).toBe(200);
    expect(gateway.dms.received.map(({ path }) => path)).toEqual([
      '/api/v2/docForm/a%3Fx%3D1%26y%23z/file/f%201',
    ]);
  });
});

/** Starts a gateway with a failing DMS. */
async function startBefore(behave: Behaviour, timeoutMs = 30_000) {
  const dms = await startFailingDms(behave);
  const gateway = await startGatewayBefore(dms.url, { http: { timeoutMs } });
  return { dms, gateway };
}

describe('a DMS that fails', () => {
  const before: readonly [string, Behaviour, number, string, number?][] = [
    ['resets', (request) => request.socket.resetAndDestroy(), 503, 'UPSTREAM_UNAVAILABLE'],
    ['does not respond', () => {}, 504, 'UPSTREAM_TIMEOUT', 300],
    [
      'returns 500',
      (_request, response) => response.writeHead(500).end('secret'),
      502,
      'UPSTREAM_ERROR',
    ],
    ['returns 404', (_request, response) => response.writeHead(404).end(), 404, 'NOT_FOUND'],
  ];
  it.each(before)(
    'before the first byte returns a status: it %s',
    async (_what, behave, status, code, timeoutMs) => {
      const { gateway } = await startBefore(behave, timeoutMs);
      const response = await gateway.fetch('/files/documents/d/f');
      expect(response.status).toBe(status);
      const body = await response.text();
      expect(JSON.parse(body).errors[0].extensions.code).toBe(code);
      expect(body).not.toContain('secret');
    },
  );

  const within: readonly [string, Behaviour][] = [
    [
      'ends before the announced length',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('x'.repeat(500), () => response.destroy());
      },
    ],
    [
      'breaks off without a length',
      (_request, response) => {
        response.writeHead(200);
        response.write('x'.repeat(500), () => response.destroy());
      },
    ],
    [
      'stops sending',
      (_request, response) => {
        response.writeHead(200);
        response.write('x'.repeat(500));
      },
    ],
  ];
  it.each(within)('within the file breaks the response: it %s', async (_what, behave) => {
    const { gateway } = await startBefore(behave, 300);
    const response = await gateway.fetch('/files/documents/d/f');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    await expect
      .poll(() => gateway.log.find(({ msg }) => msg === 'request'))
      .toMatchObject({ kind: 'file', outcome: expect.stringMatching(/^UPSTREAM_/) });
    expect(gateway.log.some(({ msg }) => msg === 'failure')).toBe(true);
  });

  it("cannot serve a page in the gateway's origin", async () => {
    const { gateway } = await startBefore((_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-disposition': 'inline; filename=a.html',
        'content-security-policy': "default-src *; script-src 'unsafe-inline'",
        'set-cookie': 'a=b',
        'x-frame-options': 'ALLOWALL',
        location: 'https://evil.example',
      });
      response.end('<script>alert(1)</script>');
    });
    const { headers } = await gateway.fetch('/files/documents/d/f');
    expect(headers.get('content-disposition')).toBe('attachment; filename=a.html');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('location')).toBeNull();
  });
});

describe('a client that disconnects', () => {
  it('ends the request of the DMS', async () => {
    const ended = Promise.withResolvers<void>();
    const { gateway, dms } = await startBefore((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 5);
      response.on('close', () => {
        clearInterval(timer);
        ended.resolve();
      });
    });
    const client = await new Promise<IncomingMessage>((resolve) => {
      get(`${gateway.url}/files/documents/d/f`, resolve);
    });
    client.once('data', () => client.destroy());
    await ended.promise;
    await expect.poll(() => dms.openSockets.size).toBe(0);
    await expect
      .poll(() => gateway.log.find(({ msg }) => msg === 'request'))
      .toMatchObject({ kind: 'file', outcome: 'CANCELLED' });
    expect(gateway.log.filter(({ msg }) => msg === 'failure')).toEqual([]);
  });

  it('applies back-pressure if it reads slowly', async () => {
    let sent = 0;
    const { gateway } = await startBefore((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1 << 20);
      const more = (): void => {
        while (sent < 400 && response.write(chunk)) sent += 1;
        if (sent < 400) {
          sent += 1;
          response.once('drain', more);
        } else response.end();
      };
      more();
    });
    const client = await new Promise<IncomingMessage>((resolve) => {
      get(`${gateway.url}/files/documents/d/f`, resolve);
    });
    client.pause();
    expect(await untilUnchanged(() => sent)).toBeLessThan(100);
    client.destroy();
  });
});
