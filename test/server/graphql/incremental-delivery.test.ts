import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import type { MockDms } from '../../helpers/mock-dms.ts';
import {
  allParts,
  mergeParts,
  queryParts,
  readParts,
  requestParts,
} from '../../helpers/result-parts.ts';

const idOf = (n: number): string => n.toString(16).padStart(24, '0');
const id = idOf(1);

/** A DMS whose answers all wait for `beforeReply`. */
function holding(dms: MockDms, beforeReply: () => Promise<void>): Pick<MockDms, 'reply'> {
  return {
    reply: (method, path, body, options) =>
      dms.reply(
        method,
        path,
        async (request) => {
          await beforeReply();
          return typeof body === 'function' ? body(request) : body;
        },
        options,
      ),
  };
}

/** A document with everything, of which each test asks for a part. */
const wireDocument = (fullId: string) => ({
  _id: fullId,
  _id_web: `DOC-${Number(`0x${fullId}`)}`,
  state: 10,
  step: 2,
  _tags: ['a', 'b'],
  author: 'usr-ann',
  refByDocs: [idOf(2), idOf(3)],
  docResponse: { _id: idOf(900), state: 10, content: 'Fine.', author: 'usr-ann' },
  recoData: [
    { _id: idOf(801), pageIdxStart: 0, recoResult: { recoFormConfidence: 0.5 } },
    { _id: idOf(802), pageIdxStart: 2, recoResult: { recoFormConfidence: 0.7 } },
  ],
});

type Gateway = TestGateway & { readonly dms: MockDms };

/** A DMS with documents, of which a view has three. */
async function start(
  options: TestGatewayOptions = {},
  beforeReply: () => Promise<void> = async () => {},
): Promise<Gateway> {
  const gateway = await startGateway(options);
  const dms = holding(gateway.dms, beforeReply);
  dms.reply('GET', /^\/api\/v2\/docForm\/[0-9a-f]{24}/, ({ path }) =>
    wireDocument(path.slice('/api/v2/docForm/'.length).slice(0, 24)),
  );
  dms.reply('GET', /^\/api\/v2\/docForm\/view\/all/, [1, 2, 3].map(idOf).map(wireDocument), {
    headers: { 'svc-total-count': '3' },
  });
  dms.reply('GET', /^\/api\/v2\/idp\/[0-9a-f]+\/text/, 'Dear Sir', {
    headers: { 'content-type': 'text/plain' },
  });
  dms.reply('GET', /^\/api\/v2\/crm\/org/, [{ _id: idOf(700), name: 'Acme' }]);
  dms.reply('GET', '/api/v2/person/usr-ann', {
    _id_sys: 'usr-ann',
    name_first: 'Ann',
    name_last: 'Lee',
  });
  return gateway;
}

/** What the DMS was asked for, without the prefix that all have. */
const requestsOf = ({ dms }: Gateway): string[] =>
  dms.requests.map((line) => line.replace('GET /api/v2/', '').replaceAll(/0{20,}/g, '#'));

const undeferred = (query: string): string =>
  query.replaceAll(/@(defer|stream)(\([^)]*\))?|^query \(.*?\)/g, '');

/**
 * Operations with the requests that the DMS gets: those of the first part, those of the others. The requests of later
 * parts are held back until the client has the first one.
 */
const operations: readonly {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly first: readonly string[];
  readonly later: readonly string[];
}[] = [
  {
    name: 'a response',
    query: `{ document(id: "${id}") { shortId ... @defer { response { state content } } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,docResponse,state,content&embed=docResponse'],
  },
  {
    name: 'a recognized text',
    query: `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['idp/#1/text'],
  },
  {
    name: 'references',
    query: `{ document(id: "${id}") { shortId ... @defer { refByDocs { nodes { shortId } } } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: [
      'docForm/#1?fields=_id,refByDocs&embed=refByDocs',
      'docForm/#2?fields=_id,_id_web',
      'docForm/#3?fields=_id,_id_web',
    ],
  },
  {
    name: 'what the first part brings anyway',
    query: `{ document(id: "${id}") { shortId tags ... @defer { tags id fullId } ... @defer { shortId } } }`,
    first: ['docForm/#1?fields=_id,_id_web,_tags'],
    later: [],
  },
  {
    name: 'fields of several fragments of a document',
    query: `{ document(id: "${id}") { shortId ... @defer(label: "a") { tags shortId } ... @defer(label: "b") { state tags } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,state,_tags'],
  },
  {
    name: 'a fragment within a fragment',
    query: `{ document(id: "${id}") { shortId ... @defer(label: "a") { tags ... @defer(label: "b") { response { state } } } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: [
      'docForm/#1?fields=_id,_tags',
      'docForm/#1?fields=_id,docResponse,state&embed=docResponse',
    ],
  },
  {
    name: 'a root field within a fragment within a fragment',
    query: `{ ... @defer { a: document(id: "${id}") { shortId } ... @defer { b: document(id: "${id}") { response { state } } } } }`,
    first: [],
    later: [
      'docForm/#1?fields=_id,_id_web',
      'docForm/#1?fields=_id,docResponse,state&embed=docResponse',
    ],
  },
  {
    name: 'the same named fragment, deferred and not',
    query: `{ document(id: "${id}") { ...F @defer ... @defer { ...F ...G } ...F } }
      fragment F on Document { shortId ... @defer { step } } fragment G on Document { state }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,state,step'],
  },
  {
    name: 'more of a response, which is prepared once',
    query: `{ document(id: "${id}") { response { state ... @defer { author { ... on Person { fullName } } } } ... @defer { response { content } } } }`,
    first: ['docForm/#1?fields=_id,docResponse,state,content,author&embed=docResponse'],
    later: ['person/usr-ann'],
  },
  {
    name: 'more of recognition data',
    query: `{ document(id: "${id}") { recoData { id ... @defer { pageIndexStart result { ... @defer { confidence } } } } } }`,
    first: ['docForm/#1?fields=_id,recoData&embed=recoData'],
    later: [
      'docForm/#1?fields=_id,recoData,pageIdxStart,recoResult,recoFormConfidence&embed=recoData,recoResult',
    ],
  },
  {
    name: 'more of an author of whom the first part knows the id',
    query: `{ document(id: "${id}") { author { systemId ... on Person @defer { id fullName } } } }`,
    first: ['docForm/#1?fields=_id,author'],
    later: ['person/usr-ann'],
  },
  {
    name: 'nothing but the id of an author',
    query: `{ document(id: "${id}") { shortId ... @defer { author { systemId } } } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,author'],
  },
  {
    name: 'what an author has, and the author is in the first part',
    query: `{ document(id: "${id}") { author { ... on Person { fullName ... @defer { firstName } } } } }`,
    first: ['docForm/#1?fields=_id,author', 'person/usr-ann'],
    later: [],
  },
  {
    name: 'a root field that another one asks for as well',
    query: `{ ... @defer { a: document(id: "${id}") { response { state } } } b: document(id: "${id}") { shortId } }`,
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,docResponse,state&embed=docResponse'],
  },
  {
    name: 'fields of an interface',
    query: `{ node(id: "${Buffer.from(`Document:${id}`).toString('base64')}") { id ... on Document @defer { tags } } }`,
    first: ['docForm/#1?fields=_id'],
    later: ['docForm/#1?fields=_id,_tags'],
  },
  {
    name: 'more of each document of a page, in one call',
    query: `{ documents { nodes { shortId ... @defer { response { state } tags } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id,_id_web'],
    later: [
      'docForm/view/all?first=0&pageSize=10&fields=_id,_tags,docResponse,state&embed=docResponse',
    ],
  },
  {
    name: 'the response of one document of a page, and tags of all',
    query: `{ document(id: "${id}") { fullId ... @defer { response { state } } } documents { nodes { fullId ... @defer { tags } } } }`,
    first: ['docForm/#1?fields=_id', 'docForm/view/all?first=0&pageSize=10&fields=_id'],
    later: [
      'docForm/view/all?first=0&pageSize=10&fields=_id,_tags',
      'docForm/#1?fields=_id,docResponse,state&embed=docResponse',
    ],
  },
  {
    name: 'more of the documents of the same page, twice',
    query: `{ a: documents { nodes { fullId ... @defer { tags } } } b: documents { nodes { fullId ... @defer { step } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id'], // shared by both
    later: ['docForm/view/all?first=0&pageSize=10&fields=_id,step,_tags'],
  },
  {
    name: 'the same list with more fields',
    query: `{ documents { nodes { fullId } ... @defer { nodes { shortId } edges { cursor node { step } } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id'],
    later: ['docForm/view/all?first=0&pageSize=10&fields=_id,_id_web,step'],
  },
  {
    name: 'the node of an edge',
    query: `{ documents { edges { cursor ... @defer { node { shortId } } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id'],
    later: ['docForm/view/all?first=0&pageSize=10&fields=_id,_id_web'],
  },
  {
    name: 'the nodes, and the total is in the first part',
    query: `{ documents { totalCount ... @defer { nodes { shortId ... @defer { tags } } pageInfo { hasNextPage } } } }`,
    first: ['docForm/view/all?first=0&pageSize=1&fields=_id'],
    later: [
      'docForm/view/all?first=0&pageSize=10&fields=_id,_id_web',
      'docForm/view/all?first=0&pageSize=10&fields=_id,_tags',
    ],
  },
  {
    name: 'all of a list',
    query: `{ documents { __typename ... @defer { totalCount nodes { shortId } } } organizations { ... @defer { nodes { name } totalCount } } }`,
    first: [],
    later: [
      'docForm/view/all?first=0&pageSize=10&fields=_id,_id_web',
      'crm/org?first=0&pageSize=10',
    ],
  },
  {
    name: 'fields of documents that are read one by one',
    query: `{ document(id: "${id}") { refByDocs { nodes { fullId ... @defer { shortId } } } } }`,
    first: ['docForm/#1?fields=_id,refByDocs&embed=refByDocs'],
    later: ['docForm/#2?fields=_id,_id_web', 'docForm/#3?fields=_id,_id_web'],
  },
  {
    name: 'by a variable',
    query: `query ($a: Boolean!, $b: Boolean! = false, $c: Boolean! = true) { document(id: "${id}") {
      ... @defer(if: $a) { shortId ... @defer(if: $b) { state } } ... @defer(if: $b) { step ... @defer(if: $c) { tags } } } }`,
    variables: { a: true },
    first: ['docForm/#1?fields=_id,step'],
    later: ['docForm/#1?fields=_id,_id_web,state,_tags'],
  },
  {
    name: 'the same with other variables',
    query: `query ($a: Boolean!, $b: Boolean! = false, $c: Boolean! = true) { document(id: "${id}") {
      ... @defer(if: $a) { shortId ... @defer(if: $b) { state } } ... @defer(if: $b) { step ... @defer(if: $c) { tags } } } }`,
    variables: { a: false, c: false, b: true },
    first: ['docForm/#1?fields=_id,_id_web'],
    later: ['docForm/#1?fields=_id,state,step,_tags'],
  },
  {
    name: 'referencing documents, streamed',
    query: `{ document(id: "${id}") { refByDocs { totalCount nodes @stream(initialCount: 1, label: "s") { shortId } } } }`,
    first: ['docForm/#1?fields=_id,refByDocs&embed=refByDocs', 'docForm/#2?fields=_id,_id_web'],
    later: ['docForm/#3?fields=_id,_id_web'],
  },
  {
    name: 'a page, streamed',
    query: `{ documents { nodes @stream(initialCount: 1) { shortId recognizedText { text } ... @defer { tags } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id,_id_web', 'idp/#1/text'],
    later: ['docForm/view/all?first=0&pageSize=10&fields=_id,_tags', 'idp/#2/text', 'idp/#3/text'],
  },
  {
    name: 'objects by their ids, streamed',
    query: `{ nodes(ids: ["${Buffer.from(`Document:${id}`).toString('base64')}", "${Buffer.from(`Person:usr-ann`).toString('base64')}"]) @stream { id } }`,
    first: [],
    later: ['docForm/#1?fields=_id', 'person/usr-ann'],
  },
];

describe('reads after the first part, and no more than without directives', () => {
  it.each(operations)('$name', async ({ query, variables = {}, first, later }) => {
    const gateway = await start();
    const parts = readParts(await requestParts(gateway, query, { variables }));
    const { value: firstPart } = await parts.next();
    expect(firstPart).toMatchObject({ data: expect.anything(), hasNext: true });
    const rest = await allParts(parts);
    expect(rest.at(-1)).toMatchObject({ hasNext: false });

    const requests = requestsOf(gateway);
    expect(requests.slice(0, first.length).toSorted()).toEqual(first.toSorted());
    expect(requests.slice(first.length).toSorted()).toEqual(later.toSorted());

    const whole = await gateway.query(undeferred(query));
    expect(mergeParts([firstPart!, ...rest])).toEqual({ data: whole.data, errors: [] });
  });

  it.each(operations)('$name: the first part waits for nothing else', async (operation) => {
    const { query, variables = {}, first, later } = operation;
    const held = Promise.withResolvers<void>();
    let received = 0;
    const gateway = await start({}, async () => {
      received += 1;
      if (received > first.length) await held.promise;
    });
    const parts = readParts(await requestParts(gateway, query, { variables }));
    const { value: firstPart } = await parts.next();
    expect(firstPart).toMatchObject({ data: expect.anything(), hasNext: true });
    expect(later.length === 0 || received <= first.length + later.length).toBe(true);
    held.resolve();
    await allParts(parts);
  });
});

const text = `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`;

it('reads a large page again in the calls that it was read in, and streams its items', async () => {
  const gateway = await start();
  gateway.dms.reply(
    'GET',
    /docForm\/view\/all/,
    ({ path }) => {
      const first = Number(/first=(\d+)/.exec(path)![1]);
      const count = Math.min(100, 500 - first);
      return Array.from({ length: count }, (_, n) => wireDocument(idOf(first + n + 1)));
    },
    { headers: { 'svc-total-count': '500' } },
  );
  const query = `{ documents(first: 500) { nodes @stream(initialCount: 1) { fullId ... @defer { step } } } }`;
  const parts = await queryParts(gateway, query);
  const pages = [0, 100, 200, 300, 400].map(
    (first) => `docForm/view/all?first=${first}&pageSize=100&fields=_id`,
  );
  expect(requestsOf(gateway).toSorted()).toEqual(
    pages.flatMap((page) => [page, `${page},step`]).toSorted(),
  );
  expect(parts[0]!.data.documents.nodes).toEqual([{ fullId: idOf(1) }]);
  const { data } = await gateway.query(undeferred(query));
  expect(mergeParts(parts)).toEqual({ data, errors: [] });
});

it('reads nothing twice that comes anyway with DMS_PROJECTION=off', async () => {
  const gateway = await start({ http: { projection: false } });
  const query = `{ document(id: "${id}") { shortId ... @defer { tags state extra(names: ["step"]) response { state } } }
    documents { nodes { recoData { id ... @defer { pageIndexStart } } ... @defer { step } } } }`;
  const parts = await queryParts(gateway, query);
  expect(requestsOf(gateway).toSorted()).toEqual([
    'docForm/#1',
    'docForm/#1?embed=docResponse',
    'docForm/view/all?first=0&pageSize=10&embed=recoData',
  ]);
  const { data } = await gateway.query(undeferred(query));
  expect(mergeParts(parts)).toEqual({ data, errors: [] });
});

describe('refuses before anything is sent', () => {
  const mutation = `mutation { moveDocument(input: { document: "${id}", action: BLOCK }) {`;
  const streamed = (args: string): string =>
    `{ document(id: "${id}") { refByDocs { nodes @stream${args} { id } } } }`;

  it.each([
    ['@defer in a mutation', `${mutation} ... @defer { __typename } } }`, {}, /for queries/],
    [
      '@defer in a fragment of a mutation',
      `${mutation} ...P } } fragment P on MoveDocumentPayload { document { id ... @defer { tags } } }`,
      {},
      /for queries/,
    ],
    ['@defer at the root of a mutation', 'mutation { ... @defer { __typename } }', {}, /mutation/],
    ['a negative initialCount', streamed('(initialCount: -1)'), {}, /initialCount/],
    [
      'a negative initialCount in a variable',
      `query ($n: Int!) ${streamed('(initialCount: $n)')}`,
      { n: -1 },
      /initialCount/,
    ],
    ['an initialCount of null', streamed('(initialCount: null)'), {}, /Int!/],
    ['@stream of what is no list', '{ viewer @stream { runAs } }', {}, /non-list/],
    [
      'a label that is a variable',
      `query ($l: String) { viewer { ... @defer(label: $l) { runAs } } }`,
      { l: 'x' },
      /static/,
    ],
    [
      'a label that is there twice',
      '{ viewer { ... @defer(label: "a") { runAs } ... @defer(label: "a") { runAs } } }',
      {},
      /unique/,
    ],
    ['@defer on a field', '{ viewer @defer { runAs } }', {}, /"@defer" may not be used on FIELD/],
    ['if: null', '{ viewer { ... @defer(if: null) { runAs } } }', {}, /Boolean!/],
    [
      'lists that are streamed differently',
      `{ document(id: "${id}") { refByDocs { nodes @stream { id } nodes { id } } } }`,
      {},
      /differing stream directives/,
    ],
  ])('%s', async (_, query, variables, message) => {
    const gateway = await start();
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
    const gateway = await start();
    const response = await requestParts(gateway, text, { accept });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('multipart/mixed'),
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it('takes another operation of a document that has @defer', async () => {
    const gateway = await start();
    const query = `query A { viewer { ... @defer { runAs } } } query B { viewer { runAs } }`;
    const response = await gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query, operationName: 'B' }),
    });
    expect(await response.json()).toEqual({ data: { viewer: { runAs: null } } });
  });

  it('lists the directives in introspection', async () => {
    const gateway = await start();
    const { data } = await gateway.query('{ __schema { directives { name args { name } } } }');
    expect(data.__schema.directives).toEqual(
      expect.arrayContaining([
        { name: 'defer', args: [{ name: 'if' }, { name: 'label' }] },
        { name: 'stream', args: [{ name: 'if' }, { name: 'initialCount' }, { name: 'label' }] },
      ]),
    );
  });
});

describe('parts', () => {
  it.each(['multipart/mixed;deferSpec=20220824', 'text/event-stream'])(
    'have their label and path as %s',
    async (accept) => {
      const gateway = await start();
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
    const gateway = await start();
    const query = `{ document(id: "${id}") { refByDocs { nodes @stream(initialCount: 2) { shortId } } } }`;
    const accept = 'multipart/mixed, application/json';
    const response = await requestParts(gateway, query, { accept });
    expect(await response.json()).toEqual({
      data: { document: { refByDocs: { nodes: [{ shortId: 'DOC-2' }, { shortId: 'DOC-3' }] } } },
    });
  });

  it('have their own errors, masked, with code and request ID', async () => {
    const gateway = await start();
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
    const gateway = await start();
    gateway.dms.reply('GET', /docForm.*docResponse/, '', { status: 404 });
    const query = `{ document(id: "${id}") { shortId ... @defer { response { state } } } }`;
    expect(mergeParts(await queryParts(gateway, query))).toMatchObject({
      data: { document: { shortId: 'DOC-1' } },
      errors: [{ path: ['document', 'response'], extensions: { code: 'UPSTREAM_ERROR' } }],
    });
  });

  it('read a document that has left its page by its id', async () => {
    const gateway = await start();
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
    const gateway = await start();
    const query = `{ document(id: "${id}") { refByDocs { nodes { values(tags: []) { tag } ... @defer { recognizedText { text } } } } ... @defer { tags } } }`;
    gateway.dms.reply('GET', new RegExp(`docForm/${idOf(2)}`), '', { status: 404 });
    const { data, errors } = mergeParts(await queryParts(gateway, query));
    expect(errors).toEqual([]);
    expect(data.document.refByDocs.nodes[0]).toBeNull();
    expect(requestsOf(gateway).filter((line) => line.startsWith('idp'))).toEqual(['idp/#3/text']);
  });

  it('show the upstream calls in the last one if they were asked for', async () => {
    const gateway = await start();
    const headers = { 'x-upstream-trace': '1' };
    const parts = await queryParts(gateway, text, { headers });
    expect(parts.at(-1)!.extensions).toMatchObject({
      upstream: [{ route: 'GET /api/v2/docForm/{id}' }, { route: 'GET /api/v2/idp/{id}/text' }],
    });
    expect(parts[0]!.extensions).toBeUndefined();
  });
});

describe('the whole operation', () => {
  it('has one budget of upstream calls', async () => {
    const gateway = await start({ server: { maxUpstreamCalls: 2 } });
    const query = `{ document(id: "${id}") { shortId ... @defer { tags author { ... on Person { fullName } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(gateway.dms.requests).toHaveLength(2);
    expect(mergeParts(parts)).toMatchObject({
      data: { document: { shortId: 'DOC-1', tags: ['a', 'b'], author: null } },
      errors: [{ path: ['document', 'author'], extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    });
  });

  it('is estimated with its later parts before it starts', async () => {
    const gateway = await start({ server: { maxUpstreamCalls: 50 } });
    const query = `{ documents(first: 100) { nodes { id ... @defer { recognizedText { text } } } } }`;
    const [part] = await queryParts(gateway, query);
    expect(part).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it('has one line in the log and is counted once', async () => {
    const gateway = await start();
    await queryParts(gateway, `query Text ${text}`);
    await expect.poll(() => gateway.log.length).toBe(1);
    expect(gateway.log).toMatchObject([
      { msg: 'request', operation: 'Text', outcome: 'OK', calls: 2 },
    ]);
    expect(await gateway.metrics.text()).toContain(
      'gateway_requests_total{type="query",outcome="OK"} 1\n',
    );
  });

  it('has one deadline', async () => {
    const held = Promise.withResolvers<void>();
    const gateway = await start({ server: { requestTimeoutMs: 300 } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => held.promise);
    const parts = await queryParts(gateway, text);
    held.resolve();
    expect(parts[0]).toMatchObject({ data: { document: { shortId: 'DOC-1' } } });
    expect(JSON.stringify(parts.slice(1))).toContain('UPSTREAM_TIMEOUT');
    expect(parts.at(-1)).toMatchObject({ hasNext: false });
  });

  it('has one limit of bytes', async () => {
    const gateway = await start({ server: { maxResponseBytes: 2500 } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, 'x'.repeat(900));
    const query = `{ document(id: "${id}") { shortId
      ... @defer(label: "a") { a: recognizedText { text } ... @defer(label: "b") { b: recognizedText(page: 1) { text }
      ... @defer(label: "c") { c: recognizedText(page: 2) { text } } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(parts).toMatchObject([
      { hasNext: true },
      { incremental: [{ label: 'a' }] },
      { incremental: [{ label: 'b' }] },
      { errors: [{ message: expect.stringMatching(/MAX_RESPONSE_BYTES/) }], hasNext: false },
    ]);
  });

  it('reads nothing more after a part that is too large', async () => {
    const gateway = await start({ server: { maxResponseBytes: 500 } });
    const held = Promise.withResolvers<string>();
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, 'x'.repeat(900));
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text?page=1`, () => held.promise);
    const query = `{ document(id: "${id}") { shortId
      ... @defer(label: "a") { a: recognizedText { text } } ... @defer(label: "b") { b: recognizedText(page: 1) { text }
      ... @defer(label: "c") { c: recognizedText(page: 2) { text } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(parts).toMatchObject([{}, { errors: [{}], hasNext: false }]);
    await expect.poll(() => gateway.log.length).toBe(1);
    await expect
      .poll(async () => await gateway.metrics.text())
      .toContain('gateway_upstream_calls_in_flight 0');
    held.resolve('late');
    expect(requestsOf(gateway)).toEqual([
      'docForm/#1?fields=_id,_id_web',
      'idp/#1/text',
      'idp/#1/text?page=1',
    ]);
  });

  it('is cut for a client that does not read', async () => {
    const gateway = await start({ server: { requestTimeoutMs: 300 } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, 'x'.repeat(8 * 2 ** 20));
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const body = JSON.stringify({ query: text });
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: multipart/mixed\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'readable');
    await expect.poll(() => gateway.log, { timeout: 3000 }).toMatchObject([{ calls: 2 }]);
    expect(await gateway.metrics.text()).toContain('gateway_requests_in_flight 0');
    socket.destroy();
  });

  it('goes on when a page cannot be read again: each part has the error', async () => {
    const gateway = await start();
    gateway.dms.reply('GET', /view\/all.*_tags/, 'secret', { status: 500 });
    const query = `{ documents { nodes { shortId ... @defer { tags } ... @defer(label: "t") { recognizedText { text } } } } }`;
    const parts = await queryParts(gateway, query);
    const { data, errors } = mergeParts(parts);
    expect(errors.map(({ path, extensions: { code } }) => [path, code])).toEqual(
      [0, 1, 2].map((n) => [['documents', 'nodes', n, 'tags'], 'UPSTREAM_ERROR']),
    );
    expect(data.documents.nodes).toEqual(
      [1, 2, 3].map((n) => ({ shortId: `DOC-${n}`, recognizedText: { text: 'Dear Sir' } })),
    );
    expect(gateway.dms.requests.filter((line) => line.includes('view/all'))).toHaveLength(2);
  });

  it('may have 1000 later parts and not one more', async () => {
    const gateway = await start();
    gateway.dms.reply(
      'GET',
      /^\/api\/v2\/docForm\/view\/all/,
      Array.from({ length: 100 }, (_, n) => wireDocument(idOf(n + 1))),
    );
    const query = (fragments: number): string =>
      `{ documents(first: 100) { nodes { id ${'... @defer { state } '.repeat(fragments)} } } }`;
    const most = await queryParts(gateway, query(10));
    expect(most.flatMap(({ incremental = [] }) => incremental)).toHaveLength(1000);
    const [refused] = await queryParts(gateway, query(11));
    expect(refused).toMatchObject({
      errors: [
        { message: expect.stringContaining('1000'), extensions: { code: 'BAD_USER_INPUT' } },
      ],
    });
  });

  it('may have fragments in each other up to MAX_DEPTH and MAX_DIRECTIVES', async () => {
    const gateway = await start();
    const nested = (levels: number): string =>
      levels === 0 ? 'state' : `a${levels}: tags ... @defer { ${nested(levels - 1)} }`;
    const parts = await queryParts(gateway, `{ document(id: "${id}") { ${nested(40)} } }`);
    const { data, errors } = mergeParts(parts);
    expect(errors).toEqual([]);
    expect(Object.keys(data.document)).toHaveLength(41);
    expect(requestsOf(gateway)).toEqual([
      'docForm/#1?fields=_id,_tags',
      'docForm/#1?fields=_id,state',
    ]);
    const below = (levels: number): string =>
      levels === 0 ? 'id' : `refByDocs(first: 1) { nodes { ... @defer { ${below(levels - 1)} } } }`;
    const deep = mergeParts(await queryParts(gateway, `{ document(id: "${id}") { ${below(5)} } }`));
    const whole = await gateway.query(undeferred(`{ document(id: "${id}") { ${below(5)} } }`));
    expect(deep).toEqual({ data: whole.data, errors: [] });
    const [refused] = await queryParts(gateway, `{ document(id: "${id}") { ${below(6)} } }`);
    expect(refused).toMatchObject({ errors: [{ message: expect.stringContaining('MAX_DEPTH') }] });
  });

  it('counts the fields of lists in all parts', async () => {
    const gateway = await start({ server: { maxListFields: 10 } });
    const query = `{ documents { nodes { id ... @defer { a: id b: id c: id } } } }`;
    const parts = await queryParts(gateway, query);
    expect(JSON.stringify(parts)).toContain('MAX_LIST_FIELDS');
  });

  it('is cancelled upstream when the client leaves', async () => {
    const gateway = await start();
    const asked = Promise.withResolvers<void>();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const leaving = new AbortController();
    const query = `{ document(id: "${id}") { shortId ... @defer(label: "a") { recognizedText { text } ... @defer(label: "b") { response { state } } } } }`;
    const response = await requestParts(gateway, query, { signal: leaving.signal });
    const parts = readParts(response);
    await parts.next();
    await asked.promise;
    leaving.abort();
    await expect.poll(() => gateway.log).toMatchObject([{ outcome: 'CANCELLED', calls: 2 }]);
    expect(requestsOf(gateway)).toEqual(['docForm/#1?fields=_id,_id_web', 'idp/#1/text']);
    expect(await gateway.close(5000)).toBe(true);
  });

  it('is finished at shutdown', async () => {
    const held = Promise.withResolvers<string>();
    const gateway = await start();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => held.promise);
    const parts = readParts(await requestParts(gateway, text));
    await parts.next();
    const closed = gateway.close(5000);
    held.resolve('Dear Sir');
    expect(mergeParts([{ data: { document: {} } }, ...(await allParts(parts))])).toMatchObject({
      data: { document: { recognizedText: { text: 'Dear Sir' } } },
    });
    expect(await closed).toBe(true);
  });

  it('keeps the callers of operations at the same time apart', async () => {
    const gateway = await start({ server: { identity: { mode: 'passthrough' } } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, ({ headers }) => `for ${headers['svc-run-as']}`);
    const users = ['usr-ann', 'usr-ben', 'usr-eve'];
    const results = await Promise.all(
      users.map((user) =>
        queryParts(gateway, text, {
          headers: { authorization: `Bearer ${user}`, 'svc-run-as': user },
        }),
      ),
    );
    expect(results.map((parts) => mergeParts(parts).data.document.recognizedText.text)).toEqual(
      users.map((user) => `for ${user}`),
    );
  });
});
