import { describe, expect, it, vi } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';

const documents = {
  person: 'query ($id: ID = "usr-ann") { person(id: $id) { email } }',
  unit: 'query { orgUnit(id: "unit-1") { name head { fullName } } }',
  mixed: 'query { person(id: "usr-ann") { email } document(id: "DOC-1") { state } }',
  rename: 'mutation { updatePerson(input: { id: "usr-ann", firstName: "x" }) { __typename } }',
};
const ann = { _id_sys: 'usr-ann', email: 'ann@example.com' };

/** Starts a gateway that caches reference data, with trusted documents. */
async function start({ server, http, ...options }: TestGatewayOptions = {}) {
  const gateway = await startGateway({
    ...options,
    http: { cacheTtlMs: 30_000, ...http },
    server: { persistedDocuments: writeManifest(documents), ...server },
  });
  gateway.dms.reply('GET', /person/, ann);
  return gateway;
}

type Gateway = Awaited<ReturnType<typeof start>>;

function get(gateway: Gateway, id: string, headers: Record<string, string> = {}, query = '') {
  return gateway.fetch(`/graphql?documentId=${id}${query}`, {
    headers: { 'apollo-require-preflight': '1', accept: 'application/json', ...headers },
  });
}

const cacheControl = ({ headers }: Response) => headers.get('cache-control');

describe('a GET of a trusted document that reads reference data only', () => {
  it('can be cached by its client for the lifetime of the data', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const gateway = await start();
    const response = await get(gateway, 'person');
    expect(response.status).toBe(200);
    expect(cacheControl(response)).toBe('private, max-age=30');
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect(response.headers.get('vary')).toBe(
      'accept, accept-language, authorization, svc-run-as, x-upstream-trace, x-cost-only',
    );
  });

  it('is cached only for what the oldest cached value has left', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const gateway = await start();
    gateway.dms.reply('GET', /unit-1/, { _id_sys: 'unit-1', elhead: 'usr-ann' });
    await get(gateway, 'person');
    passedMs = 12_500;
    const response = await get(gateway, 'unit');
    expect(await response.json()).toMatchObject({ data: { orgUnit: { head: {} } } });
    const [, maxAge] = /^private, max-age=(\d+)$/.exec(cacheControl(response)!)!;
    expect(Number(maxAge)).toBeLessThanOrEqual(17); // less on a busy machine
    expect(gateway.dms.requests).toHaveLength(2);
  });

  it('is 304 without a body if the client has the response', async () => {
    const gateway = await start();
    const etag = (await get(gateway, 'person')).headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get(gateway, 'person', { 'if-none-match': known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(etag);
      expect(cacheControl(response)).toMatch(/^private, max-age=\d+$/);
      expect(response.headers.get('content-length')).toBeNull();
    }
    expect(gateway.dms.requests).toHaveLength(1);
    await expect
      .poll(() => gateway.log.filter(({ msg }) => msg === 'request').at(-1))
      .toMatchObject({ status: 304, outcome: 'OK', calls: 0 });
  });

  it('has another ETag after a change', async () => {
    const gateway = await start({ http: { cacheTtlMs: 1000 } });
    gateway.dms.reply('POST', '/api/v2/person', ann);
    const etag = (await get(gateway, 'person')).headers.get('etag')!;
    gateway.dms.reply('GET', /person/, { ...ann, email: 'new@example.com' });
    await gateway.query(documents.rename);
    const response = await get(gateway, 'person', { 'if-none-match': etag });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).not.toBe(etag);
  });

  it('differs by variables and user', async () => {
    const gateway = await start({ server: { identity: { mode: 'passthrough' } } });
    gateway.dms.reply('GET', /person/, ({ path, headers }) => ({
      ...ann,
      email: `${path} ${headers['authorization']}`,
    }));
    const etags = [
      await get(gateway, 'person', { authorization: 'Bearer a' }),
      await get(gateway, 'person', { authorization: 'Bearer b' }),
      await get(gateway, 'person', { authorization: 'Bearer a' }, '&variables={"id":"usr-bob"}'),
    ].map(({ headers }) => headers.get('etag'));
    expect(new Set(etags).size).toBe(3);
  });

  it('varies with the headers that the DMS receives', async () => {
    const gateway = await start({ server: { forwardHeaders: ['accept-language', 'x-tenant'] } });
    expect((await get(gateway, 'person')).headers.get('vary')).toBe(
      'accept, accept-language, authorization, svc-run-as, x-upstream-trace, x-cost-only, x-tenant',
    );
  });

  it('keeps the header Vary for CORS', async () => {
    const origin = 'https://app.example';
    const gateway = await start({ server: { corsOrigins: [origin] } });
    const response = await get(gateway, 'person', { origin });
    expect(response.headers.get('vary')).toMatch(/^Origin, accept, /);
  });
});

describe('a response is not cached', () => {
  const uncached = { cacheControl: 'no-store', etag: null };
  const cachingOf = (response: Response) => ({
    cacheControl: cacheControl(response),
    etag: response.headers.get('etag'),
  });

  it('to a GET that also reads a document', async () => {
    const gateway = await start();
    gateway.dms.reply('GET', /docForm/, { _id: '65f000005eed00d000000001', state: 1 });
    expect(cachingOf(await get(gateway, 'mixed'))).toEqual(uncached);
  });

  it('to a GET of a document that is not trusted', async () => {
    const gateway = await start();
    const query = encodeURIComponent('{ person(id: "usr-ann") { fullName } }');
    expect(cachingOf(await get(gateway, '', {}, `&query=${query}`))).toEqual(uncached);
  });

  it('to a POST', async () => {
    const gateway = await start();
    expect(cachingOf(await gateway.post({ documentId: 'person' }))).toEqual(uncached);
  });

  it('with CACHE_TTL_MS=0', async () => {
    expect(cachingOf(await get(await start({ http: { cacheTtlMs: 0 } }), 'person'))).toEqual(
      uncached,
    );
  });

  it('with errors', async () => {
    const gateway = await start();
    gateway.dms.reply('GET', /person/, '', { status: 503 });
    expect(cachingOf(await get(gateway, 'person'))).toEqual(uncached);
  });

  it('with the list of upstream calls', async () => {
    expect(cachingOf(await get(await start(), 'person', { 'x-upstream-trace': '1' }))).toEqual(
      uncached,
    );
  });

  it('to a request for the cost of a query', async () => {
    expect(cachingOf(await get(await start(), 'person', { 'x-cost-only': '1' }))).toEqual(uncached);
  });

  it('if an error replaces a result that is too large', async () => {
    const gateway = await start({ server: { maxResponseBytes: 1024 } });
    gateway.dms.reply('GET', /person/, { ...ann, email: 'x'.repeat(2000) });
    const response = await get(gateway, 'person');
    expect(cachingOf(response)).toEqual(uncached);
    expect(await response.json()).toMatchObject({ errors: [{}] });
  });
});
