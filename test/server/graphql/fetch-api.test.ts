import { gzipSync, gunzipSync } from 'node:zlib';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, it } from 'vitest';
import type { OperationContext } from '../../../src/server/graphql/operation.ts';
import { fetchAPI } from '../../../src/server/graphql/fetch-api.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { createDocumentParts } from '../../helpers/multipart-request.ts';

const query = '{ viewer { runAs } }';
const answer = { data: { viewer: { runAs: null } } };

const start = (plugin: Plugin<OperationContext>, server = {}) =>
  startGateway({ parts: { plugins: [plugin] }, server });

describe('the request that a plugin sees', () => {
  it.each([
    [
      'without HTTP hooks',
      (see: (request: Request) => void): Plugin<OperationContext> => ({
        onParams: ({ request }) => see(request),
      }),
    ],
    [
      'with HTTP hooks',
      (see: (request: Request) => void): Plugin<OperationContext> => ({
        onRequest: ({ request }) => see(request),
      }),
    ],
  ])('has URL, method and headers, %s', async (_, plugin) => {
    const seen: unknown[] = [];
    const gateway = await start(
      plugin(({ url, method, headers }) => {
        const { pathname, origin } = new URL(url);
        seen.push({
          pathname,
          origin,
          method,
          accept: headers.get('Accept'),
          none: [headers.get('constructor'), headers.has('x-none')],
          own: [...headers].filter(([name]) => name === 'x-own'),
        });
      }),
    );
    await gateway.query(query, {}, { 'x-own': 'a' });
    expect(seen).toEqual([
      {
        pathname: '/graphql',
        origin: gateway.url,
        method: 'POST',
        accept: 'application/json',
        none: [null, false],
        own: [['x-own', 'a']],
      },
    ]);
  });

  it('can be cloned and read', async () => {
    const seen: string[] = [];
    const gateway = await start({
      async onRequest({ request }) {
        seen.push(await request.clone().text());
      },
    });
    expect(await gateway.query(query)).toMatchObject(answer);
    expect(seen).toEqual([JSON.stringify({ query, variables: {} })]);
  });

  it('is limited after it is cloned', async () => {
    const gateway = await start(
      { onRequest: ({ request }) => void request.clone() },
      { maxBodyBytes: 1000 },
    );
    expect((await gateway.post('x'.repeat(1001))).status).toBe(413);
  });

  it('causes an internal error if a plugin reads it', async () => {
    const gateway = await start({
      async onRequest({ request }) {
        await request.text();
      },
    });
    const { status, errors } = await gateway.query(query);
    expect(status).toBe(500);
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(gateway.log[0]).toMatchObject({ cause: expect.stringContaining('A plugin has read') });
  });

  it('rejects uploads after it is cloned', async () => {
    const gateway = await start({ onRequest: ({ request }) => void request.clone() });
    const { status } = await gateway.upload(
      createDocumentParts([{ filename: 'a.txt', body: 'a' }]),
    );
    expect(status).toBe(500);
    expect(gateway.log[0]).toMatchObject({ cause: expect.stringContaining('an upload') });
  });

  it('can be replaced', async () => {
    const gateway = await start({
      async onRequest({ request, setRequest }) {
        const body = gunzipSync(Buffer.from(await request.arrayBuffer()));
        const headers = new Headers(request.headers);
        headers.delete('content-encoding');
        setRequest(new Request(request.url, { method: 'POST', headers, body }));
      },
    });
    const body = new Uint8Array(gzipSync(JSON.stringify({ query })));
    const response = await gateway.post(body, { 'content-encoding': 'gzip' });
    expect(await response.json()).toEqual(answer);
  });
});

describe('the response of a plugin', () => {
  it.each([
    ['a standard one', () => new Response('{}', { status: 201, headers: { 'x-own': 'a' } })],
    ['a light one', () => new fetchAPI.Response('{}', { status: 201, headers: { 'x-own': 'a' } })],
    ['a standard one of JSON', () => Response.json({}, { status: 201, headers: { 'x-own': 'a' } })],
    [
      'one of JSON by fetchAPI',
      () => fetchAPI.Response.json({}, { status: 201, headers: { 'x-own': 'a' } }),
    ],
  ])('is sent in place of the gateway’s: %s', async (_, create) => {
    for (const plugin of [
      { onRequest: ({ endResponse }) => endResponse(create()) },
      { onResponse: ({ setResponse }) => setResponse(create()) },
    ] satisfies Plugin<OperationContext>[]) {
      const gateway = await start(plugin);
      const response = await gateway.post({ query });
      expect(response.status).toBe(201);
      expect(response.headers.get('x-own')).toBe('a');
      expect(await response.text()).toBe('{}');
    }
  });

  it('can be read, and its headers set', async () => {
    const seen: string[] = [];
    const gateway = await start({
      async onResponse({ response }) {
        seen.push(await response.clone().text());
        response.headers.set('x-own', 'a');
        response.headers.append('set-cookie', 'a=1');
        response.headers.append('set-cookie', 'b=2');
        response.headers.delete('content-type');
      },
    });
    const response = await gateway.post({ query });
    expect(response.headers.get('x-own')).toBe('a');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).toBeNull();
    expect(seen).toEqual([await response.text()]);
  });
});

it('a plugin that another plugin adds sees HTTP too', async () => {
  const seen: string[] = [];
  const gateway = await start({
    onPluginInit({ addPlugin }) {
      addPlugin({ onRequest: ({ request }) => void seen.push(request.method) });
    },
  });
  await gateway.query(query);
  expect(seen).toEqual(['POST']);
});
