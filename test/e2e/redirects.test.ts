import { describe, expect, it } from 'vitest';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore, type TestGateway } from '../helpers/gateway.ts';
import { createDocumentParts } from '../helpers/multipart-request.ts';

type Call = (gateway: TestGateway) => Promise<unknown>;

const codeOf = async (response: Response): Promise<unknown> => {
  const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
  return errors[0]?.extensions.code;
};
const read: Call = async (gateway) =>
  (await gateway.query('{ person(id: "usr-ann") { email } }')).errors?.[0]?.extensions['code'];
const write: Call = async (gateway) =>
  (await gateway.query('mutation { upsertOrganization(input: { name: "a" }) { __typename } }'))
    .errors?.[0]?.extensions['code'];
const upload: Call = async (gateway) =>
  (await gateway.upload(createDocumentParts([{ filename: 'a.txt', body: 'a' }]))).errors?.[0]
    ?.extensions['code'];
const download: Call = async (gateway) =>
  codeOf(await gateway.fetch('/files/documents/aaaaaaaaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbbbbbbbbbb'));

describe.each([301, 302, 307, 308])('a redirect with %i', (status) => {
  // 302 is also how a server refers to the result of a write (RFC 9110, 15.4.3).
  const ofWrite = status === 302 ? 'OUTCOME_UNKNOWN' : 'UPSTREAM_ERROR';

  it.each<[string, Call, string]>([
    ['a read', read, 'UPSTREAM_ERROR'],
    ['a write', write, ofWrite],
    ['an upload', upload, ofWrite],
    ['a download', download, 'UPSTREAM_ERROR'],
  ])('is not followed by %s, and the log names its origin', async (_name, call, code) => {
    const target = await startFailingDms((_request, response) => void response.end('{}'));
    const dms = await startFailingDms((request, response) => {
      const location = `${target.url}/login?secret=s`;
      request.resume().once('end', () => response.writeHead(status, { location }).end());
    });
    const gateway = await startGatewayBefore(dms.url);
    expect(await call(gateway)).toBe(code);
    expect(dms.requests).toHaveLength(1);
    expect(target.requests).toEqual([]);
    await expect.poll(() => JSON.stringify(gateway.log)).toContain(`a redirect to ${target.url}`);
    expect(JSON.stringify(gateway.log)).not.toContain('secret=s');
  });
});

it.each([
  ['/login', 'a redirect to another path'],
  ['javascript:alert(1)', 'a redirect to another protocol'],
  ['https://user:password@login.example/x', 'a redirect to https://login.example'],
])('describes a redirect to %s', async (location, description) => {
  const dms = await startFailingDms((_request, response) =>
    response.writeHead(307, { location }).end(),
  );
  const gateway = await startGatewayBefore(dms.url);
  expect(await read(gateway)).toBe('UPSTREAM_ERROR');
  expect(JSON.stringify(gateway.log)).toContain(`"got":"${description}"`);
  expect(JSON.stringify(gateway.log)).not.toContain('password');
});

describe('a cookie of the DMS', () => {
  it.each(directions)('is dropped with $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms((answer, request, response) => {
      response.setHeader('set-cookie', ['session=s; Path=/', 'other=o']);
      sendPlain(answer, request, response);
    });
    expect(await run(dms, { http: { cacheTtlMs: 0 } })).toEqual(expected);
    for (const headers of dms.headers) expect(headers.cookie).toBeUndefined();
  });

  it.each<[string, (gateway: TestGateway) => Promise<Response>]>([
    ['/files', (gateway) => gateway.fetch(`/files/documents/${'a'.repeat(24)}/${'b'.repeat(24)}`)],
    [
      '/graphql',
      (gateway) =>
        gateway.post({ query: '{ person(id: "usr-ann") { email } }' }, { cookie: 'of=the-client' }),
    ],
  ])('does not reach the client of %s, nor its own the DMS', async (_name, send) => {
    const dms = await startDirectionsDms((answer, request, response) => {
      response.setHeader('set-cookie', 'session=s');
      sendPlain(answer, request, response);
    });
    const gateway = await startGatewayBefore(dms.url);
    const first = await send(gateway);
    expect([first.status, first.headers.get('set-cookie')]).toEqual([200, null]);
    await send(gateway);
    for (const headers of dms.headers) expect(headers.cookie).toBeUndefined();
  });
});
