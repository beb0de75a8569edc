import { describe, expect, it } from 'vitest';
import {
  id,
  idOf,
  wireDocument,
  startWithDocuments,
  requestsOf,
} from '../../helpers/documents-dms.ts';
import { mergeParts, queryParts, requestParts } from '../../helpers/result-parts.ts';

const text = `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`;

describe('refuses before anything is sent', () => {
  const mutation = `mutation { moveDocument(input: { document: "${id}", action: BLOCK }) {`;
  const streamed = (args: string): string =>
    `{ document(id: "${id}") { refByDocs { nodes @stream${args} { id } } } }`;

  it.each([
    ['@defer in a mutation', `${mutation} ... @defer { __typename } } }`, {}, /for queries/],
    ['@defer at the root of a mutation', 'mutation { ... @defer { __typename } }', {}, /mutation/],
    [
      'a negative initialCount in a variable',
      `query ($n: Int!) ${streamed('(initialCount: $n)')}`,
      { n: -1 },
      /initialCount/,
    ],
    [
      'an initialCount of null in a variable',
      `query ($n: Int) ${streamed('(initialCount: $n)')}`,
      { n: null },
      /must not be null/,
    ],
    [
      'a condition of null in a variable',
      `query ($if: Boolean) { document(id: "${id}") { shortId ... @defer(if: $if) { tags } } }`,
      { if: null },
      /must not be null/,
    ],
    [
      'a label that is there twice',
      '{ viewer { ... @defer(label: "a") { runAs } ... @defer(label: "a") { runAs } } }',
      {},
      /unique/,
    ],
    [
      'lists that are streamed differently',
      `{ document(id: "${id}") { refByDocs { nodes @stream { id } nodes { id } } } }`,
      {},
      /differing stream directives/,
    ],
  ])('%s', async (_, query, variables, message) => {
    const gateway = await startWithDocuments();
    const accept = 'multipart/mixed, application/json';
    const response = await requestParts(gateway, query, { accept, variables });
    const { data, errors } = (await response.json()) as { data?: unknown; errors: object[] };
    expect(data).toBeUndefined();
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: expect.stringMatching(/^(BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED)$/) },
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([
    'application/json',
    'application/json, multipart/mixed;q=0',
    'multipart/mixed;incrementalSpec=v0.2,application/json;q=0.9',
    'multipart/mixed; deferSpec="v2", application/json',
  ])('an operation in parts of a client that accepts %s', async (accept) => {
    const gateway = await startWithDocuments();
    for (const headers of [{}, { 'x-cost-only': '1' }]) {
      const response = await requestParts(gateway, text, { accept, headers });
      expect(response.status).toBe(406);
      expect(await response.json()).toMatchObject({
        errors: [
          {
            message: expect.stringContaining('multipart/mixed'),
            extensions: { code: 'BAD_USER_INPUT' },
          },
        ],
      });
    }
    expect(gateway.dms.requests).toEqual([]);
  });

  it('takes another operation of a document that has @defer', async () => {
    const gateway = await startWithDocuments();
    const query = `query A { viewer { ... @defer { runAs } } } query B { viewer { runAs } }`;
    const response = await gateway.post({ query, operationName: 'B' });
    expect(await response.json()).toEqual({ data: { viewer: { runAs: null } } });
  });
});

describe('parts', () => {
  it.each(['multipart/mixed;deferSpec=20220824', 'text/event-stream'])(
    'have their label and path as %s',
    async (accept) => {
      const gateway = await startWithDocuments();
      const query = `{ d: document(id: "${id}") { ... @defer(label: "l") { tags } refByDocs { n: nodes @stream(initialCount: 1, label: "s") { shortId } } } }`;
      const parts = await queryParts(gateway, query, { accept });
      const later = parts.flatMap(({ incremental = [] }) => incremental);
      expect(later.toSorted((a, b) => (a.label! < b.label! ? -1 : 1))).toEqual([
        { label: 'l', path: ['d'], data: { tags: ['a', 'b'] } },
        { label: 's', path: ['d', 'refByDocs', 'n', 1], items: [{ shortId: 'DOC-3' }] },
      ]);
      expect(parts.map(({ hasNext }) => hasNext)).toEqual([
        ...parts.slice(1).map(() => true),
        false,
      ]);
    },
  );

  it('are none if the list is no longer than initialCount', async () => {
    const gateway = await startWithDocuments();
    const query = `{ document(id: "${id}") { refByDocs { nodes @stream(initialCount: 2) { shortId } } } }`;
    const accept = 'multipart/mixed, application/json';
    const response = await requestParts(gateway, query, { accept });
    expect(await response.json()).toEqual({
      data: { document: { refByDocs: { nodes: [{ shortId: 'DOC-2' }, { shortId: 'DOC-3' }] } } },
    });
  });

  it('have their own errors, masked, with code and request ID', async () => {
    const gateway = await startWithDocuments();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, 'secret', { status: 500 });
    const parts = await queryParts(gateway, text, { headers: { 'x-request-id': 'r1' } });
    expect(parts).toMatchObject([
      { data: { document: { shortId: 'DOC-1' } } },
      {
        incremental: [
          {
            path: ['document'],
            data: { recognizedText: null },
            errors: [
              {
                path: ['document', 'recognizedText'],
                extensions: { code: 'UPSTREAM_ERROR', requestId: 'r1' },
              },
            ],
          },
        ],
      },
    ]);
    expect(JSON.stringify(parts)).not.toMatch(/secret|api\/v2/);
    await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['failure', 'request']);
    expect(gateway.log[1]).toMatchObject({ outcome: 'UPSTREAM_ERROR', calls: 2 });
  });

  it('have an error if the object was deleted after the first part', async () => {
    const gateway = await startWithDocuments();
    gateway.dms.reply('GET', /docForm.*docResponse/, '', { status: 404 });
    const query = `{ document(id: "${id}") { shortId ... @defer { response { state } } } }`;
    expect(mergeParts(await queryParts(gateway, query))).toMatchObject({
      data: { document: { shortId: 'DOC-1' } },
      errors: [{ path: ['document', 'response'], extensions: { code: 'UPSTREAM_ERROR' } }],
    });
  });

  it('read a document that has left its page by its id', async () => {
    const gateway = await startWithDocuments();
    gateway.dms.reply('GET', /view\/all.*_tags/, [idOf(1), idOf(4)].map(wireDocument));
    const query = `{ documents { nodes { shortId ... @defer { tags } } } }`;
    const { data, errors } = mergeParts(await queryParts(gateway, query));
    expect(errors).toEqual([]);
    expect(data.documents.nodes).toEqual(
      [1, 2, 3].map((n) => ({ shortId: `DOC-${n}`, tags: ['a', 'b'] })),
    );
    expect(requestsOf(gateway)).toEqual([
      'docForm/view/all?first=0&pageSize=10&fields=_id,_id_web',
      'docForm/view/all?first=0&pageSize=10&fields=_id,_tags',
      'docForm/#2?fields=_id,_tags',
      'docForm/#3?fields=_id,_tags',
    ]);
  });

  it('of an object that became null are not read', async () => {
    const gateway = await startWithDocuments();
    const query = `{ document(id: "${id}") { refByDocs { nodes { values(tags: []) { tag } ... @defer { recognizedText { text } } } } ... @defer { tags } } }`;
    gateway.dms.reply('GET', new RegExp(`docForm/${idOf(2)}`), '', { status: 404 });
    const { data, errors } = mergeParts(await queryParts(gateway, query));
    expect(errors).toEqual([]);
    expect(data.document.refByDocs.nodes[0]).toBeNull();
    expect(requestsOf(gateway).filter((line) => line.startsWith('idp'))).toEqual(['idp/#3/text']);
  });

  it('show the upstream calls in the last one if they were asked for', async () => {
    const gateway = await startWithDocuments();
    const headers = { 'x-upstream-trace': '1' };
    const parts = await queryParts(gateway, text, { headers });
    expect(parts.at(-1)!.extensions).toMatchObject({
      upstream: [{ route: 'GET /api/v2/docForm/{id}' }, { route: 'GET /api/v2/idp/{id}/text' }],
    });
    expect(parts[0]!.extensions).toBeUndefined();
  });
});
