import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { multipart, multipartHeaders, type Part } from '../../helpers/multipart-request.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';
import { answersInParts } from '../../helpers/result-parts.ts';

const requestId = 'request-1';
const id = '5f0000000000000000000001';

interface Answer {
  readonly status: number;
  /** `extensions` of every error, including those in parts of a streamed result. */
  readonly extensions: readonly Record<string, unknown>[];
}

/** Sends a request with a request ID and returns the errors of the response, in any format. */
async function send(gateway: TestGateway, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set('x-request-id', requestId);
  const response = await gateway.fetch(path, { ...init, headers });
  expect(response.headers.get('x-request-id')).toBe(requestId);
  return { status: response.status, extensions: extensionsIn(await response.text()) };
}

function extensionsIn(body: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const parts = [...body.matchAll(/^(?:data: )?(\{.*\})$/gm)];
  for (const [, json = ''] of parts) {
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('errors' in value) {
        for (const error of value.errors as { extensions: Record<string, unknown> }[]) {
          found.push(error.extensions);
        }
      }
      Object.values(value).forEach(collect);
    };
    collect(JSON.parse(json));
  }
  return found;
}

function query(
  gateway: TestGateway,
  document: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(gateway, '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query: document, ...body }),
  });
}

function upload(gateway: TestGateway, parts: readonly Part[]): Promise<Answer> {
  return send(gateway, '/graphql', {
    method: 'POST',
    headers: multipartHeaders,
    body: new Uint8Array(multipart(parts)),
  });
}

const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

const isAlone = (code: string) => [expect.objectContaining({ code, requestId })];

describe('the request ID of a GraphQL error', () => {
  const variables = { id };
  it.each([
    ['a query document that is not GraphQL', '{', {}, 'GRAPHQL_PARSE_FAILED'],
    ['a field that the schema does not have', '{ nope }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a document over a limit',
      `{ form(id: "f") { ${'a: fullId '.repeat(30)} } }`,
      {},
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'a missing operation',
      'query A { __typename }',
      { operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a variable of the wrong type',
      'query Q($id: ID!) { form(id: $id) { fullId } }',
      { variables: { id: [[]] } },
      'BAD_USER_INPUT',
    ],
    [
      'a required variable that is missing',
      'query Q($id: ID!) { form(id: $id) { fullId } }',
      {},
      'BAD_USER_INPUT',
    ],
    ['an argument that the precheck rejects', '{ nodes(ids: ["x"]) { id } }', {}, 'BAD_USER_INPUT'],
    [
      'a cost above the budget',
      '{ documents(first: 100) { nodes { refByDocs(first: 100) { nodes { shortId } } } } }',
      {},
      'UPSTREAM_BUDGET_EXCEEDED',
    ],
    [
      'a field whose read fails',
      'query Q($id: ID!) { document(id: $id) { state } }',
      { variables },
      'UPSTREAM_ERROR',
    ],
  ] as const)('is there for %s', async (_what, document, body, code) => {
    const gateway = await startGateway({ server: { maxAliases: 20 } });
    gateway.dms.reply('GET', `/api/v2/docForm/${id}`, '<html>', { status: 500 });
    const { extensions } = await query(gateway, document, body);
    expect(extensions).toEqual(isAlone(code));
  });

  it('is set for large results and omitted errors', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 1024 } });
    gateway.dms.reply('GET', `/api/v2/docForm/${id}`, { _id: id, _tags: ['x'.repeat(2000)] });
    const large = await query(gateway, `{ document(id: "${id}") { tags } }`);
    expect(large.extensions).toEqual(isAlone('BAD_USER_INPUT'));

    const many = await startGateway({ server: { maxAliases: 200, maxRootFields: 200 } });
    many.dms.reply('GET', /docForm/, '', { status: 500 });
    const fields = Array.from({ length: 120 }, (_, n) => `a${n}: document(id: "d${n}") { state }`);
    const { extensions } = await query(many, `{ ${fields.join(' ')} }`);
    expect(extensions).toHaveLength(101);
    for (const one of extensions) expect(one).toMatchObject({ code: 'UPSTREAM_ERROR', requestId });
  });
});

describe('the request ID of an error before GraphQL', () => {
  it.each([
    ['404', '/nothing', {}, 'NOT_FOUND'],
    ['405', '/graphql', { method: 'PUT' }, 'BAD_USER_INPUT'],
    ['415', '/graphql', post('{}', { 'content-type': 'text/plain' }), 'BAD_USER_INPUT'],
    [
      '406',
      '/graphql',
      post('{"query":"{ __typename }"}', { accept: 'image/png' }),
      'BAD_USER_INPUT',
    ],
    ['400 for a body that is not JSON', '/graphql', post('{'), 'BAD_USER_INPUT'],
    ['400 for a batch', '/graphql', post('[]'), 'BAD_USER_INPUT'],
    ['400 for parameters of the wrong type', '/graphql', post('{"query":1}'), 'BAD_USER_INPUT'],
    ['413', '/graphql', post(`{"query":"${' '.repeat(2000)}"}`), 'BAD_USER_INPUT'],
    ['403 for a GET without a CSRF header', '/graphql?query={__typename}', {}, 'FORBIDDEN'],
    [
      '403 for a run-as header',
      '/graphql',
      post('{"query":"{ __typename }"}', { 'svc-run-as': 'ann' }),
      'FORBIDDEN',
    ],
  ] as const)('is there for %s', async (what, path, init, code) => {
    const gateway = await startGateway({ server: { maxBodyBytes: 1024 } });
    const { status, extensions } = await send(gateway, path, init);
    expect(status).toBe(Number.parseInt(what, 10));
    expect(extensions).toEqual(isAlone(code));
  });

  it('is set for a missing token', async () => {
    const gateway = await startGateway({ server: { identity: jwtIdentity } });
    const { status, extensions } = await query(gateway, '{ __typename }');
    expect(status).toBe(401);
    expect(extensions).toEqual(isAlone('UNAUTHENTICATED'));
  });

  it('is set for an unknown host name', async () => {
    const gateway = await startGateway();
    const headers = { host: 'other.example', 'x-request-id': requestId };
    const req = request(`${gateway.url}/graphql`, { headers }).end(); // fetch sets `Host` itself
    const [response] = (await once(req, 'response')) as [IncomingMessage];
    const body = await text(response);
    expect(extensionsIn(body)).toEqual(isAlone('FORBIDDEN'));
  });
});

describe('the request ID of a file error', () => {
  it.each([
    [`/files/documents/${id}/f1`, 'NOT_FOUND', 404],
    [`/files/documents/${id}/pdf`, 'UPSTREAM_ERROR', 502],
    ['/files/elsewhere', 'NOT_FOUND', 404],
    [`/files/documents/${id}/f1?t=forged`, 'FORBIDDEN', 403],
  ] as const)('is there for %s', async (path, code, expectedStatus) => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /file/, '', { status: 404 });
    gateway.dms.reply('GET', /pdf/, '', { status: 500 });
    const { status, extensions } = await send(gateway, path);
    expect(status).toBe(expectedStatus);
    expect(extensions).toEqual(isAlone(code));
  });
});

describe('the request ID of a multipart error', () => {
  const operations = {
    name: 'operations',
    body: '{"query":"{ __typename }","variables":{"f":null}}',
  };
  it.each([
    ['no part', []],
    ['no map', [operations]],
    ['a map before its operations', [{ name: 'map', body: '{}' }]],
    ['a map with an invalid path', [operations, { name: 'map', body: '{"0":["variables.g"]}' }]],
    ['too many files', [operations, { name: 'map', body: '{"0":[],"1":[],"2":[]}' }]],
  ] as const)('is there for %s', async (_what, parts) => {
    const gateway = await startGateway({ server: { maxUploadFiles: 2 } });
    const { extensions } = await upload(gateway, parts);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });

  it('is set for a missing file', async () => {
    const gateway = await startGateway();
    const variables = { input: { form: 'INV', files: [null] } };
    const create =
      'mutation M($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }';
    const { extensions } = await upload(gateway, [
      { name: 'operations', body: JSON.stringify({ query: create, variables }) },
      { name: 'map', body: '{"0":["variables.input.files.0"]}' },
    ]);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });
});

describe.runIf(answersInParts)('the request ID of a streamed error', () => {
  const deferred = `{ document(id: "${id}") { fullId ... @defer { recognizedText { text } } } }`;
  const start = async () => {
    const gateway = await startGateway({ parts: { plugins: [useDeferStream()] } });
    gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${id}`), { _id: id });
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, '', { status: 500 });
    return gateway;
  };

  it.each(['multipart/mixed', 'text/event-stream'])('is set in a part of %s', async (accept) => {
    const { extensions } = await query(await start(), deferred, {}, { accept });
    expect(extensions).toEqual(isAlone('UPSTREAM_ERROR'));
  });

  it.each(['multipart/mixed', 'text/event-stream'])(
    'is set in %s with one part',
    async (accept) => {
      const { extensions } = await query(await start(), '{ nope }', {}, { accept });
      expect(extensions).toEqual(isAlone('GRAPHQL_VALIDATION_FAILED'));
    },
  );

  it('is set for a client without streaming', async () => {
    const { status, extensions } = await query(await start(), deferred);
    expect(status).toBe(406);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });
});
