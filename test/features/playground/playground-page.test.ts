import { describe, expect, it } from 'vitest';
import type { PlaygroundOptions } from '../../../src/features/playground/playground-page.ts';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function pageOf(gateway: TestGateway): Promise<string> {
  return (await gateway.fetch('/graphql', { headers: browser })).text();
}

/** URLs of the files to which the page refers. */
function fileUrls(html: string): readonly string[] {
  return [...html.matchAll(/"\.(\/graphql\/assets\/[^"]*)"/g)].map(([, url = '']) => url);
}

/** Returns the settings that the page contains. */
function settingsIn(html: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="settings">(.*)<\/script>/.exec(html)!;
  return JSON.parse(json);
}

describe('the playground', () => {
  it('is a page that allows only its own files', async () => {
    const gateway = await startGateway();
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src 'self'",
    );
    const html = await response.text();
    expect(html).toContain('<title>DMS gateway</title>');
    expect(html).not.toMatch(/<script(?! type="application\/json"|[^>]* src=)/);
    expect(html).not.toMatch(/(?:src|href)="(?!\.\/)/);
  });

  it('is revalidated, and has its files', async () => {
    const gateway = await startGateway();
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toBe('accept, accept-encoding');
    const urls = fileUrls(await response.text());
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) {
      const file = await gateway.fetch(url);
      expect([url, file.status]).toEqual([url, 200]);
      expect(file.headers.get('content-type')).toMatch(
        /^text\/(?:css|javascript); charset=utf-8$|^image\/svg\+xml$/,
      );
      await file.body?.cancel();
    }
  });

  it('tells the page what this gateway has', async () => {
    const settingsOf = async (server: Partial<PlaygroundOptions>): Promise<unknown> =>
      settingsIn(await pageOf(await startGateway({ server })));
    const settings = {
      introspection: true,
      persistedOnly: false,
      hasPeople: false,
      hasInbox: false,
    };
    expect(await settingsOf({})).toEqual(settings);
    expect(await settingsOf({ introspection: false })).toEqual({
      ...settings,
      introspection: false,
    });
    expect(await settingsOf({ persistedOnly: true })).toEqual({
      ...settings,
      persistedOnly: true,
    });
    const answer = { answer() {} };
    const others = {
      name: 'others',
      open: async () => ({ endpoints: () => ({ '/app': answer, '/sandbox/people': answer }) }),
    };
    expect(settingsIn(await pageOf(await startGateway({ features: [others] })))).toEqual({
      ...settings,
      hasPeople: true,
      hasInbox: true,
    });
  });

  it('is served without credentials', async () => {
    const gateway = await startGateway({ server: { identity: jwtIdentity } });
    const response = await gateway.fetch('/graphql', { method: 'GET', headers: browser });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it('is served only to requests for HTML', async () => {
    const gateway = await startGateway();
    expect((await gateway.query('{ viewer { runAs } }', {}, { accept: '*/*' })).status).toBe(200);
    expect((await gateway.fetch('/graphql')).status).toBe(403);
  });

  it('is absent if disabled', async () => {
    const on = await startGateway();
    const [url = ''] = fileUrls(await pageOf(on));
    const gateway = await startGateway({ server: { playground: false } });
    const response = await gateway.fetch('/graphql', { headers: browser });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await gateway.fetch(url)).status).toBe(404);
  });
});
