import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { RestError } from '../../../src/rest/client/rest-error.ts';
import { toGlobalId } from '../../../src/schema/ids.ts';
import { toCursor } from '../../../src/schema/paging/window.ts';
import { formatError } from '../../../src/server/errors/client-error.ts';
import { startGateway } from '../../helpers/gateway.ts';

const person = '{ person(id: "usr-ann") { email } }';

it('an executed mutation is not retryable if its response is unreadable', async () => {
  const gateway = await startGateway();
  const id = '5f0000000000000000000001';
  gateway.dms.reply('POST', `/api/v2/docForm/${id}/docResponse`, {});
  gateway.dms.reply('GET', /docForm/, '', { status: 503 });
  const { data, errors } = await gateway.query(
    `mutation { moveDocument(input: { document: "${id}", action: BLOCK }) {
        __typename ... on MoveDocumentPayload { document { state } } } }`,
  );
  expect(data).toEqual({
    moveDocument: { __typename: 'MoveDocumentPayload', document: null },
  });
  expect(errors).toMatchObject([
    { extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: false } },
  ]);
});

describe('errors of the DMS', () => {
  const statuses: readonly [number, string, boolean][] = [
    [401, 'UNAUTHENTICATED', false],
    [403, 'FORBIDDEN', false],
    [400, 'BAD_USER_INPUT', false],
    [409, 'CONFLICT', false],
    [500, 'UPSTREAM_ERROR', false],
    [503, 'UPSTREAM_UNAVAILABLE', true],
  ];
  it.each(statuses)('turns a %i into %s', async (status, code, retryable) => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, 'secret of the DMS', { status });
    const answer = await gateway.query(person, {}, { 'x-request-id': 'r-1' });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({ person: null });
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors?.[0]?.path).toEqual(['person']);
    expect(answer.errors?.[0]?.extensions).toEqual({ code, status, retryable, requestId: 'r-1' });
    expect(JSON.stringify(answer)).not.toMatch(/secret|dms\.test|api\/v2|svc-/);
  });

  it('logs one cause once for many fields', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, '', { status: 500 });
    await gateway.query(
      '{ a: person(id: "usr-ann") { email } b: person(id: "usr-ann") { email } }',
      {},
      { 'x-request-id': 'r-2' },
    );
    const failures = gateway.log.filter(({ msg }) => msg === 'failure');
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({
      requestId: 'r-2',
      code: 'UPSTREAM_ERROR',
      request: 'GET /api/v2/person/usr-ann',
      status: 500,
    });
  });

  it('logs at most ten failures per request', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /person/, '', { status: 500 });
    const fields = Array.from({ length: 12 }, (_, i) => `p${i}: person(id: "usr-${i}") { email }`);
    await gateway.query(`{ ${fields.join(' ')} }`);
    expect(gateway.log.filter(({ msg }) => msg === 'failure')).toHaveLength(10);
    expect(gateway.log.find(({ msg }) => msg === 'more failures')).toMatchObject({ count: 2 });
  });
});

it('a document that was created and cannot be read is named by an error that is not retryable', async () => {
  const gateway = await startGateway();
  const id = '5f0000000000000000000001';
  const created = { _id: id, _id_web: 'D-1' };
  gateway.dms.reply('POST', '/api/v2/docForm/form/memo', created, { status: 201 });
  gateway.dms.reply('GET', `/api/v2/docForm/${id}`, 'secret of the DMS', { status: 503 });
  const { errors } = await gateway.query(
    `mutation { createDocument(input: { form: "memo" }) {
        ... on CreateDocumentPayload { document { shortId files { name } } } } }`,
    {},
    { 'x-request-id': 'r-3' },
  );
  expect(errors).toMatchObject([
    {
      message: `The document D-1 (${id}) was created but could not be read. Do not create it again.`,
      path: ['createDocument', 'document'],
    },
  ]);
  expect(errors?.[0]?.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    status: 503,
    retryable: false,
    requestId: 'r-3',
    createdId: toGlobalId('Document', id),
  });
  expect(gateway.log.filter(({ msg }) => msg === 'failure')).toMatchObject([
    { requestId: 'r-3', code: 'UPSTREAM_UNAVAILABLE', status: 503 },
  ]);
});

describe('errors of a request', () => {
  it('have the codes of GraphQL for parsing and validation', async () => {
    const gateway = await startGateway();
    const errorsOf = async (document: string, requestId: string) =>
      (await gateway.query(document, {}, { 'x-request-id': requestId })).errors;
    expect(await errorsOf('{ person', 'r-1')).toEqual([
      {
        message: 'Syntax Error: Expected Name, found <EOF>.',
        locations: [{ line: 1, column: 9 }],
        extensions: { code: 'GRAPHQL_PARSE_FAILED', requestId: 'r-1' },
      },
    ]);
    // The second time from the cache, with the ID of the second request.
    for (const requestId of ['r-2', 'r-3']) {
      expect(await errorsOf('{\n  xyzzy }', requestId)).toEqual([
        {
          message: 'Cannot query field "xyzzy" on type "Query".',
          locations: [{ line: 2, column: 3 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', requestId },
        },
      ]);
    }
  });

  it('have BAD_USER_INPUT for invalid variables', async () => {
    const gateway = await startGateway();
    const document =
      'query ($first: Int!) { documents(view: INBOX, first: $first) { totalCount } }';
    const { status, errors } = await gateway.query(
      document,
      { first: 'ten' },
      { accept: 'application/graphql-response+json', 'x-request-id': 'r-4' },
    );
    expect(status).toBe(400);
    expect(errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', requestId: 'r-4' });
    expect(errors?.[0]?.message).toMatch(/^Variable "\$first" got invalid value "ten"/);
  });

  const bodies: readonly [string, string, string][] = [
    ['no JSON', '{', 'The request body must be valid JSON.'],
    [
      'a list',
      '[{"query":"{ viewer { runAs } }"}]',
      'Batch requests are not supported. Send one operation per request.',
    ],
    ['a text', '"x"', 'The request body must be a JSON object.'],
    ['null', 'null', 'The request body must be a JSON object.'],
    ['no query', '{}', 'Must provide query string.'],
    [
      'a name of an operation that is not text',
      '{"query":"{x}","operationName":{}}',
      '`operationName` must be a string.',
    ],
  ];
  it.each(bodies)('explain what is wrong with %s', async (_what, body, message) => {
    const gateway = await startGateway();
    const response = await gateway.post(body, { 'x-request-id': 'r-3' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      errors: [{ message, extensions: { code: 'BAD_USER_INPUT', requestId: 'r-3' } }],
    });
  });

  it.each([
    ['application/json', 200],
    ['application/graphql-response+json', 400],
    ['*/*', 200],
  ])('name a missing operation to a client that accepts %s', async (accept, status) => {
    const gateway = await startGateway();
    const body = { query: 'query A { viewer { runAs } }', operationName: 'B' };
    const response = await gateway.post(body, { accept });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }],
    });
  });
});

describe('the errors of a response', () => {
  const manyFailures = `{ documents(view: ALL, first: 100) {
    nodes {
      a: refByDocs(first: 1, after: "${toCursor({ name: 'refByDocs', scope: 'another' }, 1)}") { totalCount }
    }
  } }`;

  it('are limited to a hundred and a summary', async () => {
    const gateway = await startGateway({ server: { maxRootFields: 150, maxAliases: 150 } });
    gateway.dms.reply('GET', /person/, '', { status: 500 });
    const fields = Array.from({ length: 103 }, (_, i) => `p${i}: person(id: "usr-${i}") { email }`);
    const { errors } = await gateway.query(`{ ${fields.join(' ')} }`, {}, { 'x-request-id': 'r' });
    expect(errors).toHaveLength(101);
    expect(errors?.[99]?.path).toEqual(['p99']);
    expect(errors?.[100]).toEqual({
      message: '3 more errors are not shown.',
      extensions: { code: 'UPSTREAM_ERROR', requestId: 'r' },
    });
  });

  it('have locations also for execution errors', async () => {
    const gateway = await startGateway();
    const id = (i: number) => String(i).padStart(24, '5');
    gateway.dms.reply('GET', /view/, [{ _id: id(1), refByDocs: [] }]);
    const { errors } = await gateway.query('\n\r\n'.repeat(1000) + manyFailures);
    expect(errors).toMatchObject([
      {
        message: '`after` is a cursor of another list, or of this list with other arguments.',
        locations: [{ line: 2003, column: 7 }],
        path: ['documents', 'nodes', 0, 'a'],
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  });

  it('quote at most a thousand characters', async () => {
    const gateway = await startGateway();
    const { errors } = await gateway.query(
      'query ($n: Int) { documents(first: $n) { totalCount } }',
      {
        n: 'x'.repeat(500_000),
      },
    );
    expect(errors?.[0]?.message).toMatch(/^Variable "\$n" got invalid value "x+…$/);
    expect(errors?.[0]?.message).toHaveLength(1001);
  });
});

describe('formatError', () => {
  it('masks an error that contains itself', () => {
    const error = new GraphQLError('secret');
    Object.assign(error, { originalError: error });
    expect(formatError(error, 'r', true).error.message).toBe('Unexpected error.');
  });

  it('turns a missing object into UPSTREAM_ERROR', () => {
    const { error } = formatError(new RestError('NOT_FOUND', 'GET /x', { status: 404 }), 'r', true);
    expect(error.extensions).toEqual({
      code: 'UPSTREAM_ERROR',
      status: 404,
      retryable: false,
      requestId: 'r',
    });
  });

  it('masks executor errors without a code', () => {
    for (const extensions of [{}, { code: 'INTERNAL_SERVER_ERROR', unexpected: true }]) {
      const odd = new GraphQLError('Cannot return null for …', { extensions });
      const { error, cause } = formatError(odd, 'r', true);
      expect(error.message).toBe('Unexpected error.');
      expect(cause).toBe(odd);
    }
  });
});
