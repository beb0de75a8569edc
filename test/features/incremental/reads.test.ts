import { describe, expect, it } from 'vitest';
import {
  id,
  idOf,
  wireDocument,
  startWithDocuments,
  requestsOf,
  undeferred,
} from '../../helpers/documents-dms.ts';
import {
  allParts,
  mergeParts,
  queryParts,
  readParts,
  requestParts,
} from '../../helpers/result-parts.ts';

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
    name: 'a response in fragments of several levels, which is prepared once',
    query: `query ($yes: Boolean!) { document(id: "${id}") { shortId ... @defer(if: $yes) { response { state ... @defer { step } } ... @defer { ...R ... @defer { response { author { ... on Person { fullName } } } } } } } }
      fragment R on Document { response { content } }`,
    variables: { yes: true },
    first: ['docForm/#1?fields=_id,_id_web'],
    later: [
      'docForm/#1?fields=_id,docResponse,state,step,content,author&embed=docResponse',
      'person/usr-ann',
    ],
  },
  {
    name: 'a response in the first part and, of the same document by another path, in a later one',
    query: `{ a: document(id: "${id}") { response { state } } ... @defer { b: document(id: "${id}") { response { content } } } }`,
    first: ['docForm/#1?fields=_id,docResponse,state,content&embed=docResponse'],
    later: [],
  },
  {
    name: 'the responses of a page in fragments of several levels, which are prepared once',
    query: `{ documents { nodes { shortId ... @defer { response { state } ... @defer { response { content } } } } } }`,
    first: ['docForm/view/all?first=0&pageSize=10&fields=_id,_id_web'],
    later: [
      'docForm/view/all?first=0&pageSize=10&fields=_id,docResponse,state,content&embed=docResponse',
    ],
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
    const held = Promise.withResolvers<void>();
    let received = 0;
    const gateway = await startWithDocuments({}, async () => {
      received += 1;
      if (received > first.length) await held.promise;
    });
    const parts = readParts(await requestParts(gateway, query, { variables }));
    const { value: firstPart } = await parts.next();
    expect(firstPart).toMatchObject({ data: expect.anything(), hasNext: true });
    held.resolve();
    const rest = await allParts(parts);
    expect(rest.at(-1)).toMatchObject({ hasNext: false });

    const requests = requestsOf(gateway);
    expect(requests.slice(0, first.length).toSorted()).toEqual(first.toSorted());
    expect(requests.slice(first.length).toSorted()).toEqual(later.toSorted());

    const whole = await gateway.query(undeferred(query));
    expect(mergeParts([firstPart!, ...rest])).toEqual({ data: whole.data, errors: [] });
  });
});

it('reads a large page again in the calls that it was read in, and streams its items', async () => {
  const gateway = await startWithDocuments();
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
  const gateway = await startWithDocuments({ http: { projection: false } });
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

it('does not read a response again that could not be read', async () => {
  const gateway = await startWithDocuments();
  gateway.dms.reply('GET', /docForm\/.*docResponse/, '', { status: 503 });
  const query = `{ document(id: "${id}") { shortId
    ... @defer { response { state } ... @defer { tags response { content } } } } }`;
  const { data, errors } = mergeParts(await queryParts(gateway, query));
  expect(data).toEqual({ document: { shortId: 'DOC-1', tags: ['a', 'b'], response: null } });
  expect(errors.map(({ path, extensions: { code } }) => [path, code])).toEqual([
    [['document', 'response'], 'UPSTREAM_UNAVAILABLE'],
    [['document', 'response'], 'UPSTREAM_UNAVAILABLE'],
  ]);
  expect(requestsOf(gateway)).toEqual([
    'docForm/#1?fields=_id,_id_web',
    'docForm/#1?fields=_id,docResponse,state,content&embed=docResponse',
    'docForm/#1?fields=_id,_tags',
  ]);
});
