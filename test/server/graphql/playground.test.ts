import { createHash } from 'node:crypto';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../../../src/server/options.ts';
import { readExamples } from '../../../src/server/graphql/playground/index.ts';
import {
  startGateway,
  startGatewayOnSandbox,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

/** URLs of the files to which the page refers. */
function fileUrls(html: string): readonly string[] {
  return [...html.matchAll(/"(graphql\/assets\/[^"]*)"/g)].map(([, url = '']) => url);
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Returns the settings that the page contains. */
async function dataOn(gateway: TestGateway): Promise<Record<string, unknown>> {
  const html = await (await gateway.fetch('/graphql', { headers: browser })).text();
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe('the playground', () => {
  it('is a page that allows only its own files, by their hashes', async () => {
    const gateway = await startGateway({ server: { playground: true } });
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toContain('<title>DMS gateway</title>');
    const urls = fileUrls(html);
    expect(urls).toHaveLength(6);

    const hashes = await Promise.all(
      [...html.matchAll(/<script[^>]*src="([^"]*)" integrity="([^"]*)"/g)].map(
        async ([, src = '', integrity]) => {
          const script = await (await gateway.fetch(`/${src}`)).text();
          const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
          expect(hash).toBe(integrity);
          return `'${hash}'`;
        },
      ),
    );
    expect(hashes).toHaveLength(2);
    expect(response.headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        `script-src ${hashes.join(' ')}`,
        "style-src 'self' 'unsafe-inline'",
        'img-src data:',
        'font-src data:',
        "worker-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
  });

  it('is revalidated, and its files are compressed and immutable', async () => {
    const gateway = await startGateway({ server: { playground: true } });
    const response = await gateway.fetch('/graphql', { headers: browser });
    const etag = response.headers.get('etag') ?? '';
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toBe('accept, accept-encoding');
    const again = await gateway.fetch('/graphql', {
      headers: { ...browser, 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    for (const url of fileUrls(await response.text())) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as the machine has few cores
      const file = await gateway.fetch(`/${url}`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-encoding')).toBe('gzip');
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
      await file.body?.cancel(); // oxlint-disable-line no-await-in-loop
    }
  });

  it('has no other files', async () => {
    const gateway = await startGateway({ server: { playground: true } });
    for (const path of ['', 'page.html', 'page.js', '../playground/page.html', '__proto__']) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await gateway.fetch(`/graphql/assets/${path}`)).status).toBe(404);
    }
  });

  it('contains the settings of the page and no other', async () => {
    const dataOf = async (
      server: Partial<GatewayOptions>,
      parts: TestGatewayOptions['parts'] = {},
    ): Promise<Record<string, unknown>> => {
      return dataOn(await startGateway({ server: { playground: true, ...server }, parts }));
    };
    const { workers, firstQuery, schemaHash, ...rest } = await dataOf({});
    expect(workers).toHaveProperty('graphql');
    expect(schemaHash).toMatch(/^[\w-]{43}$/);
    expect(await dataOf({})).toMatchObject({ schemaHash });
    expect(await dataOf({ federation: true })).not.toMatchObject({ schemaHash });
    expect(await dataOf({}, { schema: buildSchema('type Query { a: Int }') })).not.toMatchObject({
      schemaHash,
    });
    expect(await dataOf({ introspection: false })).toMatchObject({ schemaHash: null });
    expect(firstQuery).toContain('query Inbox');
    expect(rest).toEqual({
      persistedOnly: false,
      upstreamTrace: true,
      hasPeople: false,
      hasInbox: false,
      examples: (await readExamples()).filter(({ group }) => group !== 'Typed forms'),
    });
    const persistedDocuments = writeManifest({ me: '{ viewer { runAs } }' });
    const restricted = { persistedDocuments, persistedOnly: true, upstreamTrace: false };
    expect(await dataOf(restricted)).toMatchObject({
      upstreamTrace: false,
      examples: [],
      schemaHash: null,
    });
  });

  it('has examples of typed forms if the gateway knows them', async () => {
    const gateway = await startGatewayOnSandbox({ server: { playground: true } });
    expect(await dataOn(gateway)).toMatchObject({ examples: await readExamples() });
  });

  it('is served without credentials', async () => {
    const gateway = await startGateway({ server: { playground: true, identity: jwtIdentity } });
    const response = await gateway.fetch('/graphql', { method: 'GET', headers: browser });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it('is served only to requests for HTML', async () => {
    const gateway = await startGateway({ server: { playground: true } });
    expect((await gateway.query('{ viewer { runAs } }', {}, { accept: '*/*' })).status).toBe(200);
    expect((await gateway.fetch('/graphql')).status).toBe(403);
  });

  it('is absent if disabled', async () => {
    const gateway = await startGateway({ server: { playground: false } });
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await gateway.fetch('/graphql/assets/page.js')).status).toBe(404);
  });
});
