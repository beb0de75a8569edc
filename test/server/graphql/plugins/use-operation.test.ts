import { describe, expect, it } from 'vitest';
import { idOf } from '../../../helpers/documents-dms.ts';
import {
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../../helpers/gateway.ts';
import { globalId } from '../../../helpers/ids.ts';
import type { MockDms } from '../../../helpers/mock-dms.ts';

const costOnly = { 'x-cost-only': '1' };

type MockedGateway = TestGateway & { readonly dms: MockDms };

/** Number of documents in each view, and of persons in a unit; ten times as many organizations. */
const total = 500;

/** A DMS whose pages are full, and in which no two references lead to the same object. */
async function startFull(options: TestGatewayOptions = {}): Promise<MockedGateway> {
  const gateway = await startGateway(options);
  const { dms } = gateway;
  const document = (n: number) => ({
    _id: idOf(n),
    _id_web: `DOC-${n}`,
    _meta: { _rev: 1 },
    author: `usr-${n}`,
    refByDocs: Array.from({ length: 20 }, (_, i) => idOf(1000 * n + i)),
    valuesByTags: { supplier: `EXT${n}` },
    docResponse: { _id: idOf(900_000 + n), author: `usr-${n}` },
  });
  const page = (path: string, length: number, item: (n: number) => object): object[] => {
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const [first, size] = [Number(query.get('first')), Number(query.get('pageSize'))];
    return Array.from({ length: Math.min(size, length - first) }, (_, i) => item(first + i + 1));
  };
  const counted = (length: number) => ({ headers: { 'svc-total-count': `${length}` } });
  const organization = (n: number) => ({ _id: idOf(n), name: `Acme ${n}`, owner: `usr-${n}` });
  dms
    .reply('GET', /docForm\/DOC-/, ({ path }) => document(Number(/DOC-(\d+)/.exec(path)![1])))
    .reply('GET', /docForm\/[0-9a-f]{24}/, ({ path }) =>
      document(Number.parseInt(/[0-9a-f]{24}/.exec(path)![0], 16)),
    )
    .reply('GET', /docForm\/view/, ({ path }) => page(path, total, document), counted(total))
    .reply('GET', /\/text/, 'Dear Sir', { headers: { 'content-type': 'text/plain' } })
    .reply('GET', /person/, ({ path }) => {
      const id = path.split('/').at(-1)!;
      return { _id_sys: id, email: 'x', deputy: { id: `${id}-deputy`, enabled: 'true' } };
    })
    .reply('GET', /crm\/org\?/, ({ path }) => page(path, 2000, organization), counted(2000))
    .reply('GET', /crm\/org\/EXT/, organization(1))
    .reply('GET', /sysForm/, [])
    .reply('PUT', /docForm/, { _id: idOf(1) })
    .reply('POST', /docForm/, { _id: idOf(1), _id_web: 'DOC-1' });
  return gateway;
}

/** A DMS that has nothing but what the cache of the gateway already has. */
async function startEmpty(): Promise<MockedGateway> {
  const gateway = await startGateway({ http: { cacheTtlMs: 60_000 } });
  const none = { headers: { 'svc-total-count': '0' } };
  gateway.dms
    .reply('GET', /./, '', { status: 404 })
    .reply('GET', /docForm\/view|crm\/org\?/, [], none)
    .reply('GET', /person|sysForm/, ({ path }) =>
      path.includes('person') ? { _id_sys: path.split('/').at(-1) } : [],
    )
    .reply('PUT', /./, '', { status: 422 })
    .reply('POST', /./, '', { status: 422 });
  return gateway;
}

const author = 'author { ... on Person { email } }';
const document = (id: string, fields: string): string => `document(id: "${id}") { ${fields} }`;
const ordered = 'orderBy: { field: DATE_DUE }';
const respond = 'respondToDocument(input: { document: "DOC-1", action: APPROVE';
const responded = '... on RespondToDocumentPayload { document { state } }';

/** Operations with their cost. An execution makes as many calls in front of the full and the empty DMS, unless it says so. */
type Case = readonly [
  operation: string,
  cost: { readonly atLeast: number; readonly upstreamCalls: number },
  made?: { readonly full?: number; readonly empty?: number },
];

const costs: readonly Case[] = [
  ['{ viewer { runAs } }', { atLeast: 0, upstreamCalls: 0 }],
  ['{ __schema { queryType { name } } }', { atLeast: 0, upstreamCalls: 0 }],
  [`{ ${document('DOC-1', 'shortId')} }`, { atLeast: 1, upstreamCalls: 1 }],
  [
    `{ ${document('DOC-1', `${author} recognizedText { text }`)} }`,
    { atLeast: 1, upstreamCalls: 3 },
  ],
  [`{ ${document('DOC-1', 'author { id }')} }`, { atLeast: 1, upstreamCalls: 1 }],
  [
    `{ ${document('DOC-1', 'author { ... on Person { deputy { person { email } } } }')} }`,
    { atLeast: 1, upstreamCalls: 3 },
  ],
  [
    `{ a: ${document('DOC-1', 'state')} b: ${document('DOC-1', 'step')} c: ${document('DOC-2', 'step')} }`,
    { atLeast: 2, upstreamCalls: 3 },
    { full: 2 }, // one document is read once
  ],
  // Only the DMS knows that both IDs are those of one document.
  [
    `{ a: ${document('DOC-1', 'state')} b: ${document(idOf(1), 'step')} }`,
    { atLeast: 1, upstreamCalls: 2 },
    { full: 1, empty: 2 },
  ],
  [
    `{ node(id: "${globalId('Document', idOf(1))}") { id ... on Document { ${author} } ... on Person { email } } }`,
    { atLeast: 1, upstreamCalls: 2 },
  ],
  [`{ node(id: "${globalId('Person', 'usr-1')}") { id } }`, { atLeast: 0, upstreamCalls: 1 }],
  [
    `{ nodes(ids: ["${globalId('Document', idOf(1))}", "${globalId('Person', 'usr-1')}"]) { id } }`,
    { atLeast: 1, upstreamCalls: 2 },
  ],
  ['{ person(id: "usr-1") { email } }', { atLeast: 0, upstreamCalls: 1 }],
  [`{ documents { nodes { ${author} } } }`, { atLeast: 1, upstreamCalls: 11 }],
  ['{ documents { totalCount } }', { atLeast: 1, upstreamCalls: 1 }],
  [`{ documents(first: 250) { nodes { shortId } } }`, { atLeast: 1, upstreamCalls: 3 }],
  [`{ documents(last: 3) { nodes { ${author} } } }`, { atLeast: 2, upstreamCalls: 5 }],
  [`{ documents(first: 3, ${ordered}) { nodes { ${author} } } }`, { atLeast: 1, upstreamCalls: 8 }],
  [
    `{ a: documents(first: 2) { nodes { shortId } } b: documents(first: 2) { nodes { state } } c: documents(view: INBOX, first: 2) { nodes { state } } }`,
    { atLeast: 2, upstreamCalls: 3 },
    { empty: 3 }, // two pages of one view are different calls if they select different fields
  ],
  [
    `{ documents(first: 2) { nodes { refByDocs(first: 3) { nodes { shortId ${author} } } } } }`,
    { atLeast: 1, upstreamCalls: 13 },
  ],
  [
    `{ documents(first: 2) { nodes { refByDocs { nodes { id } } } } }`,
    { atLeast: 1, upstreamCalls: 1 },
  ],
  [
    `{ documents(first: 2) { nodes { value(tag: "supplier") { ... on TextValue { organization { name } } } } } }`,
    { atLeast: 1, upstreamCalls: 3 },
  ],
  [`{ organizations(first: 3) { nodes { owner { email } } } }`, { atLeast: 0, upstreamCalls: 4 }],
  [
    `{ organizations(search: "acme", first: 3) { nodes { owner { email } } } }`,
    { atLeast: 0, upstreamCalls: 23 },
  ],
  ['{ forms { title } }', { atLeast: 0, upstreamCalls: 1 }],
  [
    `{ ${document('DOC-1', `shortId ... @skip(if: true) { ${author} } ... @include(if: true) { recognizedText { text } }`)} }`,
    { atLeast: 1, upstreamCalls: 2 },
  ],
  [`mutation { ${respond} }) { ${responded} } }`, { atLeast: 1, upstreamCalls: 3 }],
  [
    `mutation { ${respond}, response: "${idOf(900_001)}" }) { __typename } }`,
    { atLeast: 1, upstreamCalls: 1 },
  ],
  [
    `mutation { ${respond}, response: "${idOf(900_001)}", expectedRevision: 1 }) { __typename } }`,
    { atLeast: 1, upstreamCalls: 2 },
  ],
  [
    `mutation { respondToDocuments(input: { responses: [{ document: "DOC-1", action: APPROVE }, { document: "DOC-2", action: APPROVE }] }) { results { ${responded} } } }`,
    { atLeast: 2, upstreamCalls: 6 },
  ],
  [
    'mutation { createDocument(input: { form: "memo" }) { ... on CreateDocumentPayload { document { shortId state } } } }',
    { atLeast: 1, upstreamCalls: 2 },
  ],
];

describe('x-cost-only', () => {
  it.each(costs.map(([operation, cost, made = {}]) => ({ operation, cost, made })))(
    'reports the cost of $operation',
    async ({ operation, cost, made }) => {
      const full = await startFull();
      const { data, errors, extensions } = await full.query(operation, {}, costOnly);
      expect([data, errors, extensions]).toEqual([null, undefined, { cost }]);
      expect(full.dms.requests).toEqual([]);

      expect((await full.query(operation)).errors).toBeUndefined();
      expect(full.dms.requests).toHaveLength(made.full ?? cost.upstreamCalls);

      const empty = await startEmpty();
      await empty.query(operation); // fills the cache
      const before = empty.dms.requests.length;
      await empty.query(operation);
      const least = empty.dms.requests.slice(before);
      expect(least).toHaveLength(made.empty ?? cost.atLeast);
    },
  );

  it.each([
    ['MAX_UPSTREAM_CALLS', { maxUpstreamCalls: 2 }, '{ documents(first: 300) { totalCount } }'],
    ['RATE_LIMIT', {}, '{ documents(first: 300) { totalCount } }'],
    ['arguments', {}, '{ documents(first: 501) { totalCount } }'],
    ['syntax', {}, '{ documents('],
    ['validation', {}, '{ document { id } }'],
    ['variables', {}, 'query ($id: ID!) { document(id: $id) { id } }'],
  ])('is rejected as the operation is: %s', async (what, server, operation) => {
    const gateway = await startFull({
      server: { ...server, ...(what === 'RATE_LIMIT' && { rateLimit: 2 }) },
    });
    const real = await gateway.query(operation);
    const asked = await gateway.query(operation, {}, costOnly);
    const withoutId = ({ errors, status }: typeof real) => [
      status,
      errors?.map(({ message, extensions }) => [message, extensions['code']]),
    ];
    expect(real.errors).toHaveLength(1);
    expect(withoutId(asked)).toEqual(withoutId(real));
    expect(gateway.dms.requests).toEqual([]);
  });

  it('requires INTROSPECTION=on, and never executes the operation', async () => {
    const gateway = await startFull({ server: { introspection: false } });
    const mutation = `mutation { ${respond} }) { __typename } }`;
    const { status, data, errors } = await gateway.query(mutation, {}, costOnly);
    expect([status, data, errors?.[0]?.extensions['code']]).toEqual([403, undefined, 'FORBIDDEN']);
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([['01'], ['true'], ['0'], [''], ['1', '1']])(
    'with the value %j is rejected, and nothing is executed',
    async (...values) => {
      const gateway = await startFull();
      for (const query of [
        '{ document(id: "DOC-1") { shortId } }',
        `mutation { ${respond} }) { __typename } }`,
      ]) {
        const headers = [
          ['content-type', 'application/json'],
          ...values.map((value) => ['x-cost-only', value]),
        ] as [string, string][];
        const body = JSON.stringify({ query });
        const response = await gateway.fetch('/graphql', { method: 'POST', headers, body });
        expect([response.status, await response.json()]).toMatchObject([
          400,
          { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
        ]);
      }
      expect(gateway.dms.requests).toEqual([]);
    },
  );

  it('does not read the files of an upload', async () => {
    const gateway = await startFull();
    const query =
      'mutation ($files: [Upload!]) { createDocument(input: { form: "memo", files: $files }) { __typename } }';
    const parts = [
      { name: 'operations', body: JSON.stringify({ query, variables: { files: [null] } }) },
      { name: 'map', body: JSON.stringify({ 0: ['variables.files.0'] }) },
      { name: '0', filename: 'a.bin', body: new Uint8Array(5_000_000) },
    ];
    expect(await gateway.upload(parts, costOnly)).toMatchObject({
      data: null,
      extensions: { cost: { atLeast: 1, upstreamCalls: 1 } },
    });
    expect(gateway.dms.requests).toEqual([]);
  });
});
