import { describe, expect, it } from 'vitest';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { download } from '../helpers/directions.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';

/** A gateway before a DMS that sends these header lines and this body. */
async function startWith(status: number, lines: readonly string[], body: string) {
  const dms = await startFailingDms((request, response) => {
    request.resume();
    response.writeHead(status, [...lines]).end(body);
  });
  return startGatewayBefore(dms.url);
}

const twice = (name: string, value: string, other = value) => [name, value, name, other];

describe('a header of the DMS with two lines', () => {
  it.each(['svc-total-count', 'X-Total-Count'])('%s counts if they are equal', async (name) => {
    const totalOf = async (lines: readonly string[]) => {
      const gateway = await startWith(200, lines, '[]');
      const { data } = await gateway.query('{ organizations { totalCount } }');
      return data.organizations.totalCount;
    };
    expect(await totalOf(twice(name, '7'))).toBe(7);
    expect(await totalOf([name, '7, 7'])).toBe(7);
    expect(await totalOf(twice(name, '7', '8'))).toBeNull();
    expect(await totalOf([name, '7, 8'])).toBeNull();
  });

  it.each([
    [twice('x-error', 'In use.'), 'In use.'],
    [twice('x-error', 'In use.', 'Closed.'), 'In use., Closed.'],
  ])('X-Error, %j, has the message %j', async (lines, message) => {
    const gateway = await startWith(400, lines, '');
    const { data } = await gateway.query(
      'mutation { upsertOrganization(input: { name: "a" }) { ... on ValidationError { message } } }',
    );
    expect(data).toEqual({ upsertOrganization: { message } });
  });

  it('Content-Type is that of a page if they are equal', async () => {
    const gateway = await startWith(200, twice('content-type', 'text/html'), '<html>');
    const response = await download(gateway);
    expect(response.status).toBe(502);
  });

  it('of a file is kept if they are equal', async () => {
    const names = {
      'content-disposition': "attachment; filename*=UTF-8''%C3%A4.pdf",
      'content-type': 'application/pdf',
      etag: '"v1"',
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      'accept-ranges': 'bytes',
    };
    const lines = Object.entries(names).flatMap(([name, value]) => twice(name, value));
    const { status, headers } = await download(await startWith(200, lines, 'x'));
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        ...names,
        'content-disposition': "attachment; filename=_.pdf; filename*=UTF-8''%C3%A4.pdf",
      },
    });
  });

  it('of a file is dropped if they differ', async () => {
    const lines = [...twice('etag', '"v1"', '"v2"'), ...twice('content-type', 'text/a', 'text/b')];
    const { headers } = await download(await startWith(200, lines, 'x'));
    expect(headers).not.toHaveProperty('etag');
    expect(headers['content-type']).toBe('application/octet-stream');
  });

  it('Content-Encoding of a file is a list', async () => {
    const lines = twice('content-encoding', 'x-first', 'x-second');
    const { headers } = await download(await startWith(200, lines, 'x'));
    expect(headers['content-encoding']).toBe('x-first, x-second');
  });
});
