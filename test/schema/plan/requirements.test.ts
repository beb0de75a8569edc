import { describe, expect, it } from 'vitest';
import { createResolvers } from '../../helpers/resolvers.ts';
import { globalId } from '../../helpers/ids.ts';

const A = '5f0000000000000000000001';
const B = '5f0000000000000000000002';
const C = '5f0000000000000000000003';

/** The request of one document with `fields` and `embed`. */
const document = (query: string, id = A) => `GET /api/v2/docForm/${id}?${query}`;

describe('one document', () => {
  it('requests exactly the selected properties', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 1, _meta: { _rev: 4 } });
    const { data } = await run(`{ document(id: "${A}") { id state meta { revision } } }`);
    expect(dms.requests).toEqual([document('fields=_id,_meta,state')]);
    expect(data).toEqual({
      document: { id: globalId('Document', A), state: 1, meta: { revision: 4 } },
    });
  });

  it('costs one call for all kinds of IDs', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/D-1', { _id: A, state: 1, step: 2, status: 3 });
    const { data } = await run(`{
      a: document(id: "D-1") { state }
      b: document(id: "${A}") { step }
      c: document(id: "${globalId('Document', A)}") { status }
    }`);
    expect(dms.requests).toEqual([document('fields=_id,state,step,status', 'D-1')]);
    expect(data).toEqual({ a: { state: 1 }, b: { step: 2 }, c: { status: 3 } });
  });

  it('requests only missing properties on deeper levels', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, ({ path }) =>
      path.includes('refByDocs')
        ? { _id: A, state: 1, refByDocs: [B] }
        : { _id: A, state: 1, step: 2 },
    );
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, refByDocs: [A] });
    const { data } = await run(`{
      document(id: "${A}") {
        state
        refByDocs { nodes { refByDocs { nodes { state step } } } }
      }
    }`);
    expect(dms.requests).toEqual([
      document('fields=_id,state,refByDocs&embed=refByDocs'),
      document('fields=_id,refByDocs&embed=refByDocs', B),
      document('fields=_id,step'),
    ]);
    expect(data).toMatchObject({
      document: { refByDocs: { nodes: [{ refByDocs: { nodes: [{ state: 1, step: 2 }] } }] } },
    });
  });

  it('is requested even if only the ID is selected', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A });
    expect((await run(`{ document(id: "${A}") { id } }`)).data).toEqual({
      document: { id: globalId('Document', A) },
    });
    expect(dms.requests).toEqual([document('fields=_id')]);
  });

  it('sends no fields without projection', async () => {
    const { dms, run } = createResolvers({ settings: { DMS_PROJECTION: false } });
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 1, filesList: [] });
    await run(`{ document(id: "${A}") { state files { name } } }`);
    expect(dms.requests).toEqual([document('embed=filesList')]);
  });
});

describe('embedded entities', () => {
  it('add their properties to the flat list', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A });
    await run(`{ document(id: "${A}") {
      recoData { validated result { confidence } values { tag } }
      response { iteration actionCode author { systemId } }
      files { name }
    } }`);
    const [request] = dms.requests;
    const url = new URL(request!.slice(4), 'http://x');
    expect(url.searchParams.get('embed')!.split(',').toSorted()).toEqual([
      'docResponse',
      'filesList',
      'recoData',
      'recoResult',
    ]);
    expect(url.searchParams.get('fields')!.split(',').toSorted()).toEqual(
      [
        '_id',
        'author',
        'docResponse',
        'fileName',
        'filesList',
        'id',
        'itearation',
        'recoData',
        'recoFormConfidence',
        'recoResult',
        'taskstatus',
        'validated',
        'valuesByTags',
      ].toSorted(),
    );
    expect(dms.requests).toHaveLength(1);
  });

  it('include the response only if it is selected', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 1 });
    const query = `query ($with: Boolean!) {
      document(id: "${A}") { state response @include(if: $with) { id } }
    }`;
    await run(query, { with: false });
    await run(query, { with: true });
    expect(dms.requests).toEqual([
      document('fields=_id,state'),
      document('fields=_id,state,docResponse&embed=docResponse'),
    ]);
  });

  it('include extra properties by name', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, docnum: 'N-7', topic: null });
    const { data } = await run(
      'query ($id: ID!, $n: [String!]!) { document(id: $id) { extra(names: $n) } }',
      {
        id: A,
        n: ['docnum', 'topic', 'absent'],
      },
    );
    expect(dms.requests).toEqual([document('fields=_id,absent,docnum,topic')]);
    expect(data).toEqual({ document: { extra: { docnum: 'N-7', topic: null } } });
  });

  it.each(['docResponse', 'DocResponse', 'filesList', 'valuesByTags', 'docResponse.state', 'a,b'])(
    'reject the extra property %j',
    async (name) => {
      const { dms, run } = createResolvers();
      const query = `query ($n: [String!]!) {
        other: document(id: "${A}") { state }
        document(id: "${A}") { ...Extra }
      }
      fragment Extra on Document { extra(names: $n) }`;
      const { codes } = await run(query, { n: ['docnum', name] });
      expect(codes).toEqual(['BAD_USER_INPUT']);
      expect(dms.requests).toEqual([]);
    },
  );
});

describe('fragments, aliases and directives', () => {
  it('are resolved to their selections', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/view/inbox', [{ _id: A, state: 1, step: 2, status: 3 }]);
    const query = `
      query ($skip: Boolean!) {
        documents(view: INBOX, first: 1) {
          nodes { again: state ...Inner @skip(if: $skip) }
          edges { node { ... on Node { id } ... on Document { status } ... @include(if: $skip) { dateDue } } }
        }
      }
      fragment Inner on Document { step }`;
    await run(query, { skip: false });
    await run(query, { skip: true });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/view/inbox?first=0&pageSize=1&fields=_id,state,step,status',
      'GET /api/v2/docForm/view/inbox?first=0&pageSize=1&fields=_id,state,status,datedue',
    ]);
  });

  it('use the default of a required variable', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, docnum: 'N-7' });
    const query = `query ($n: [String!]! = ["docnum"]) { document(id: "${A}") { extra(names: $n) } }`;
    for (const _ of [1, 2]) {
      const { data } = await run(query);
      expect(data).toEqual({ document: { extra: { docnum: 'N-7' } } });
    }
  });

  it('merge the selections of a repeated field', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 1, step: 2 });
    const { data } = await run(`{ document(id: "${A}") { state } document(id: "${A}") { step } }`);
    expect(dms.requests).toEqual([document('fields=_id,state,step')]);
    expect(data).toEqual({ document: { state: 1, step: 2 } });
  });

  it('are resolved below node', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 1 });
    const { data } = await run(
      'query ($id: ID!) { node(id: $id) { __typename id ... on Document { state } ... on Person { email } } }',
      { id: globalId('Document', A) },
    );
    expect(dms.requests).toEqual([document('fields=_id,state')]);
    expect(data).toEqual({
      node: { __typename: 'Document', id: globalId('Document', A), state: 1 },
    });
  });
});

describe('a view', () => {
  it('costs one call with embedded entities', async () => {
    const { dms, run } = createResolvers();
    dms.reply(
      'GET',
      '/api/v2/docForm/view/inbox',
      [
        {
          _id: A,
          filesList: [{ id: C, fileName: 'a.txt' }],
          valuesByTags: { total: '12' },
          recoData: [{ _id: B, validated: true }],
        },
      ],
      { headers: { 'svc-total-count': '41' } },
    );
    const { data } = await run(`{
      documents(view: INBOX, first: 20) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage }
        nodes { files { id name url } value(tag: "total") { ... on TextValue { text } } recoData { id validated } }
      }
    }`);
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/view/inbox?first=0&pageSize=20&fields=_id,valuesByTags,filesList,id,fileName,recoData,validated&embed=valuesByTags,filesList,recoData',
    ]);
    expect(data).toEqual({
      documents: {
        totalCount: 41,
        pageInfo: { hasNextPage: true, hasPreviousPage: false },
        nodes: [
          {
            files: [{ id: C, name: 'a.txt', url: `http://gateway.test/files/documents/${A}/${C}` }],
            value: { text: '12' },
            recoData: [{ id: B, validated: true }],
          },
        ],
      },
    });
  });

  it('reads each author of twenty documents once', async () => {
    const { dms, run } = createResolvers();
    const twenty = Array.from({ length: 20 }, (_, i) => ({
      _id: `5f00000000000000000000${(10 + i).toString(16).padStart(2, '0')}`,
      author: `usr-${i % 4}`,
    }));
    dms.reply('GET', '/api/v2/docForm/view/all', twenty);
    dms.reply('GET', /\/person\//, ({ path }) => ({
      _id_sys: path.split('/').at(-1),
      email: 'x@y',
    }));
    const { errors } = await run(
      '{ documents(first: 20) { nodes { author { ... on Person { email } } } } }',
    );
    expect(errors).toBeUndefined();
    expect(dms.requests).toHaveLength(5);
    expect(dms.requests.slice(1).toSorted()).toEqual(
      [0, 1, 2, 3].map((i) => `GET /api/v2/person/usr-${i}`),
    );
  });

  it('costs one call for its total count', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/view/archive', [{ _id: A }], {
      headers: { 'x-total-count': '7' },
    });
    expect((await run('{ documents(view: ARCHIVE, first: 50) { totalCount } }')).data).toEqual({
      documents: { totalCount: 7 },
    });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/view/archive?first=0&pageSize=1&fields=_id',
    ]);
  });

  it('primes its documents', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/view/all', [
      { _id: A, refByDocs: [B] },
      { _id: B, refByDocs: [A] },
    ]);
    await run('{ documents { nodes { refByDocs { nodes { refByDocs { totalCount } } } } } }');
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/view/all?first=0&pageSize=10&fields=_id,refByDocs&embed=refByDocs',
    ]);
  });
});

describe('a selection of only the key', () => {
  it('costs no call', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, {
      _id: A,
      author: 'usr-ann',
      refByDocs: [B],
    });
    const { data } = await run(`{
      document(id: "${A}") {
        author { __typename systemId ... on Person { id } }
        refByDocs { totalCount nodes { id fullId recognizedPdfUrl } }
      }
    }`);
    expect(dms.requests).toEqual([document('fields=_id,author,refByDocs&embed=refByDocs')]);
    expect(data).toEqual({
      document: {
        author: { __typename: 'Person', systemId: 'usr-ann', id: globalId('Person', 'usr-ann') },
        refByDocs: {
          totalCount: 1,
          nodes: [
            {
              id: globalId('Document', B),
              fullId: B,
              recognizedPdfUrl: `http://gateway.test/files/documents/${B}/pdf`,
            },
          ],
        },
      },
    });
  });

  it('costs no call for a service account', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, author: 'api-import' });
    const { data } = await run(
      `{ document(id: "${A}") { author { __typename systemId ... on Person { email } } } }`,
    );
    expect(dms.requests).toHaveLength(1);
    expect(data).toEqual({
      document: { author: { __typename: 'ServiceAccount', systemId: 'api-import' } },
    });
  });
});

describe('refByDocs', () => {
  it('reads each overlapping document once', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/view/all', [
      { _id: A, refByDocs: [B, C] },
      { _id: '5f0000000000000000000009', refByDocs: [C, B] },
    ]);
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, state: 2 });
    dms.reply('GET', `/api/v2/docForm/${C}`, { _id: C, state: 3 });
    await run('{ documents { nodes { refByDocs { nodes { state } } } } }');
    expect(dms.requests.slice(1).toSorted()).toEqual([
      document('fields=_id,state', B),
      document('fields=_id,state', C),
    ]);
  });

  it('reads only the documents of the requested page', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, refByDocs: [B, C] });
    dms.reply('GET', `/api/v2/docForm/${C}`, { _id: C, state: 3 });
    const { data } = await run(
      `{ document(id: "${A}") { refByDocs(last: 1) { pageInfo { hasPreviousPage } nodes { state } } } }`,
    );
    expect(data).toEqual({
      document: { refByDocs: { pageInfo: { hasPreviousPage: true }, nodes: [{ state: 3 }] } },
    });
    expect(dms.requests).toHaveLength(2);
  });

  it('has null items for failed documents', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, refByDocs: [B, C] });
    dms.reply('GET', `/api/v2/docForm/${B}`, {}, { status: 403 });
    dms.reply('GET', `/api/v2/docForm/${C}`, { _id: C, state: 3 });
    const { data, codes } = await run(`{ document(id: "${A}") { refByDocs { nodes { state } } } }`);
    expect(data).toEqual({ document: { refByDocs: { nodes: [null, { state: 3 }] } } });
    expect(codes).toEqual(['FORBIDDEN']);
  });
});
