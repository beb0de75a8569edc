import type { Plugin } from 'graphql-yoga';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../helpers/gateway.ts';
import { openConnection, readToEnd } from '../helpers/raw-connection.ts';

/** A plugin that answers one path. */
function answering(path: string, answer: (request: Request) => Response): Plugin {
  return {
    onRequest({ url, request, endResponse }) {
      if (url.pathname === path) endResponse(answer(request));
    },
  };
}

const healthCheck = answering('/health', () => Response.json({ healthy: true }));
const landingPage = answering(
  '/',
  () =>
    new Response('<h1>Documents</h1>', {
      headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" },
    }),
);

const start = (plugins: readonly Plugin[], server: TestGatewayOptions['server'] = {}) =>
  startGateway({ parts: { plugins }, server });

/** Sends a request as it is, whose target no client library would leave alone. */
function raw({ url }: TestGateway, target: string, host = 'localhost'): Promise<string> {
  const socket = openConnection(url);
  socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  return readToEnd(socket);
}

describe('a path of a plugin', () => {
  it('answers GET and HEAD', async () => {
    const gateway = await start([healthCheck]);
    const answer = await gateway.fetch('/health?verbose=1');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ healthy: true });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const head = await gateway.fetch('/health', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('answers under the host names of the gateway only', async () => {
    const gateway = await start([healthCheck]);
    expect(await raw(gateway, '/health')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw(gateway, '/health', 'evil.example')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await raw(gateway, '/', 'evil.example')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await raw(gateway, '/healthz', 'evil.example')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('answers POST with the body, up to MAX_BODY_BYTES', async () => {
    const echo: Plugin = {
      async onRequest({ url, request, endResponse }) {
        if (url.pathname === '/hook') endResponse(new Response(`got ${await request.text()}`));
      },
    };
    const gateway = await start([echo], { maxBodyBytes: 1024 });
    const post = (body: string | null) =>
      gateway.fetch('/hook', { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    expect(await (await post('a change')).text()).toBe('got a change');
    expect(await (await post(null)).text()).toBe('got ');
    expect((await post('x'.repeat(1025))).status).toBe(413);
    expect((await gateway.fetch('/other', { method: 'POST', body: 'x' })).status).toBe(404);
  });

  it.each(['PUT', 'DELETE', 'OPTIONS'])('does not answer %s', async (method) => {
    const gateway = await start([answering('/health', () => new Response('answered'))]);
    const { status, headers } = await gateway.fetch('/health', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('is not found under another spelling, which a proxy could let pass', async () => {
    const gateway = await start([healthCheck]);
    for (const target of ['/a/../health', '/a/%2e%2e/health', '/a/..\\health', '//x/../health']) {
      expect(await raw(gateway, target)).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it.each(['/x/graphql', '/graphql/', '/nowhere?a=/graphql'])(
    'does not execute what is sent to %s',
    async (path) => {
      const gateway = await start([healthCheck]);
      const separator = path.includes('?') ? '&' : '?';
      const answer = await gateway.fetch(`${path}${separator}query={__typename}`, {
        headers: { 'apollo-require-preflight': '1' },
      });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
    },
  );

  it('cannot execute an operation, because its request has no identity', async () => {
    let execute: (() => Promise<unknown>) | undefined;
    const gateway = await start([
      {
        onYogaInit({ yoga }) {
          execute = async () => {
            const { parse, execute: run, contextFactory, schema } = yoga.getEnveloped({});
            const document = parse('{ person(id: "usr-ann") { email } }');
            return run({ schema, document, contextValue: await contextFactory() });
          };
        },
        async onRequest({ url, endResponse }) {
          if (url.pathname === '/report') endResponse(Response.json(await execute!()));
        },
      },
    ]);
    expect((await gateway.fetch('/report')).status).toBe(500);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('can be / in place of the redirect, and no other path of the gateway', async () => {
    const pages = ['/healthz', '/metrics', '/schema.graphql', '/graphql'].map((path) =>
      answering(path, () => new Response('of the plugin')),
    );
    const gateway = await start([landingPage, ...pages.slice(0, 3)]);
    const page = await gateway.fetch('/');
    expect(await page.text()).toBe('<h1>Documents</h1>');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
    for (const path of ['/healthz', '/metrics', '/schema.graphql']) {
      expect(await (await gateway.fetch(path)).text()).not.toBe('of the plugin');
    }
    const withoutPage = await start([healthCheck]);
    const redirect = await withoutPage.fetch('/', { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/graphql']);
  });

  it('can send a stream', async () => {
    const gateway = await start([
      answering('/export', () => new Response(new Blob(['one,', 'two']).stream())),
    ]);
    expect(await (await gateway.fetch('/export')).text()).toBe('one,two');
  });
});
