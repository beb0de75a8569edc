import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { download } from '../helpers/directions.ts';
import { startFailingDms, type Behaviour } from '../helpers/failing-dms.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';

const etag = '"v2"';
const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const before = 'Wed, 31 Dec 2025 23:59:59 GMT';
const content = 'the new file';

type Headers = Readonly<Record<string, string>>;

/** The files of the gateway, and the paths at which the DMS has them. */
const routes: readonly [string, string][] = [
  ['/files/documents/d/f', '/api/v2/docForm/d/file/f'],
  ['/files/documents/d/pdf', '/api/v2/idp/d/pdf'],
  ['/files/documents/d/reco-data/e/f', '/api/v2/idp/d/recoData/e/file/f'],
];

/** Starts a gateway before a DMS, whose received headers are those that belong to conditions. */
async function startBefore(behave: Behaviour) {
  const received: IncomingHttpHeaders[] = [];
  const dms = await startFailingDms((request, response, nth) => {
    const conditions = Object.entries(request.headers).filter(([name]) =>
      /^(?:if-.*|range)$/.test(name),
    );
    received.push(Object.fromEntries(conditions));
    behave(request, response, nth);
  });
  return { gateway: await startGatewayBefore(dms.url), requests: dms.requests, received };
}

/** A DMS that supports ranges, and ignores all preconditions. */
const ignoring =
  (validators: Headers = { etag, 'last-modified': modified }): Behaviour =>
  ({ headers, method }, response) => {
    const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
    if (Number(from) >= content.length) {
      response.writeHead(416, { ...validators, 'content-range': `bytes */${content.length}` });
      response.end('beyond the file');
      return;
    }
    const body = content.slice(Number(from ?? 0));
    const range = `bytes ${from}-${content.length - 1}/${content.length}`;
    response.writeHead(from === undefined ? 200 : 206, {
      ...validators,
      'content-length': body.length,
      ...(from !== undefined && { 'content-range': range }),
    });
    response.end(method === 'HEAD' ? '' : body);
  };

/** A DMS that answers with this status. */
const answering =
  (status: number): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { etag, 'last-modified': modified, 'content-type': 'text/html' });
    response.end(status === 304 ? undefined : 'internal text');
  };

const methods = ['GET', 'HEAD'];
const ranges: readonly Headers[] = [{}, { range: 'bytes=4-' }];

const failing: readonly [number, Headers][] = [
  [412, { 'if-match': '"v1"' }],
  [412, { 'if-match': `W/${etag}` }],
  [412, { 'if-match': '"v1", "v2 ", "a,b"' }],
  [412, { 'if-match': '"v1"', 'if-unmodified-since': modified }],
  [412, { 'if-match': '"v1"', 'if-none-match': etag }],
  [412, { 'if-unmodified-since': before }],
  [412, { 'if-unmodified-since': before, 'if-modified-since': modified }],
  [304, { 'if-none-match': etag }],
  [304, { 'if-none-match': `"v1", W/${etag}` }],
  [304, { 'if-none-match': '*' }],
  [304, { 'if-none-match': etag, 'if-modified-since': before }],
  [304, { 'if-match': etag, 'if-none-match': etag }],
  [304, { 'if-modified-since': modified }],
];

const holding: readonly Headers[] = [
  { 'if-match': etag },
  { 'if-match': `"v1", ${etag}` },
  { 'if-match': '*' },
  { 'if-match': etag, 'if-unmodified-since': before },
  { 'if-unmodified-since': modified },
  { 'if-unmodified-since': 'yesterday' },
  { 'if-none-match': '"v1"' },
  { 'if-none-match': '"v1"', 'if-modified-since': modified },
  { 'if-modified-since': before },
  { 'if-modified-since': '31 December 2025' },
];

const [[path, upstreamPath]] = routes as [[string, string]];

describe('a file', () => {
  it.each<readonly [number, Headers]>([
    [412, { 'if-match': '"v1"' }],
    [304, { 'if-none-match': etag }],
  ])('is answered with %i to %j if the DMS does so', async (status, conditions) => {
    const { gateway, requests, received } = await startBefore(answering(status));
    for (const method of methods) {
      for (const range of ranges) {
        const sent = { ...conditions, ...range };
        const { headers, ...response } = await download(gateway, sent, method, path);
        expect(response).toEqual({ status, body: Buffer.alloc(0) });
        expect(headers).toMatchObject({ etag, 'last-modified': modified });
        expect(headers).not.toHaveProperty('content-type');
        expect(headers).not.toHaveProperty('content-disposition');
        expect([requests.pop(), received.pop()]).toEqual([`${method} ${upstreamPath}`, sent]);
        expect(requests).toEqual([]);
      }
    }
  });

  it.each(failing)(
    'is answered with %i to %j if the DMS ignores it',
    async (status, conditions) => {
      const { gateway, requests, received } = await startBefore(ignoring());
      for (const method of methods) {
        for (const range of [...ranges, { range: 'bytes=99-' }]) {
          const sent = { ...conditions, ...range };
          const { headers, ...response } = await download(gateway, sent, method, path);
          expect(response).toEqual({ status, body: Buffer.alloc(0) });
          expect(headers).toMatchObject({ etag, 'last-modified': modified });
          expect(headers).not.toHaveProperty('content-range');
          expect([requests.pop(), received.pop()]).toEqual([`${method} ${upstreamPath}`, sent]);
          expect(requests).toEqual([]);
        }
      }
    },
  );

  it.each(holding)('is sent to a client that sends %j', async (conditions) => {
    const { gateway, requests, received } = await startBefore(ignoring());
    for (const method of methods) {
      const whole = await download(gateway, conditions, method, path);
      expect([whole.status, String(whole.body)]).toEqual([200, method === 'GET' ? content : '']);
      const part = await download(gateway, { ...conditions, range: 'bytes=4-' }, method, path);
      expect([part.status, String(part.body)]).toEqual([206, method === 'GET' ? 'new file' : '']);
      expect(received.splice(0)).toEqual([conditions, { ...conditions, range: 'bytes=4-' }]);
    }
    expect(requests).toHaveLength(4);
  });
});

it.each(routes)('conditions reach the DMS, and hold if it ignores them: %s', async (...route) => {
  const [routePath, routeUpstream] = route;
  const { gateway, requests, received } = await startBefore(ignoring());
  const conditions = { 'if-none-match': etag, range: 'bytes=4-' };
  expect((await download(gateway, conditions, 'GET', routePath)).status).toBe(304);
  expect([requests, received]).toEqual([[`GET ${routeUpstream}`], [conditions]]);
});

it.each([
  [412, { 'if-match': '"v1"' }],
  [200, { 'if-match': '*' }],
  [200, { 'if-unmodified-since': before }],
  [200, { 'if-none-match': '"v1"' }],
  [200, { 'if-modified-since': modified }],
  [416, { 'if-match': '"v1"', range: 'bytes=99-' }],
  [416, { 'if-range': '"v1"', range: 'bytes=99-' }],
])('a file without validators is answered with %i to %j', async (status, conditions) => {
  const { gateway, requests } = await startBefore(ignoring({}));
  expect((await download(gateway, conditions, 'GET', path)).status).toBe(status);
  expect(requests).toHaveLength(1);
});

describe('If-Range', () => {
  it.each([
    ['"v1"', 'bytes=4-', { etag }],
    [`W/${etag}`, 'bytes=4-', { etag }],
    [`W/${etag}`, 'bytes=4-', { etag: `W/${etag}` }],
    [etag, 'bytes=4-', {}],
    [before, 'bytes=4-', { 'last-modified': modified }],
    ['"v1"', 'bytes=99-', { etag }],
  ])('%s with %s of a file with other validators gets it whole', async (...row) => {
    const [validator, range, validators] = row;
    const { gateway, received } = await startBefore(ignoring(validators));
    const conditions = { 'if-range': validator, range };
    const { status, headers, body } = await download(gateway, conditions, 'GET', path);
    expect([status, String(body)]).toEqual([200, content]);
    expect(headers).not.toHaveProperty('content-range');
    expect(received).toEqual([conditions, {}]);
  });

  it.each([
    [etag, { etag }],
    [modified, { 'last-modified': modified }],
    [modified, {}],
  ])('%s of a file with %j gets the part', async (validator, validators) => {
    const { gateway, received } = await startBefore(ignoring(validators));
    const conditions = { 'if-range': validator, range: 'bytes=4-' };
    const { status, body } = await download(gateway, conditions, 'GET', path);
    expect([status, String(body)]).toEqual([206, 'new file']);
    expect(received).toEqual([conditions]);
  });

  it('keeps the other conditions when the whole file is requested', async () => {
    const { gateway, received } = await startBefore(ignoring());
    const conditions = { 'if-range': '"v1"', 'if-none-match': etag };
    const response = await download(gateway, { ...conditions, range: 'bytes=4-' }, 'GET', path);
    expect(response.status).toBe(304);
    expect(received.at(-1)).toEqual({ 'if-none-match': etag });
  });
});

it('compares the tag of the file that the client gets, decoded', async () => {
  const { gateway } = await startBefore((_request, response) => {
    response.writeHead(200, { etag, 'content-encoding': 'gzip' }).end(gzipSync(content));
  });
  const statusOf = async (headers: Headers) => (await download(gateway, headers)).status;
  expect(await statusOf({ 'if-match': etag })).toBe(412);
  expect(await statusOf({ 'if-match': etag, 'accept-encoding': 'gzip' })).toBe(200);
  expect(await statusOf({ 'if-none-match': `W/${etag}` })).toBe(304);
});

it.each([
  [304, {}],
  [304, { 'if-match': etag }],
  [412, {}],
  [412, { 'if-none-match': '"v1"' }],
  [416, {}],
])('rejects %i of the DMS if the client has sent %j', async (status, conditions) => {
  const { gateway } = await startBefore(answering(status));
  const response = await download(gateway, conditions, 'GET', path);
  expect(response.status).toBe(502);
  expect(JSON.parse(String(response.body))).toMatchObject({
    errors: [{ extensions: { code: 'UPSTREAM_ERROR', status } }],
  });
});

it('returns an error of the DMS, whatever the conditions', async () => {
  const { gateway } = await startBefore(answering(404));
  const { status } = await download(gateway, { 'if-match': '*' }, 'GET', '/files/documents/d/pdf');
  expect(status).toBe(404);
});

it('rejects a condition that cannot be sent', async () => {
  const { gateway, requests } = await startBefore(ignoring());
  const { status } = await download(gateway, { 'if-match': `"${'a'.repeat(600)}"` }, 'GET', path);
  expect(status).toBe(400);
  expect(requests).toEqual([]);
});
