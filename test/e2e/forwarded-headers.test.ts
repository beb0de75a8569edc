import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/features/settings.ts';
import { RateLimiter } from '../../src/rest/client/limits/rate-limiter.ts';
import {
  directions,
  sendPlain,
  startDirectionsDms,
  type DirectionsDms,
} from '../helpers/directions.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import {
  startGatewayBefore,
  type TestGateway,
  type TestGatewayOptions,
} from '../helpers/gateway.ts';
import { openConnection, queryBytes, readToEnd } from '../helpers/raw-connection.ts';

const documentId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const readPerson = '{ person(id: "usr-ann") { firstName } }';
const tenant = { 'x-tenant': 'north', 'accept-language': 'de' };
const forwardHeaders = ['x-tenant', 'accept-language'];

const start = (
  { url }: Pick<DirectionsDms, 'url'>,
  { server, http, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> =>
  startGatewayBefore(url, {
    ...options,
    server: { forwardHeaders, ...server },
    http: { cacheTtlMs: 60_000, ...http },
  });

/** Sends a read with these lines of `x-tenant`, each character as one byte. */
async function sendLines({ url }: TestGateway, values: readonly string[]) {
  const socket = openConnection(url);
  const lines = [...values.map((value) => `x-tenant: ${value}`), 'connection: close'];
  const [start, ...rest] = queryBytes(readPerson).split('\r\n');
  socket.write([start, ...lines, ...rest].join('\r\n'), 'latin1');
  const received = await readToEnd(socket);
  return { received, status: Number(received.split(' ')[1]) };
}

/** The issuer of tokens is not the DMS. */
const toTheDms = directions.filter(({ name }) => name !== 'a key set');

describe('FORWARD_HEADERS', () => {
  it.each(toTheDms)('is part of each request of $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms(sendPlain);
    const options = { server: { forwardHeaders }, headers: tenant };
    expect(await run(dms, options)).toEqual(expected);
    expect(dms.headers.length).toBeGreaterThan(0);
    for (const headers of dms.headers) expect(headers).toMatchObject(tenant);
  });

  it('is empty by default', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await startGatewayBefore(dms.url);
    await gateway.query(readPerson, {}, tenant);
    expect(dms.headers).toHaveLength(1);
    expect(dms.headers[0]!['x-tenant']).toBeUndefined();
    expect(dms.headers[0]!['accept-language']).toBeUndefined();
  });

  it('is part of no request to the issuer of tokens', async () => {
    const { run, expected } = directions.find(({ name }) => name === 'a key set')!;
    const dms = await startDirectionsDms(sendPlain);
    const options = { server: { forwardHeaders }, headers: tenant };
    expect(await run(dms, options)).toEqual(expected);
    expect(dms.headers).toHaveLength(1);
    expect(dms.headers[0]).not.toHaveProperty('x-tenant');
  });

  it('separates the callers of the cache', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms);
    const values = ['north', 'south', 'north', undefined, 'south', '{}', undefined];
    for (const value of values) {
      await gateway.query(readPerson, {}, value === undefined ? {} : { 'x-tenant': value });
    }
    expect(dms.headers.map((headers) => headers['x-tenant'])).toEqual([
      'north',
      'south',
      undefined,
      '{}',
    ]);
  });

  it('separates a value from that of another header', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms, { server: { forwardHeaders: ['x-a', 'x-b'] } });
    await gateway.query(readPerson, {}, { 'x-a': 'one' });
    await gateway.query(readPerson, {}, { 'x-b': 'one' });
    expect(dms.requests).toHaveLength(2);
  });

  it('separates reads at the same time', async () => {
    const waiting: (() => void)[] = [];
    const dms = await startFailingDms((request, response) => {
      const name_first = request.headers['x-tenant'];
      waiting.push(() => response.end(JSON.stringify({ _id_sys: 'usr-ann', name_first })));
    });
    const gateway = await start(dms, { http: { cacheTtlMs: 0 } });
    const results = ['north', 'south'].map((value) =>
      gateway.query(readPerson, {}, { 'x-tenant': value }),
    );
    await expect.poll(() => waiting.length).toBe(2);
    for (const answer of waiting) answer();
    const names = (await Promise.all(results)).map(({ data }) => data.person.firstName);
    expect(names).toEqual(['north', 'south']);
  });

  it('joins repeated lines, in the key of the caller as for the DMS', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms);
    for (const lines of [['a', 'b'], ['b', 'a'], ['a, b'], ['a'], ['a', ''], ['a', 'b']]) {
      const { status } = await sendLines(gateway, lines);
      expect(status).toBe(200);
    }
    expect(dms.headers.map((headers) => headers['x-tenant'])).toEqual(['a, b', 'b, a', 'a', 'a,']);
  });

  it.each(['\0', '\u0001', '\u007f', 'north\r', 'north\nx-admin: 1'])(
    'rejects the value %j before anything is sent',
    async (value) => {
      const dms = await startDirectionsDms(sendPlain);
      const gateway = await start(dms, { server: { forwardHeaders: ['x-tenant'] } });
      const { received } = await sendLines(gateway, [value]);
      expect(received).toMatch(/^HTTP\/1\.1 400 /);
      expect(dms.requests).toEqual([]);
    },
  );

  it('passes on bytes and quotes as they are, and separates their callers', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms);
    const values = ['é', 'Ã©', '"', '\\"', '","x-b":"1', '{"x-tenant":"a"}', '__proto__', 'a\tb'];
    for (const value of values) {
      const { status } = await sendLines(gateway, [value]);
      expect(status).toBe(200);
    }
    expect(dms.headers.map((headers) => headers['x-tenant'])).toEqual(values);
  });

  it('does not separate the callers of RATE_LIMIT', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms, {
      http: { rateLimiter: new RateLimiter({ callsPerMinute: 1 }) },
    });
    await gateway.query(readPerson, {}, { 'x-tenant': 'north' });
    const { errors } = await gateway.query(readPerson, {}, { 'x-tenant': 'south' });
    expect(errors?.[0]?.extensions['code']).toBe('RATE_LIMITED');
    expect(dms.requests).toHaveLength(1);
  });

  it('is part of the link of a file, which a browser opens without headers', async () => {
    const received: unknown[] = [];
    const dms = await startFailingDms((request, response) => {
      received.push(request.headers['x-tenant']);
      const filesList = [{ id: 'bbbbbbbbbbbbbbbbbbbbbbbb', fileName: 'a.txt' }];
      const isFile = request.url?.includes('/file/');
      response.end(isFile ? 'content' : JSON.stringify({ _id: documentId, filesList }));
    });
    const gateway = await start(dms, {
      server: { identity: { mode: 'service' }, forwardHeaders: ['x-tenant'] },
    });
    const urlFor = async (headers: Record<string, string>): Promise<string> => {
      const query = `{ document(id: "${documentId}") { files { url } } }`;
      const { data } = await gateway.query(query, {}, headers);
      return data.document.files[0].url;
    };
    const url = await urlFor({ 'x-tenant': 'north\u00e9"' });
    const longest = await urlFor({ 'x-tenant': '"'.repeat(1992) });
    const none = await urlFor({});
    received.length = 0;
    for (const link of [url, longest, none]) {
      const response = await fetch(link, { headers: { 'x-tenant': 'south' } });
      expect([response.status, await response.text()]).toEqual([200, 'content']);
    }
    expect(received).toEqual(['north\u00e9"', '"'.repeat(1992), undefined]);
    const forged = url.replace(
      /t=(\w+)\.[\w-]+/,
      `t=$1.${Buffer.from('\n{"x-tenant":"south"}').toString('base64url')}`,
    );
    expect((await fetch(forged)).status).toBe(403);
  });

  it('rejects values of more than 2000 bytes before anything is sent', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms);
    const accepted = { 'x-tenant': 'x'.repeat(992), 'accept-language': 'y'.repeat(985) };
    expect((await gateway.query(readPerson, {}, accepted)).errors).toBeUndefined();
    const { status, errors } = await gateway.query(
      readPerson,
      {},
      {
        ...accepted,
        'x-tenant': 'x'.repeat(993),
      },
    );
    expect([status, errors?.[0]?.extensions['code']]).toEqual([400, 'BAD_USER_INPUT']);
    expect(dms.requests).toHaveLength(1);
  });

  it('can be sent by pages of CORS_ORIGINS', async () => {
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await start(dms, { server: { corsOrigins: ['https://app.example'] } });
    const { headers } = await gateway.fetch('/graphql', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    const names = headers.get('access-control-allow-headers')?.split(', ') ?? [];
    expect(names.filter((name) => forwardHeaders.includes(name)).toSorted()).toEqual(
      forwardHeaders.toSorted(),
    );
  });

  it('consists of names in any case, each once', () => {
    const { forwardHeaders: names } = readConfig({
      FORWARD_HEADERS: 'X-Tenant, accept-language,x-tenant',
    });
    expect(names).toEqual(['x-tenant', 'accept-language']);
  });

  it.each([
    'authorization',
    'Cookie',
    'proxy-authorization',
    'connection',
    'transfer-encoding',
    'te',
    'content-length',
    'content-encoding',
    'host',
    'if-none-match',
    'svc-run-as',
    'x-api-key',
    'x-http-method-override',
    'x-request-id',
    'traceparent',
    'x tenant',
    'x-tenant,,x-other',
    Array.from({ length: 21 }, (_, n) => `x-${n}`).join(),
  ])('must not contain %s', (value) => {
    expect(() => readConfig({ FORWARD_HEADERS: value })).toThrow('FORWARD_HEADERS must');
  });

  it('must not contain the header that carries the user', () => {
    const env = { FORWARD_HEADERS: 'x-user', DMS_RUN_AS_HEADER: 'X-User' };
    expect(() => readConfig(env)).toThrow('FORWARD_HEADERS must not contain DMS_RUN_AS_HEADER');
  });
});
