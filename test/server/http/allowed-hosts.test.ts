import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { openConnection, readToEnd } from '../../helpers/raw-connection.ts';
import { rawRequest } from '../../helpers/raw-request.ts';

const query = '/graphql?query={person(id:"usr-ann"){email}}';

/** A GET request with the Host header of a browser that resolves `host` to this gateway. */
async function get({ url }: TestGateway, host: string, path = query, method = 'GET') {
  const headers = { host, 'apollo-require-preflight': '1' };
  const { status, body } = await rawRequest(url, path, headers, method);
  return { status, body: body.toString() };
}

async function start(options: { publicUrl?: string; host?: string; allowedHosts?: string[] } = {}) {
  const gateway = await startGateway({ server: { allowedHosts: [], ...options } });
  gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'x' });
  return gateway;
}

describe('a request', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LocalHost.:4000',
    '127.0.0.1:1',
    '10.1.2.3',
    '[::1]:4000',
    '[fe80::1]',
    'gateway.example',
    'Listening.internal:4000',
    'other.example:4000',
    'gateway',
  ])('to %s is accepted', async (host) => {
    const gateway = await start({
      publicUrl: 'https://gateway.example/path',
      host: 'listening.internal',
      allowedHosts: ['other.example', 'gateway'],
    });
    expect(await get(gateway, host)).toEqual({
      status: 200,
      body: '{"data":{"person":{"email":"x"}}}',
    });
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'sub.gateway.example',
    '2130706433',
    '127.1',
    '0x7f000001',
  ])('to %s is rejected', async (host) => {
    const gateway = await start({ publicUrl: 'https://gateway.example' });
    for (const path of [query, '/files/documents/a/b']) {
      const { status, body } = await get(gateway, host, path);
      expect(status).toBe(421);
      expect(JSON.parse(body)).toEqual({
        errors: [
          {
            message: `The host name "${host.replace(/:.*/, '')}" is not allowed. Add it to ALLOWED_HOSTS or set PUBLIC_URL.`,
            extensions: { code: 'FORBIDDEN', requestId: expect.any(String) },
          },
        ],
      });
    }
    expect((await get(gateway, host, '/graphql', 'OPTIONS')).status).toBe(421);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('to an unknown name is rejected after a known one', async () => {
    const gateway = await start();
    const statuses = [];
    for (const host of ['localhost', 'evil.example', 'localhost', 'evil.example', 'evil.example']) {
      statuses.push((await get(gateway, host)).status);
    }
    expect(statuses).toEqual([200, 421, 200, 421, 421]);
  });

  it.each([
    'a b',
    '[localhost]',
    '[::1',
    '[1.2.3.4]',
    'a:b',
    'a:65536',
    '[::1]:99999',
    'a/b',
    'ä',
    '1.2.3.4.5',
  ])('to %j is rejected as invalid', async (host) => {
    const gateway = await start({ allowedHosts: ['*'] });
    const { status, body } = await get(gateway, host);
    expect([status, body]).toEqual([
      400,
      expect.stringContaining(
        'The Host header must be a host name or an IP address, optionally with a port.',
      ),
    ]);
  });

  it('shortens a long name in the error', async () => {
    const { body } = await get(await start(), 'a'.repeat(5000));
    expect(body.length).toBeLessThan(400);
  });

  it('to any name is accepted if allowed', async () => {
    expect((await get(await start({ allowedHosts: ['*'] }), 'evil.example')).status).toBe(200);
  });

  it('without a host is accepted', async () => {
    const gateway = await start();
    const socket = openConnection(gateway.url);
    socket.write(`GET ${query} HTTP/1.0\r\nApollo-Require-Preflight: 1\r\n\r\n`);
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['/healthz', '/readyz'])('for %s can have any host', async (path) => {
    expect((await get(await start(), 'gateway.monitoring', path)).status).toBe(200);
  });

  it.each(['/metrics', '/schema.graphql'])('for %s must have a known host', async (path) => {
    const gateway = await start();
    expect((await get(gateway, 'evil.example', path)).status).toBe(421);
    expect((await get(gateway, '10.1.2.3:4000', path)).status).toBe(200);
  });
});
