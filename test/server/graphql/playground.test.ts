import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const jwt = {
  mode: 'jwt' as const,
  secret: 'a secret of more than 32 characters, for tokens',
  jwksUrl: null,
  issuer: null,
  audience: null,
  runAsClaim: 'email',
};

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
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}' blob:`);
    expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/);
  });

  it('is served without credentials', async () => {
    const gateway = await startGateway({ server: { playground: true, identity: jwt } });
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
