import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';
import { jwtIdentity, tokenWith } from '../helpers/jwt.ts';

const path = '/schema.graphql';

describe('the schema endpoint', () => {
  it('sends the base schema without a REST call', async () => {
    const gateway = await startGateway();
    const response = await gateway.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(await response.text()).toBe(readFileSync('schema.graphql', 'utf8'));
  });

  it('sends 304 to a client that has the schema', async () => {
    const gateway = await startGateway();
    const etag = (await gateway.fetch(path)).headers.get('etag')!;
    const response = await gateway.fetch(path, { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    const other = await gateway.fetch(path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('sends only the headers for HEAD', async () => {
    const gateway = await startGateway();
    const [get, head] = await Promise.all([
      gateway.fetch(path),
      gateway.fetch(path, { method: 'HEAD' }),
    ]);
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  it('does not exist where introspection is rejected', async () => {
    const gateway = await startGateway({ server: { introspection: false } });
    expect((await gateway.fetch(path)).status).toBe(404);
  });

  it('identifies the user like /graphql', async () => {
    const gateway = await startGateway({ server: { identity: jwtIdentity } });
    expect((await gateway.fetch(path)).status).toBe(401);
    const authorization = `Bearer ${await tokenWith({ email: 'ada@example.com' })}`;
    const response = await gateway.fetch(path, { headers: { authorization } });
    expect(response.status).toBe(200);
    expect(response.headers.get('vary')).toBe('accept-encoding, authorization, svc-run-as');
  });

  it('lets pages of allowed origins read it', async () => {
    const origin = 'https://app.example';
    const gateway = await startGateway({ server: { corsOrigins: [origin] } });
    const allowed = await gateway.fetch(path, { headers: { origin } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('vary')).toBe('Origin, accept-encoding, authorization, svc-run-as');
    const other = await gateway.fetch(path, { headers: { origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect((await gateway.fetch(path, { method: 'OPTIONS' })).status).toBe(204);
  });
});
