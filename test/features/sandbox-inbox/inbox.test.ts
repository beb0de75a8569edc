import { describe, expect, it } from 'vitest';
import { startGateway, startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

describe('the inbox', () => {
  it('is served with an embedded sandbox, and can show files', async () => {
    const gateway = await startGatewayOnSandbox();
    for (const path of ['/', '/app', '/app/documents/DOC-0001']) {
      const response = await gateway.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-security-policy')).toMatch(
        /; style-src 'self'; img-src 'self' blob:; frame-src blob:; object-src blob:$/,
      );
      const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await response.text()) ?? [];
      const file = await gateway.fetch(script);
      expect(file.headers.get('content-type')).toMatch('text/javascript');
      await file.body?.cancel();
    }
  });

  it('is served without its sign-in if tokens of others identify users', async () => {
    const { fetch } = await startGatewayOnSandbox({ server: { identity: jwtIdentity } });
    expect((await fetch('/app')).status).toBe(200);
    expect((await fetch('/sandbox/people')).status).toBe(404);
  });

  it('is absent with another DMS', async () => {
    const { fetch } = await startGateway();
    for (const path of ['/app', '/assets/x.js', '/sandbox/people']) {
      expect([path, (await fetch(path)).status]).toEqual([path, 404]);
    }
    const root = await fetch('/', { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/graphql']);
  });
});
