import { describe, expect, it } from 'vitest';
import { sandboxInbox } from '../../../src/features/sandbox-inbox/index.ts';
import { readConfig } from '../../../src/features/settings.ts';
import { startupLines } from '../../../src/server/open-features.ts';
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

  it('has its URL in the message of the start', () => {
    const url = 'http://localhost:4000';
    expect(startupLines([sandboxInbox], readConfig({}), { url })).toEqual([
      `Inbox, an example of a front end: ${url}/`,
    ]);
    const others = readConfig({ DMS_URL: 'https://dms.example' });
    expect(startupLines([sandboxInbox], others, { url })).toEqual([]);
  });
});

describe('the setting SANDBOX_SIGN_IN', () => {
  const any = { SANDBOX_SIGN_IN: 'any' };

  it.each([
    [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
    [{ PUBLIC_URL: 'https://demo.example' }, 'PUBLIC_URL=https://demo.example'],
  ])('causes a warning if other machines can use it: %j', (settings, start) => {
    expect(readConfig({ ...settings, ...any }).warnings).toEqual([
      `${start} opens the sandbox: every client can act as its service account`,
      `${start} and SANDBOX_SIGN_IN=any let every client act as each person of the sandbox`,
    ]);
  });

  it.each([
    {},
    { HOST: '0.0.0.0', IDENTITY: 'jwt', JWT_SECRET: 'x'.repeat(32) },
    { HOST: '0.0.0.0', DMS_URL: 'https://dms.example' },
  ])('causes none if nobody else can, or nobody signs in: %j', (settings) => {
    expect(readConfig({ ...settings, ...any }).warnings).toEqual([]);
  });
});
