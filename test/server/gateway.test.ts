import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../helpers/gateway.ts';
import { openConnection, readToEnd } from '../helpers/raw-connection.ts';

const document = '{ viewer { runAs } }';

/** Sends bytes that no client library would send, and returns the response. */
function raw({ url }: TestGateway, bytes: string): Promise<string> {
  const socket = openConnection(url);
  socket.write(bytes);
  return readToEnd(socket);
}

describe('responses', () => {
  it.each(['/graphql', '/files/documents/a/b', '/healthz', '/nowhere'])(
    'have security headers on %s',
    async (path) => {
      const gateway = await startGateway();
      const { headers } = await gateway.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('have the valid request ID of the client', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'x' });
    const { headers } = await gateway.query(
      '{ person(id: "usr-ann") { email } }',
      {},
      {
        'x-request-id': 'trace-1.a_b',
      },
    );
    expect(headers.get('x-request-id')).toBe('trace-1.a_b');
    expect(gateway.dms.received[0]?.headers['x-request-id']).toBe('trace-1.a_b');
  });

  it.each(['a b', 'x'.repeat(65), 'a"b', 'ä', ''])(
    'have a new request ID instead of %j',
    async (id) => {
      const gateway = await startGateway();
      const { headers } = await gateway.query(document, {}, { 'x-request-id': id });
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    },
  );
});

describe('unusual requests', () => {
  it.each([
    ['PUT', '/graphql', 'GET, POST, OPTIONS'],
    ['DELETE', '/graphql', 'GET, POST, OPTIONS'],
    ['HEAD', '/graphql', 'GET, POST, OPTIONS'],
    ['POST', '/files/documents/a/b', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/schema.graphql', 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/healthz', 'GET, HEAD'],
  ])('get 405 for %s %s', async (method, path, allow) => {
    const gateway = await startGateway();
    const response = await gateway.fetch(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
  });

  it.each([
    '/graphql/',
    '/graphql/health',
    '/health',
    '/constructor',
    '//graphql',
    '/%2e%2e/graphql',
  ])('get 404 for %s', async (path) => {
    const gateway = await startGateway();
    const response = await raw(
      gateway,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).toContain('"code":"NOT_FOUND"');
  });

  const malformed: readonly [string, string, RegExp][] = [
    ['invalid HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'no host',
      'GET /graphql HTTP/1.1\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 [\s\S]*must have a Host header/,
    ],
    [
      'an invalid host',
      'GET /graphql?query=%7Bx%7D HTTP/1.1\r\nHost: a b<script>\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 [\s\S]*The Host header must be a host name/,
    ],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 404 /],
    [
      'a broken escape in a file address',
      'GET /files/documents/%zz/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 404 /,
    ],
    [
      'two lengths',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      /^HTTP\/1\.1 400 /,
    ],
  ];
  it.each(malformed)('with %s get an error response', async (_what, bytes, answer) => {
    const gateway = await startGateway();
    expect(await raw(gateway, bytes)).toMatch(answer);
    expect((await gateway.query(document)).status).toBe(200);
  });

  it('with a long URL get the limit and an alternative', async () => {
    const gateway = await startGateway();
    const long = 'x'.repeat(20_000);
    const response = await raw(gateway, `GET /graphql?query=${long} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [head, text] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head).toContain(`content-length: ${text!.length}`);
    expect(text).toBe(
      'A request can have 100 headers, and 16384 bytes in its URL and headers. Send a long query in the body of a POST request, or paste it into an editor for GraphQL.\n',
    );
  });
});
