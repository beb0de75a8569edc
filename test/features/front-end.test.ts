import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { frontEndIn } from '../helpers/front-end.ts';
import { startGateway } from '../helpers/gateway.ts';
import { rawRequest } from '../helpers/raw-request.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';

const html = '<!doctype html><title>Front end</title>';
const script = 'globalThis.started = true;';

/** Starts a gateway with a front end of a page, a script and an image, beside a file that must stay private. */
async function startFrontEnd() {
  const folder = temporaryDirectory();
  const directory = join(folder, 'dist');
  mkdirSync(join(directory, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(directory, 'index.html'), html);
  writeFileSync(join(directory, 'assets/main-1a2b.js'), script);
  writeFileSync(join(directory, 'assets/unknown.bin'), Buffer.from([0, 255]));
  symlinkSync(join(folder, 'secret.txt'), join(directory, 'assets/link.txt'));
  const gateway = await startGateway({ features: [frontEndIn(directory)] });
  return { ...gateway, directory };
}

describe('a front end', () => {
  it.each(['/', '/?view=ARCHIVE', '/app', '/app/documents/DOC-0001', '/app/..%2f..%2fsecret.txt'])(
    'has its page at %s',
    async (path) => {
      const { url } = await startFrontEnd();
      const { status, headers, body } = await rawRequest(url, path);
      expect([status, body.toString()]).toEqual([200, html]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('has assets that can be cached forever', async () => {
    const { url } = await startFrontEnd();
    const { status, headers, body } = await rawRequest(url, '/assets/main-1a2b.js');
    expect([status, body.toString()]).toEqual([200, script]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': `${script.length}`,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const binary = await rawRequest(url, '/assets/unknown.bin');
    expect(binary.headers['content-type']).toBe('application/octet-stream');
    expect(binary.body).toEqual(Buffer.from([0, 255]));
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['zstd', undefined],
    [undefined, undefined],
  ])('is compressed for a client that accepts %s', async (accepted, coding) => {
    const { url } = await startFrontEnd();
    const accepting = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const { headers, body } = await rawRequest(url, '/assets/main-1a2b.js', accepting);
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'accept-encoding']);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ''];
    expect((decode?.(body) ?? body).toString()).toBe(script);
  });

  it('has an ETag for each coding', async () => {
    const { url } = await startFrontEnd();
    const etags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) => {
        const { headers } = await rawRequest(url, '/assets/main-1a2b.js', {
          'accept-encoding': coding,
        });
        return headers['etag'];
      }),
    );
    expect(new Set(etags).size).toBe(3);
  });

  it('answers 304 if the client has the file', async () => {
    const { url } = await startFrontEnd();
    const { headers } = await rawRequest(url, '/');
    const etag = String(headers['etag']);
    for (const known of [etag, `"other", W/${etag}`]) {
      const again = await rawRequest(url, '/', { 'if-none-match': known });
      expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
      expect(again.headers).not.toHaveProperty('content-length');
    }
    const changed = await rawRequest(url, '/', { 'if-none-match': '"other"' });
    expect(changed.status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const { url } = await startFrontEnd();
    const { status, headers, body } = await rawRequest(url, '/', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, `${html.length}`, 0]);
  });

  it.each(['/', '/app/x', '/assets/main-1a2b.js'])('rejects POST to %s', async (path) => {
    const { url } = await startFrontEnd();
    const { status, headers } = await rawRequest(url, path, {}, 'POST');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    '/assets/',
    '/assets/missing.js',
    '/assets/link.txt',
    '/assets/../index.html',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets//etc/passwd',
    '/assets/main-1a2b.js%00',
    '/assets/__proto__',
    '/assets/main-1a2b.js/',
    '/index.html',
    '/secret.txt',
    '/../secret.txt',
    '//secret.txt',
    '/application',
    '/constructor',
  ])('has nothing at %s', async (path) => {
    const { url } = await startFrontEnd();
    const { status, body } = await rawRequest(url, path);
    expect(status).toBe(404);
    expect(JSON.parse(body.toString())).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  });

  it('reads its files on the first request, and again after a failure', async () => {
    const { fetch, directory, log } = await startFrontEnd();
    rmSync(directory, { recursive: true });
    const failed = await fetch('/');
    expect([failed.status, await failed.json()]).toMatchObject([
      500,
      { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    ]);
    expect(JSON.stringify(log)).toContain('ENOENT');
    mkdirSync(directory);
    writeFileSync(join(directory, 'index.html'), 'restored');
    expect(await (await fetch('/')).text()).toBe('restored');
    rmSync(directory, { recursive: true });
    expect(await (await fetch('/')).text()).toBe('restored');
  });
});

describe('without a front end, /', () => {
  it('redirects to the public URL', async () => {
    const publicUrl = 'https://gateway.example/dms';
    const { url } = await startGateway({ server: { publicUrl } });
    const { headers } = await rawRequest(url, '/');
    expect(headers['location']).toBe('https://gateway.example/dms/graphql');
  });
});
