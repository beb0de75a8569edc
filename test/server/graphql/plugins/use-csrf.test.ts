import { describe, expect, it } from 'vitest';
import { request } from 'undici';
import { startGateway } from '../../../helpers/gateway.ts';

const document = '{ viewer { runAs } }';
const address = `/graphql?query=${encodeURIComponent(document)}`;

describe('a request that needs no preflight', () => {
  it('is rejected as GET', async () => {
    const gateway = await startGateway();
    const response = await gateway.fetch(address);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message:
            'GET and multipart requests require the header x-graphql-yoga-csrf or apollo-require-preflight.',
          extensions: { code: 'FORBIDDEN' },
        },
      ],
    });
  });

  it.each(['multipart/form-data; boundary=x', 'Multipart/Form-Data;boundary=x'])(
    'is rejected as %s without reading it',
    async (type) => {
      const gateway = await startGateway();
      const { status } = await gateway.post('not multipart at all', { 'content-type': type });
      expect(status).toBe(403);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'is rejected as %s even with the header',
    async (type) => {
      const gateway = await startGateway();
      const headers = { 'content-type': type, 'x-graphql-yoga-csrf': '1' };
      expect((await gateway.post({ query: document }, headers)).status).toBe(415);
    },
  );

  it('is rejected without a media type', async () => {
    const gateway = await startGateway();
    const body = new TextEncoder().encode(JSON.stringify({ query: document }));
    expect((await gateway.fetch('/graphql', { method: 'POST', body })).status).toBe(415);
  });
});

describe('a GET request with Sec-Fetch-Site', () => {
  it.each(['same-origin', 'none'])('is accepted with %s', async (site) => {
    const gateway = await startGateway();
    const response = await gateway.fetch(address, { headers: { 'sec-fetch-site': site } });
    expect(await response.json()).toEqual({ data: { viewer: { runAs: null } } });
  });

  it.each(['cross-site', 'same-site', 'Same-Origin', 'same-origin, none', 'null', ''])(
    'is rejected with %j',
    async (site) => {
      const gateway = await startGateway();
      const response = await gateway.fetch(address, { headers: { 'sec-fetch-site': site } });
      expect(response.status).toBe(403);
    },
  );

  it.each([
    ['same-origin', 'cross-site'],
    ['cross-site', 'same-origin'],
    ['none', 'none'],
  ])('is rejected with %s and %s', async (...sites) => {
    const gateway = await startGateway();
    const { status } = await getWith(gateway.url + address, sites);
    expect(status).toBe(403);
  });

  it('is accepted with same-site or cross-site and the other header', async () => {
    const gateway = await startGateway();
    for (const site of ['same-site', 'cross-site']) {
      const headers = { 'sec-fetch-site': site, 'apollo-require-preflight': '1' };
      expect((await gateway.fetch(address, { headers })).status).toBe(200);
    }
  });

  it('is rejected as multipart with same-origin', async () => {
    const gateway = await startGateway();
    const { status } = await gateway.post('not multipart at all', {
      'content-type': 'multipart/form-data; boundary=x',
      'sec-fetch-site': 'same-origin',
    });
    expect(status).toBe(403);
  });

  it('is rejected with a mutation and same-origin', async () => {
    const gateway = await startGateway();
    const mutation =
      'mutation { deleteOrganization(input: { id: "5f0000000000000000000001" }) { __typename } }';
    const response = await gateway.fetch(`/graphql?query=${encodeURIComponent(mutation)}`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(response.status).toBe(405);
    expect(gateway.dms.requests).toEqual([]);
  });
});

/** Sends the header several times, which `fetch` cannot. */
async function getWith(url: string, sites: readonly string[]): Promise<{ status: number }> {
  const { statusCode, body } = await request(url, {
    headers: sites.flatMap((site) => ['sec-fetch-site', site]),
  });
  await body.dump();
  return { status: statusCode };
}

describe('a request that needs a preflight', () => {
  it.each(['x-graphql-yoga-csrf', 'apollo-require-preflight'])(
    'is accepted as GET with %s',
    async (name) => {
      const gateway = await startGateway();
      const response = await gateway.fetch(address, { headers: { [name]: '1' } });
      expect(await response.json()).toEqual({ data: { viewer: { runAs: null } } });
    },
  );

  it('accepts GET with variables and rejects invalid JSON', async () => {
    const gateway = await startGateway();
    const query = 'query Q($on: Boolean!) { viewer { runAs @include(if: $on) } }';
    const ask = async (variables: string) => {
      const search = new URLSearchParams({ query, variables, operationName: 'Q' });
      return gateway.fetch(`/graphql?${search}`, { headers: { 'x-graphql-yoga-csrf': '1' } });
    };
    expect(await (await ask('{"on":false}')).json()).toEqual({ data: { viewer: {} } });
    const wrong = await ask('{');
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('`variables` and `extensions` must be valid JSON.');
  });

  it('is rejected as GET with a mutation', async () => {
    const gateway = await startGateway();
    const mutation =
      'mutation { deleteOrganization(input: { id: "5f0000000000000000000001" }) { __typename } }';
    const response = await gateway.fetch(`/graphql?query=${encodeURIComponent(mutation)}`, {
      headers: { 'x-graphql-yoga-csrf': '1' },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(gateway.dms.requests).toEqual([]);
  });
});
