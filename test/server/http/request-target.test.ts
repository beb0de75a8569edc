import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frontEndIn } from '../../helpers/front-end.ts';
import { startGateway, startGatewayOnSandbox, type TestGateway } from '../../helpers/gateway.ts';
import { collectText, openConnection, readToEnd } from '../../helpers/raw-connection.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

/** Sends a request with this target, and returns the status and the body of the response. */
async function get({ url }: TestGateway, target: string, host = 'evil.example') {
  const socket = openConnection(url);
  const head = [`GET ${target} HTTP/1.1`, `host: ${host}`, 'apollo-require-preflight: 1'];
  socket.write([...head, 'connection: close', '', ''].join('\r\n'));
  const text = await readToEnd(socket);
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), body };
}

const codeOf = (body: string): string => JSON.parse(body).errors[0].extensions.code;

describe('a request with an absolute URL', () => {
  it.each([
    ['/healthz', '{"status":"ok"}'],
    ['/readyz?verbose', '{"status":"ready"}'],
    ['/graphql?query={__typename}', '{"data":{"__typename":"Query"}}'],
  ])('is answered for %s', async (path, body) => {
    const gateway = await startGateway();
    for (const origin of ['http://localhost:4000', 'HTTPS://LocalHost', 'http://[::1]:4000']) {
      expect(await get(gateway, origin + path)).toEqual({ status: 200, body });
    }
  });

  it.each(['http://localhost', 'http://localhost/', 'http://localhost?view=ALL'])(
    'is answered by the front end for %s',
    async (target) => {
      const directory = temporaryDirectory();
      writeFileSync(join(directory, 'index.html'), 'page');
      const gateway = await startGateway({ features: [frontEndIn(directory)] });
      expect(await get(gateway, target)).toEqual({ status: 200, body: 'page' });
    },
  );

  it('has links to files with its host, which it can follow', async () => {
    const gateway = await startGatewayOnSandbox({ server: { allowedHosts: ['files.example'] } });
    const document = '{document(id:"DOC-0191"){files{url}}}';
    const origin = 'http://files.example:4000';
    const { body } = await get(gateway, `${origin}/graphql?query=${encodeURIComponent(document)}`);
    const [file] = JSON.parse(body).data.document.files;
    expect(file.url).toMatch(/^http:\/\/files\.example:4000\/files\//);
    expect((await get(gateway, file.url)).status).toBe(200);
  });

  it.each(['/graphql?query={__typename}', '/files/documents/a/b'])(
    'is rejected for an unknown host at %s, whatever the Host header',
    async (path) => {
      const { status, body } = await get(
        await startGateway(),
        `http://evil.example${path}`,
        'localhost',
      );
      expect([status, codeOf(body)]).toEqual([421, 'FORBIDDEN']);
    },
  );

  it.each([
    'ftp://localhost/healthz',
    'http://user@localhost/healthz',
    'http://user:secret@localhost/graphql?query={__typename}',
    'http://localhost:port/graphql?query={__typename}',
  ])('is rejected as invalid: %s', async (target) => {
    const { status, body } = await get(await startGateway(), target);
    expect([status, codeOf(body)]).toEqual([400, 'BAD_USER_INPUT']);
  });
});

it.each(['/healthz', '/graphql?query={__typename}', '/files/documents/a/b', 'http://localhost/'])(
  'a request with two Host headers is rejected at %s',
  async (target) => {
    const gateway = await startGateway();
    for (const second of ['localhost', 'evil.example', '']) {
      const { status, body } = await get(gateway, target, `localhost\r\nhost: ${second}`);
      expect(status).toBe(400);
      expect(codeOf(body)).toBe('BAD_USER_INPUT');
    }
    expect(gateway.dms.requests).toEqual([]);
  },
);

it.each(['gzip, chunked', 'chunked, chunked'])(
  'a request with a transfer coding is rejected for %s',
  async (coding) => {
    const gateway = await startGateway();
    const socket = openConnection(gateway.url);
    const head = [
      'POST /graphql HTTP/1.1',
      'host: x',
      'content-type: application/json',
      `transfer-encoding: ${coding}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n1a\r\n{"query":"{ __typename }"}\r\n0\r\n\r\n`);
    const text = collectText(socket);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 (?:501|400) /);
    expect(text()).not.toContain('"Query"');
  },
);
