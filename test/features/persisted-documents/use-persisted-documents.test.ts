import { describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { createDocumentParts } from '../../helpers/multipart-request.ts';
import {
  persistedClient,
  persistedQuery,
  sha256,
  writeManifest,
} from '../../helpers/persisted-documents.ts';

const me = 'query Me { viewer { runAs } }';
const answer = { data: { viewer: { runAs: null } } };
const unknownHash = 'a'.repeat(64);

async function start(options: TestGatewayOptions = {}) {
  const gateway = await startGateway(options);
  return { gateway, ...persistedClient(gateway) };
}

/** Starts a gateway with these trusted documents. */
const startWith = (manifest: object, server: TestGatewayOptions['server'] = {}) =>
  start({ server: { persistedDocuments: writeManifest(manifest), ...server } });

const errorOf = (code: string, message: unknown = expect.any(String)) => ({
  errors: [{ message, extensions: { code, requestId: expect.any(String) } }],
});
const notRegistered = errorOf('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

describe('a registered document', () => {
  it('is found by its hash', async () => {
    const { post, gateway } = await start();
    const params = persistedQuery(sha256(me));
    const first = await post(params);
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.body).toEqual(notRegistered);
    expect((await post({ query: me, ...params })).body).toEqual(answer);
    expect((await post(params)).body).toEqual(answer);
    const lines = gateway.log.map(({ operation, outcome }) => ({ operation, outcome }));
    expect(lines).toMatchObject([
      { outcome: 'PERSISTED_QUERY_NOT_FOUND' },
      { operation: 'Me', outcome: 'OK' },
      { operation: 'Me', outcome: 'OK' },
    ]);
  });

  it("returns Apollo's status if unknown", async () => {
    const { post } = await start();
    const accept = 'application/graphql-response+json';
    const { status, body } = await post(persistedQuery(unknownHash), { accept });
    expect(status).toBe(200);
    expect(body).toEqual(notRegistered);
  });

  it('is found by GET and by `documentId`', async () => {
    const { post, get } = await start();
    const params = persistedQuery(sha256(me));
    expect((await get({ ...params })).body).toEqual(notRegistered);
    expect((await get({ query: me, ...params })).body).toEqual(answer);
    expect((await get({ ...params })).body).toEqual(answer);
    const documentId = `sha256:${sha256(me)}`;
    expect((await get({ documentId })).body).toEqual(answer);
    expect((await post({ documentId })).body).toEqual(answer);
    expect((await post(persistedQuery(documentId))).body).toEqual(answer);
  });

  it('is found while it is being registered', async () => {
    const { post, gateway } = await start();
    const slow = Promise.withResolvers<object>();
    gateway.dms.reply('GET', /docForm\/0a/, () => slow.promise);
    const query =
      'query ($skip: Boolean!) { __typename document(id: "0a") @skip(if: $skip) { state } }';
    const params = persistedQuery(sha256(query));
    const first = post({ query, ...params, variables: { skip: false } });
    await expect.poll(() => gateway.dms.requests).toHaveLength(1);
    const second = await post({ ...params, variables: { skip: true } });
    expect(second.body).toEqual({ data: { __typename: 'Query' } });
    slow.resolve({ _id: '0a' });
    expect((await first).body).toMatchObject({ data: { document: {} } });
  });

  it.each([
    ['another hash', me, sha256(`${me} `)],
    ['the hash in upper case', me, sha256(me).toUpperCase()],
    ['a text that UTF-8 cannot hold', `${me} #\ud800`, sha256(`${me} #\ud800`)],
  ])('is not registered under %s', async (_, query, given) => {
    const { post } = await start();
    const params = persistedQuery(given);
    const { status, body } = await post({ query, ...params });
    expect(status).toBe(400);
    expect(body).toEqual(
      errorOf(
        'BAD_USER_INPUT',
        '`extensions.persistedQuery.sha256Hash` is not the SHA-256 hash of `query`.',
      ),
    );
    expect((await post(params)).body).toEqual(notRegistered);
    expect((await post(persistedQuery(sha256(query)))).body).toEqual(notRegistered);
  });

  it.each([
    ['is not GraphQL', '{', 'GRAPHQL_PARSE_FAILED'],
    ['does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['has too many characters', `${me}${' '.repeat(200_000)}`, 'GRAPHQL_PARSE_FAILED'],
  ])('is not registered if it %s', async (_, query, code) => {
    const { post } = await start();
    const params = persistedQuery(sha256(query));
    for (const one of [1, 2]) {
      const { errors } = (await post({ query, ...params })).body;
      expect({ one, error: errors[0] }).toMatchObject({ one, error: { extensions: { code } } });
    }
    expect((await post(params)).body).toEqual(notRegistered);
  });

  it('is not executed by GET if it is a mutation', async () => {
    const { post, get, gateway } = await start();
    const query =
      'mutation { moveDocument(input: { document: "a", action: BLOCK }) { __typename } }';
    const params = persistedQuery(sha256(query));
    expect((await get({ query, ...params })).status).toBe(405);
    expect((await post(params)).body).toEqual(notRegistered);
    gateway.dms.reply('PUT', /./, null, { status: 422 });
    await post({ query, ...params });
    const sent = gateway.dms.requests.length;
    expect(sent).toBeGreaterThan(0);
    const { status, body } = await get({ ...params });
    expect(status).toBe(405);
    expect(body).toMatchObject(errorOf('BAD_USER_INPUT'));
    expect(gateway.dms.requests).toHaveLength(sent);
  });

  it('requires the CSRF header for GET', async () => {
    const { post, get } = await start();
    const params = persistedQuery(sha256(me));
    await post({ query: me, ...params });
    for (const named of [params, { documentId: sha256(me) }]) {
      const { status, body } = await get({ ...named }, {});
      expect(status).toBe(403);
      expect(body).toMatchObject(errorOf('FORBIDDEN'));
    }
  });
});

describe('a document of a client whose credentials only the DMS verifies', () => {
  const passthrough = { identity: { mode: 'passthrough' as const }, credential: null };
  const ann = { authorization: 'Bearer ann' };
  const eve = { authorization: 'Bearer made up' };
  const id = '1'.padStart(24, '0');
  const startPassthrough = async () => {
    const started = await start({ server: passthrough });
    started.gateway.dms
      .reply('GET', /docForm/, { _id: id, state: 1 })
      .reply('GET', /usr-missing/, '', { status: 503 });
    return started;
  };

  it('is registered by the first execution that the DMS answers', async () => {
    const { post } = await startPassthrough();
    const query = `query ($skip: Boolean!) { __typename document(id: "${id}") @skip(if: $skip) { state } }`;
    const params = persistedQuery(sha256(query));
    await post({ query, ...params, variables: { skip: true } }, ann);
    expect((await post(params, ann)).body).toEqual(notRegistered);
    await post({ query, ...params, variables: { skip: false } }, ann);
    expect((await post({ ...params, variables: { skip: true } }, eve)).body).toEqual({
      data: { __typename: 'Query' },
    });
  });

  it('is registered if all its reads were shared with another request', async () => {
    const { post, gateway } = await startPassthrough();
    const held = Promise.withResolvers<object>();
    gateway.dms.reply('GET', /docForm/, () => held.promise);
    const queries = ['a', 'b'].map((alias) => `{ ${alias}: document(id: "${id}") { state } }`);
    const answers = queries.map((query) => post({ query, ...persistedQuery(sha256(query)) }, ann));
    await expect
      .poll(async () => await gateway.metrics.text())
      .toContain('gateway_cache_reads_total{outcome="shared"} 1');
    held.resolve({ _id: id, state: 1 });
    await Promise.all(answers);
    expect(gateway.dms.requests).toHaveLength(1);
    for (const [n, query] of queries.entries()) {
      const { body } = await post(persistedQuery(sha256(query)), ann);
      expect(body).toEqual({ data: { ['ab'[n]!]: { state: 1 } } });
    }
  });

  it.each([
    ['costs no request', '{ __typename }'],
    ['fails in part', `{ document(id: "${id}") { state } person(id: "usr-missing") { email } }`],
  ])('is not registered if it %s', async (_, query) => {
    const { post } = await startPassthrough();
    const params = persistedQuery(sha256(query));
    expect((await post({ query, ...params }, ann)).body.data).toBeTruthy();
    expect((await post(params, ann)).body).toEqual(notRegistered);
  });

  it('is not registered with credentials that the DMS rejects', async () => {
    const { post, gateway } = await startPassthrough();
    gateway.dms.reply('GET', /docForm/, '', { status: 401 });
    const query = `{ __typename document(id: "${id}") { state } }`;
    const params = persistedQuery(sha256(query));
    expect((await post({ query, ...params }, eve)).body).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect((await post(params, ann)).body).toEqual(notRegistered);
  });
});

describe('a request with an invalid document ID', () => {
  const malformed: readonly (readonly [string, object, string])[] = [
    ['a hash that is a number', persistedQuery(1), 'sha256Hash` must be a string.'],
    ['no hash', persistedQuery(null), 'sha256Hash` must be a string.'],
    ['another version', persistedQuery(sha256(me), 2), 'version` must be 1.'],
    ['a string', { extensions: { persistedQuery: sha256(me) } }, 'version` must be 1.'],
    ['an ID that is a number', { documentId: 1 }, '`documentId` must be a string.'],
    [
      'two IDs',
      { documentId: sha256(me), ...persistedQuery(sha256(me)) },
      'Send `documentId` or `extensions.persistedQuery`, not both.',
    ],
    [
      'a text and an ID',
      { query: me, documentId: sha256(me) },
      'Send `query` or `documentId`, not both.',
    ],
  ];
  it.each(malformed)('is rejected with %s', async (_, params, message) => {
    const { post } = await start();
    const { status, body } = await post(params);
    expect(status).toBe(400);
    expect(body).toMatchObject(errorOf('BAD_USER_INPUT', expect.stringContaining(message)));
    expect((await post(persistedQuery(sha256(me)))).body).toEqual(notRegistered);
  });

  it.each([
    ['the name of a property', '__proto__'],
    ['a short text', 'f'],
    ['nothing', ''],
    ['a prefix without a hash', `sha256:${'g'.repeat(64)}`],
    ['a long text', 'a'.repeat(500_000)],
  ])('gets an error for %s', async (_, given) => {
    const { post } = await start();
    expect((await post(persistedQuery(given))).body).toEqual(notRegistered);
    const { body } = await post({ documentId: given });
    expect(body).toEqual(
      errorOf('PERSISTED_DOCUMENT_NOT_FOUND', 'The persisted document does not exist.'),
    );
  });

  it('is rejected without a text', async () => {
    const { post } = await start();
    const invalid = await post({ query: 1, ...persistedQuery(sha256('1')) });
    expect(invalid.status).toBe(400);
    expect(invalid.body).toMatchObject(errorOf('BAD_USER_INPUT'));
    const none = await post({ extensions: { persistedQuery: null }, documentId: null });
    expect(none.body).toMatchObject(errorOf('BAD_USER_INPUT', 'Must provide query string.'));
    const more = await post({ ...persistedQuery(unknownHash), more: 1 });
    expect(more.body).toEqual(notRegistered);
  });

  it('is rejected with unknown parameters', async () => {
    const { post } = await start();
    await post({ query: me, ...persistedQuery(sha256(me)) });
    const { status, body } = await post({ documentId: sha256(me), more: 1 });
    expect(status).toBe(400);
    expect(body).toMatchObject(errorOf('BAD_USER_INPUT', expect.stringContaining('"more"')));
  });
});

describe('a trusted document', () => {
  it('is found by its ID and hash', async () => {
    const { post, get } = await startWith({ 'the-viewer': me });
    const prefixed = `sha256:${sha256(me)}`;
    for (const id of ['the-viewer', sha256(me), prefixed]) {
      expect((await post({ documentId: id })).body).toEqual(answer);
      expect((await get({ documentId: id })).body).toEqual(answer);
      expect((await post(persistedQuery(id))).body).toEqual(answer);
      expect((await get({ ...persistedQuery(id) })).body).toEqual(answer);
    }
    const { status, body } = await post(
      { documentId: 'another' },
      { accept: 'application/graphql-response+json' },
    );
    expect(status).toBe(400);
    expect(body).toEqual(errorOf('PERSISTED_DOCUMENT_NOT_FOUND'));
  });

  it('does not prevent other texts', async () => {
    const { post } = await startWith({ 'the-viewer': me });
    const query = '{ viewer { runAs } }';
    const params = persistedQuery(sha256(query));
    expect((await post({ query })).body).toEqual(answer);
    expect((await post(params)).body).toEqual(notRegistered);
    expect((await post({ query, ...params })).body).toEqual(answer);
    expect((await post(params)).body).toEqual(answer);
  });

  it('uploads files', async () => {
    const [operations, ...rest] = createDocumentParts([{ filename: 'a.txt', body: 'a' }]);
    const { query, variables } = JSON.parse(String(operations!.body));
    const { gateway } = await startWith({ create: query }, { persistedOnly: true });
    gateway.dms.reply('POST', '/api/v2/docForm/form/memo', null, { status: 422 });
    const named = { ...operations!, body: JSON.stringify({ documentId: 'create', variables }) };
    expect(await gateway.upload([named, ...rest])).toMatchObject({
      data: { createDocument: { __typename: 'NothingChangedError' } },
    });
    expect(gateway.dms.requests).toEqual(['POST /api/v2/docForm/form/memo']);
    expect(gateway.dms.received[0]!.body).toContain('filename="a.txt"');
    expect(await gateway.upload([operations!, ...rest])).toMatchObject(errorOf('FORBIDDEN'));
    expect(gateway.dms.requests).toHaveLength(1);
  });
});

describe('PERSISTED_ONLY', () => {
  const startOnly = (plugins: readonly object[] = []) =>
    start({
      server: { persistedDocuments: writeManifest({ me }), persistedOnly: true },
      parts: { plugins },
    });

  it.each([
    ['without plugins', []],
    ['behind Yoga’s own HTTP handling', [{ onRequest() {} }]],
  ])('executes only trusted documents, %s', async (_, plugins) => {
    const { post, get, gateway } = await startOnly(plugins);
    expect((await post({ documentId: 'me' })).body).toEqual(answer);
    expect((await post(persistedQuery(sha256(me)))).body).toEqual(answer);

    const forbidden = errorOf(
      'FORBIDDEN',
      'This gateway executes only persisted documents. Send `documentId` without `query`.',
    );
    const other = '{ __typename }';
    const texts = [
      { query: other },
      { query: me },
      { query: '' },
      { query: '{' },
      { query: 1 },
      { query: other, documentId: 'me' },
      { query: me, documentId: 'me' },
      { query: other, ...persistedQuery(sha256(other)) },
      { query: other, ...persistedQuery(sha256(me)) },
      { query: '{ __schema { queryType { name } } }', operationName: 'IntrospectionQuery' },
    ];
    for (const params of texts) {
      const { status, body } = await post(params);
      expect({ params, status, body }).toEqual({ params, status: 403, body: forbidden });
    }
    expect((await get({ query: other })).body).toEqual(forbidden);

    const notFound = errorOf('PERSISTED_DOCUMENT_NOT_FOUND');
    for (const id of [sha256(other), 'you', '__proto__', '']) {
      expect((await post({ documentId: id })).body).toEqual(notFound);
      expect((await post(persistedQuery(id))).body).toEqual(notFound);
    }
    const none = await post({});
    expect(none.status).toBe(400);
    expect(none.body).toEqual(errorOf('BAD_USER_INPUT', 'Send `documentId`.'));
    expect((await gateway.fetch('/schema.graphql')).status).toBe(404);
    for (const method of ['HEAD', 'POST', 'OPTIONS']) {
      const unknown = await gateway.fetch('/unknown', { method });
      expect((await gateway.fetch('/schema.graphql', { method })).status).toBe(unknown.status);
    }
    expect(gateway.dms.requests).toEqual([]);
  });
});

it('is visible to plugins as text', async () => {
  const seen: unknown[] = [];
  const onParse = ({ params }: { params: { source: string } }) => void seen.push(params.source);
  const { post } = await start({
    server: { persistedDocuments: writeManifest({ me }) },
    parts: { plugins: [{ onParse }] },
  });
  expect(seen.splice(0)).toEqual([]); // loaded with the first request
  const other = '{ __typename }';
  await post({ query: other, ...persistedQuery(sha256(other)) });
  await post(persistedQuery(sha256(other)));
  await post({ documentId: 'me' });
  expect(seen).toEqual([me, other, other, me]);
});

it('names the operations of trusted documents in metrics, and no other', async () => {
  const mine = 'query Mine { __typename }';
  const two = 'query One { __typename } query Two { __typename }';
  const { gateway, post } = await startWith({ mine, two, unnamed: '{ __typename }' });
  await post({ documentId: 'mine' });
  await post({ query: mine });
  await post({ documentId: 'two', operationName: 'Two' });
  await post({ documentId: 'two', operationName: 'Three' });
  await post({ documentId: 'unnamed' });
  await post({ query: 'query Mine { again: __typename }' });
  const lines = (await gateway.metrics.text()).split('\n');
  const found = lines.filter((line) =>
    /requests_total\{|duration_seconds_count\{type="query"/.test(line),
  );
  expect(Object.fromEntries(found.map((line) => line.split(/ (?=\d+$)/)))).toEqual({
    'gateway_requests_total{type="query",operation="Mine",outcome="OK"}': '2',
    'gateway_requests_total{type="query",operation="Two",outcome="OK"}': '1',
    'gateway_requests_total{type="graphql",outcome="OPERATION_RESOLUTION_FAILURE"}': '1',
    'gateway_requests_total{type="query",outcome="OK"}': '2',
    'gateway_request_duration_seconds_count{type="query",operation="Mine"}': '2',
    'gateway_request_duration_seconds_count{type="query",operation="Two"}': '1',
    'gateway_request_duration_seconds_count{type="query"}': '2',
  });
});
