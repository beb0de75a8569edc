import { describe, expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';

const app = 'https://app.example';
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
});
const corsOf = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  it.each(['/graphql', '/files/documents/a/b'])('is disabled on %s', async (path) => {
    const gateway = await startGateway();
    const response = await gateway.fetch(path, preflight(app));
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual([]);
  });

  it.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'null',
  ])('is disabled for %s if another origin is allowed', async (origin) => {
    const gateway = await startGateway({ server: { corsOrigins: [app] } });
    const response = await gateway.fetch('/graphql', preflight(origin));
    expect(corsOf(response)).toEqual([]);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('allows configured origins and client headers', async () => {
    const gateway = await startGateway({ server: { corsOrigins: ['https://x.example', app] } });
    const response = await gateway.fetch('/graphql', preflight(app));
    expect(response.headers.get('access-control-allow-origin')).toBe(app);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed?.toSorted()).toEqual([
      'accept-language',
      'apollo-require-preflight',
      'authorization',
      'content-type',
      'if-match',
      'if-modified-since',
      'if-none-match',
      'if-range',
      'if-unmodified-since',
      'range',
      'svc-run-as',
      'traceparent',
      'tracestate',
      'x-cost-only',
      'x-graphql-yoga-csrf',
      'x-request-id',
      'x-upstream-trace',
    ]);
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });

  it.each([
    ['/graphql', 'GET, POST, OPTIONS'],
    ['/files/documents/a/b', 'GET, HEAD, OPTIONS'],
  ])('allows the methods of %s', async (path, methods) => {
    const gateway = await startGateway({ server: { corsOrigins: [app] } });
    const response = await gateway.fetch(path, preflight(app));
    expect(response.headers.get('access-control-allow-methods')).toBe(methods);
  });

  it('exposes responses, errors and file names', async () => {
    const gateway = await startGateway({ server: { corsOrigins: [app] } });
    for (const init of [
      { method: 'POST', body: '{"query":"{ viewer { runAs } }"}' },
      { method: 'POST', body: 'x' },
      { method: 'PUT' },
    ]) {
      const headers = { origin: app, 'content-type': 'application/json' };
      const response = await gateway.fetch('/graphql', { ...init, headers });
      expect(response.headers.get('access-control-allow-origin')).toBe(app);
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed?.toSorted()).toEqual([
        'accept-ranges',
        'content-disposition',
        'content-encoding',
        'content-length',
        'content-range',
        'etag',
        'last-modified',
        'retry-after',
        'x-request-id',
      ]);
    }
  });
});
