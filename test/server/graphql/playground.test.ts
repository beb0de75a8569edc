import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../../../src/server/gateway.ts';
import { readExamples } from '../../../src/server/graphql/playground/examples.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the playground', () => {
  it('is one page without external resources', async () => {
    const gateway = await startGateway({ server: { playground: true } });
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toContain('<title>DMS gateway</title>');
    const tags = html.replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '');
    expect(tags).not.toMatch(/(?:src|href)="(?!data:)/);

    const policy = response.headers.get('content-security-policy') ?? '';
    const scripts = html.matchAll(/<script(?: type="module")?>([\s\S]*?)<\/script>/g);
    const hashes = [...scripts].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    expect(hashes).toHaveLength(2);
    expect(policy).toBe(
      [
        "default-src 'none'",
        `script-src ${hashes.join(' ')} blob:`,
        "style-src 'unsafe-inline'",
        'img-src data:',
        'font-src data:',
        'worker-src blob:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
  });

  it('contains the settings of the page and no other', async () => {
    const dataOf = async (server: Partial<GatewayOptions>): Promise<Record<string, unknown>> => {
      const gateway = await startGateway({ server: { playground: true, ...server } });
      const html = await (await gateway.fetch('/graphql', { headers: browser })).text();
      const [, json = ''] =
        /<script type="application\/json" id="data">(.*)<\/script>/.exec(html) ?? [];
      return JSON.parse(json) as Record<string, unknown>;
    };
    const { workers, firstQuery, ...rest } = await dataOf({});
    expect(workers).toHaveProperty('graphql');
    expect(firstQuery).toContain('query Inbox');
    expect(rest).toEqual({
      persistedOnly: false,
      upstreamTrace: true,
      hasPeople: false,
      examples: await readExamples(),
    });
    const persistedDocuments = writeManifest({ me: '{ viewer { runAs } }' });
    const restricted = { persistedDocuments, persistedOnly: true, upstreamTrace: false };
    expect(await dataOf(restricted)).toMatchObject({ upstreamTrace: false, examples: [] });
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
  });
});
