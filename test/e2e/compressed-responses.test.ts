import { setImmediate as nextIteration } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  directions,
  download,
  fileContent,
  sendPlain,
  startDirectionsDms,
  type Answer,
  type Send,
} from '../helpers/directions.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';
import { dmsAt } from '../helpers/mock-dms.ts';
import { untilUnchanged } from '../helpers/until-unchanged.ts';

type Compress = (body: Buffer) => Buffer;

/** Sends the answers at paths that match with this coding, by default all, whatever the request accepts. */
function sendCoded(compress: Compress, coding: string, path = /^/): Send {
  return (answer, request, response) => {
    const coded = {
      ...answer,
      headers: { ...answer.headers, 'content-encoding': coding },
      body: compress(answer.body),
    };
    sendPlain(path.test(request.url ?? '') ? coded : answer, request, response);
  };
}

/** For responses that take seconds to decode on a busy machine. */
const patient = { http: { timeoutMs: 60_000 }, server: { requestTimeoutMs: 60_000 } };

/** What a client gets if the response at the path cannot be decoded. */
const failures = [
  { name: 'a read', path: /person/, code: 'UPSTREAM_ERROR' },
  { name: 'a text', path: /text/, code: 'UPSTREAM_ERROR' },
  { name: 'a write', path: /org/, code: 'OUTCOME_UNKNOWN' },
  { name: 'an upload', path: /form/, code: 'OUTCOME_UNKNOWN' },
  { name: 'a key set', path: /keys/, code: 'UPSTREAM_UNAVAILABLE' },
].map((failure) => ({
  ...failure,
  run: directions.find(({ name }) => name === failure.name)!.run,
}));

const codings: readonly [string, Compress][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['GZIP , br', (body) => brotliCompressSync(gzipSync(body))],
];

const ofReadAndFile = directions.filter(({ name }) => ['a read', 'a download'].includes(name));

describe.each(codings)('%s that nobody has asked for', (coding, compress) => {
  it.each(ofReadAndFile)('is decoded in $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms(sendCoded(compress, coding));
    expect(await run(dms, {})).toEqual(expected);
    for (const headers of dms.headers) expect(headers['accept-encoding']).toBe('identity');
  });
});

describe('a compressed response', () => {
  it.each(directions)('is asked for in $name if DMS_COMPRESSION is on', async (direction) => {
    const dms = await startDirectionsDms(sendCoded(gzipSync, 'gzip'));
    expect(await direction.run(dms, { http: { compression: true } })).toEqual(direction.expected);
    // A file is asked for as its client accepts it; keys are few.
    const asked = { 'a download': 'identity', 'a key set': 'identity' }[direction.name];
    expect(dms.headers.at(-1)!['accept-encoding']).toBe(
      asked ?? 'gzip, br;q=0.9, deflate;q=0.5, zstd;q=0.5',
    );
  });

  it.each(directions)('in chunks of one byte is decoded in $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms(({ status, headers, body }, _request, response) => {
      response.writeHead(status, { ...headers, 'content-encoding': 'gzip' });
      for (const byte of gzipSync(body)) response.write(Buffer.of(byte));
      response.end();
    });
    expect(await run(dms, {})).toEqual(expected);
  });

  it.each([
    ['cut off', (body: Buffer) => gzipSync(body).subarray(0, -9)],
    ['corrupt', (body: Buffer) => Buffer.concat([gzipSync(body).subarray(0, 12), body])],
    ['not compressed', (body: Buffer) => body],
  ])('that is %s fails', async (_what, compress) => {
    for (const { path, code, run } of failures) {
      const dms = await startDirectionsDms(sendCoded(compress, 'gzip', path));
      expect(await run(dms, {})).toMatchObject([{ extensions: { code } }]);
      expect(dms.requests.filter((line) => path.test(line))).toHaveLength(1);
    }
  });

  it('with an error status counts by its status', async () => {
    const dms = await startDirectionsDms((answer, request, response) =>
      sendCoded((body) => body, 'gzip')({ ...answer, status: 404 }, request, response),
    );
    expect(await directions[0]!.run(dms, {})).toEqual({ person: null });
  });

  it.each([
    ['utf-8', 'one that is none'],
    ['identity', 'none'],
    ['', 'none'],
    [' , identity', 'none'],
  ])('with the coding %j, %s, is read as it is', async (coding) => {
    const dms = await startDirectionsDms(sendCoded((body) => body, coding));
    for (const { run, expected } of ofReadAndFile) expect(await run(dms, {})).toEqual(expected);
  });

  it.each([
    ['compress', (body: Buffer) => Buffer.concat([Buffer.of(0x1f, 0x9d), gzipSync(body)])],
    ['gzip, gzip, gzip, gzip', (body: Buffer) => gzipSync(gzipSync(gzipSync(gzipSync(body))))],
  ])('with the coding %s, which is not decoded, fails', async (coding, compress) => {
    for (const { path, code, run } of failures) {
      const dms = await startDirectionsDms(sendCoded(compress, coding, path));
      expect(await run(dms, {})).toMatchObject([{ extensions: { code } }]);
    }
  });
});

const maxBytes = 2 ** 22;
const bomb = Buffer.alloc(4 * maxBytes);
const bombs: readonly [string, Buffer][] = [
  ['gzip', gzipSync(bomb)],
  ['zstd', zstdCompressSync(bomb)],
  ['gzip, gzip', gzipSync(gzipSync(bomb))],
];

describe.each(bombs)('a bomb in %s', (coding, body) => {
  it('is a response that is too large, and the event loop turns', async () => {
    const dms = await startDirectionsDms(sendCoded(() => body, coding));
    let turns = 0;
    const done = new AbortController();
    const turning = (async () => {
      for (; !done.signal.aborted; turns += 1) await nextIteration();
    })();
    const http = { ...patient.http, dmsMaxResponseBytes: maxBytes };
    const gateway = await startGatewayBefore(dms.url, { ...patient, http });
    const { errors } = await gateway.query('{ person(id: "usr-ann") { email } }');
    done.abort();
    await turning;
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR' } }]);
    expect(gateway.log).toContainEqual(expect.objectContaining({ expected: 'a smaller response' }));
    // Each of its chunks is decoded in an iteration of its own.
    expect(turns).toBeGreaterThan(maxBytes / 2 ** 17);
    expect(dms.requests).toHaveLength(1);
  });

  it('is decoded as a file only as fast as it is read', async () => {
    const dms = await startDirectionsDms(sendCoded(() => body, coding));
    let decoded = 0;
    const { documents } = dmsAt(dms, {}, { bytesMoved: (_direction, bytes) => (decoded += bytes) });
    const file = await documents.file('d', 'f', {});
    file.body.read(0); // starts to fill the buffer
    await expect.poll(() => decoded).toBeGreaterThan(0);
    await untilUnchanged(() => decoded);
    expect(decoded).toBeLessThan(2 ** 20);
    let read = 0;
    for await (const chunk of file.body) read += (chunk as Buffer).length;
    expect(read).toBe(bomb.length);
  });
});

/** The beginning of a body, and what can be repeated in it without an effect. */
const empty: readonly [string, Buffer, Buffer][] = [
  ['gzip', gzipSync('').subarray(0, 10), Buffer.from([0, 0, 0, 0xff, 0xff])],
  ['deflate', Buffer.from([0x78, 0x9c]), Buffer.from([0, 0, 0, 0xff, 0xff])],
  [
    'zstd',
    Buffer.of(),
    Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0x80, 0, 0]), Buffer.alloc(2 ** 15)]),
  ],
];

it.each(empty)('a body in %s that decodes to nothing is bounded', async (coding, start, part) => {
  let sent = 0;
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(2 ** 15 / part.length) }, () => part));
  const dms = await startDirectionsDms((_answer, _request, response) => {
    response.writeHead(200, { 'content-encoding': coding }).write(start);
    const pour = (): void => {
      do sent += chunk.length;
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  });
  const http = { ...patient.http, dmsMaxResponseBytes: 2 ** 20 };
  const gateway = await startGatewayBefore(dms.url, { ...patient, http });
  const { errors } = await gateway.query('{ person(id: "usr-ann") { email } }');
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR' } }]);
  expect(gateway.log).toContainEqual(expect.objectContaining({ expected: 'a smaller response' }));
  await untilUnchanged(() => sent);
  expect(dms.requests).toHaveLength(1);
});

describe('a compressed file', () => {
  const packed = gzipSync(fileContent);

  it.each(['gzip', 'br;q=0.5, gzip;q=0.1', '*', 'GZIP'])(
    'passes as it came to a client that accepts %s',
    async (accept) => {
      const dms = await startDirectionsDms(sendCoded(gzipSync, 'gzip'));
      const gateway = await startGatewayBefore(dms.url);
      const { status, headers, body } = await download(gateway, { 'accept-encoding': accept });
      expect({ status, headers }).toMatchObject({
        status: 200,
        headers: { 'content-encoding': 'gzip', etag: '"v1"', 'accept-ranges': 'bytes' },
      });
      expect(body.equals(packed)).toBe(true);
    },
  );

  it.each([
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'gzip;q=0' },
    { 'accept-encoding': 'br, *;q=0' },
    { 'accept-encoding': '' },
    { 'accept-encoding': `gzip, ${'x, '.repeat(1000)}` },
    {},
  ])('is decoded for a client that sends %j', async (accept) => {
    const dms = await startDirectionsDms(sendCoded(gzipSync, 'gzip'));
    const gateway = await startGatewayBefore(dms.url);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await download(gateway, { ...accept }, method);
      expect({ status, headers }).toMatchObject({
        status: 200,
        headers: { etag: 'W/"v1"', 'accept-ranges': 'none' },
      });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers).not.toHaveProperty('content-length');
      expect(body.equals(method === 'GET' ? fileContent : Buffer.alloc(0))).toBe(true);
    }
  });

  it('is decoded for a client that accepts one of two codings', async () => {
    const both = (body: Buffer): Buffer => brotliCompressSync(gzipSync(body));
    const dms = await startDirectionsDms(sendCoded(both, 'gzip, br'));
    const gateway = await startGatewayBefore(dms.url);
    const one = await download(gateway, { 'accept-encoding': 'br' });
    expect(one.headers).not.toHaveProperty('content-encoding');
    expect(one.body.equals(fileContent)).toBe(true);
    const all = await download(gateway, { 'accept-encoding': 'br, gzip' });
    expect(all.headers['content-encoding']).toBe('gzip, br');
    expect(all.body.equals(both(fileContent))).toBe(true);
  });

  it('that is cut off breaks the response', async () => {
    const cut = (body: Buffer): Buffer => gzipSync(body).subarray(0, -100);
    const dms = await startDirectionsDms(sendCoded(cut, 'gzip'));
    const gateway = await startGatewayBefore(dms.url);
    await expect(download(gateway)).rejects.toThrow('aborted');
  });

  it.each([
    ['identity', undefined, 'identity'],
    ['br, gzip', true, 'gzip, br;q=0.9'],
    ['zstd;q=0.1, compress', true, 'zstd;q=0.5'],
    ['identity', true, 'identity'],
    ['gzip', false, 'identity'],
  ])('of a client that accepts %s, with DMS_COMPRESSION %s, is asked for as %s', async (...row) => {
    const [accept, compression = false, asked] = row;
    const dms = await startDirectionsDms(sendPlain);
    const gateway = await startGatewayBefore(dms.url, { http: { compression } });
    const { headers, body } = await download(gateway, { 'accept-encoding': accept });
    expect(dms.headers[0]!['accept-encoding']).toBe(asked);
    expect(headers).toMatchObject({ etag: '"v1"', 'accept-ranges': 'bytes' });
    expect(body.equals(fileContent)).toBe(true);
  });

  describe('of which a part is requested', () => {
    /** A server that compresses the file first, and then takes the part. */
    const sendPart: Send = (answer, request, response) => {
      const whole: Answer = {
        ...answer,
        headers: { ...answer.headers, 'content-encoding': 'gzip' },
        body: packed,
      };
      if (request.headers.range === undefined) {
        sendPlain(whole, request, response);
        return;
      }
      const headers = { ...whole.headers, 'content-range': `bytes 10-19/${packed.length}` };
      sendPlain({ status: 206, headers, body: packed.subarray(10, 20) }, request, response);
    };
    const range = { range: 'bytes=10-19', 'if-range': '"v1"' };

    it('passes as it came to a client that accepts its coding', async () => {
      const dms = await startDirectionsDms(sendPart);
      const gateway = await startGatewayBefore(dms.url);
      const part = await download(gateway, { ...range, 'accept-encoding': 'gzip' });
      expect(part).toMatchObject({ status: 206, headers: { 'content-encoding': 'gzip' } });
      expect(part.body.equals(packed.subarray(10, 20))).toBe(true);
      expect(dms.requests).toHaveLength(1);
    });

    it('is sent whole and decoded to another client', async () => {
      const dms = await startDirectionsDms(sendPart);
      const gateway = await startGatewayBefore(dms.url);
      const { status, headers, body } = await download(gateway, range);
      expect(status).toBe(200);
      expect(gunzipSync(packed).equals(body)).toBe(true);
      expect(headers).not.toHaveProperty('content-range');
      expect(headers['accept-ranges']).toBe('none');
      expect(dms.headers.map(({ range: sent, 'if-range': ifRange }) => [sent, ifRange])).toEqual([
        ['bytes=10-19', '"v1"'],
        [undefined, undefined],
      ]);
    });
  });
});
