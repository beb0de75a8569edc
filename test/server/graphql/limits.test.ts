import { getIntrospectionQuery, getOperationAST, parse, type ExecutionArgs } from 'graphql';
import { describe, expect, it } from 'vitest';
import { QueryDocument } from '../../../src/schema/plan/query-document.ts';
import { idOf } from '../../helpers/ids.ts';
import { startGateway } from '../../helpers/gateway.ts';

/** A person's deputy's deputy and so on, `levels` fields deep. */
function deep(levels: number): string {
  const half = Math.floor((levels - 2) / 2);
  const rest = (levels - 2) % 2 === 0 ? 'email' : 'deputy { enabled }';
  return `{ person(id: "usr-ann") { ${'deputy { person { '.repeat(half)} ${rest} ${'} } '.repeat(half)} } }`;
}

const repeat = (count: number, one: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => one(i)).join(' ');

/** Fragments that spread the next one twice. */
function doubling(count: number): string {
  const fragments = repeat(count, (i) => `fragment F${i} on Person { ...F${i + 1} ...F${i + 1} }`);
  return `${fragments} fragment F${count} on Person { email }`;
}

describe('limits', () => {
  const cases: readonly [string, string, string, string][] = [
    ['depth', deep(12), deep(13), 'The operation has 13 levels of fields; MAX_DEPTH allows 12.'],
    [
      'aliases',
      `{ viewer { ${repeat(50, (i) => `a${i}: runAs`)} } }`,
      `{ viewer { ${repeat(51, (i) => `a${i}: runAs`)} } }`,
      'The operation has 51 aliases; MAX_ALIASES allows 50.',
    ],
    [
      'root fields',
      `{ ${repeat(18, () => '__typename')} ...F } fragment F on Query { a: __typename b: __typename }`,
      `{ ${repeat(19, () => '__typename')} ...F } fragment F on Query { a: __typename b: __typename }`,
      'The operation has 21 root fields; MAX_ROOT_FIELDS allows 20.',
    ],
    [
      'directives',
      `{ viewer { ${repeat(49, () => 'runAs @skip(if: false)')} ... @skip(if: false) { runAs } } }`,
      `{ viewer { ${repeat(50, () => 'runAs @skip(if: false)')} ... @skip(if: false) { runAs } } }`,
      'The operation has 51 directives; MAX_DIRECTIVES allows 50.',
    ],
    [
      'tokens',
      `{ viewer { ${repeat(495, () => 'runAs')} } }`,
      `{ viewer { ${repeat(496, () => 'runAs')} } }`,
      'The query document has too many tokens; MAX_TOKENS allows 500.',
    ],
    [
      'selections',
      `{ person(id: "usr-ann") { ...F0 ${repeat(116, () => 'email')} } } ${doubling(7)}`,
      `{ person(id: "usr-ann") { ...F0 ${repeat(117, () => 'email')} } } ${doubling(7)}`,
      'The operation has 501 selections with expanded fragments; MAX_TOKENS allows 500.',
    ],
  ];
  it.each(cases)(
    'accept the maximum of %s and reject one more',
    async (_name, fits, over, message) => {
      const gateway = await startGateway({ server: { maxTokens: 500 } });
      gateway.dms.reply('GET', /person/, {
        _id_sys: 'usr-ann',
        deputy: { id: 'usr-ann', enabled: 'true' },
      });
      expect((await gateway.query(fits)).errors).toBeUndefined();
      const before = gateway.dms.requests.length;
      const { data, errors } = await gateway.query(over);
      expect(data).toBeUndefined();
      expect(errors?.map((error) => error.message)).toEqual([message]);
      expect(errors?.[0]?.extensions['code']).toMatch(/^GRAPHQL_(VALIDATION|PARSE)_FAILED$/);
      expect(gateway.dms.requests).toHaveLength(before);
    },
  );

  it("accept the playground's introspection query", async () => {
    const gateway = await startGateway();
    const { errors, data } = await gateway.query(getIntrospectionQuery());
    expect(errors).toBeUndefined();
    expect(data.__schema.queryType.name).toBe('Query');
  });

  it('count comments as tokens', async () => {
    const gateway = await startGateway();
    const { errors } = await gateway.query(`${'#\n'.repeat(2001)}{ viewer { runAs } }`);
    expect(errors?.[0]?.message).toBe(
      'The query document has too many tokens; MAX_TOKENS allows 2000.',
    );
  });

  it('reject too many characters before parsing', async () => {
    const gateway = await startGateway({ server: { maxTokens: 20 } });
    const text = '{ __typename }';
    const padded = text + '\n'.repeat(2000 - text.length);
    expect((await gateway.query(padded)).errors).toBeUndefined();
    const { errors } = await gateway.query(`${padded}\n`);
    expect(errors).toMatchObject([
      {
        message: 'The query document has 2001 characters; MAX_TOKENS=20 allows 2000.',
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    ]);
  });

  it('reject a document before validation', async () => {
    const gateway = await startGateway();
    const { errors } = await gateway.query(`{ ${repeat(300, (i) => `a${i}: nothing`)} }`);
    expect(errors?.map(({ message }) => message)).toEqual([
      'The operation has 300 aliases; MAX_ALIASES allows 50.',
      'The operation has 300 root fields; MAX_ROOT_FIELDS allows 20.',
    ]);
  });
});

it('documents are kept by the size of their plans', async () => {
  const documents = new Map<string, Set<unknown>>();
  const gateway = await startGateway({
    parts: {
      plugins: [
        {
          onExecute({ args }: { args: ExecutionArgs }) {
            const known = documents.get(args.operationName!) ?? new Set();
            documents.set(args.operationName!, known.add(args.document));
          },
        },
      ],
    },
  });
  gateway.dms.reply('GET', /person/, { _id_sys: 'usr-ann', email: 'x' });
  const run = (name: string, fragments: number) =>
    gateway.post({
      query: `query ${name} { person(id: "usr-ann") { ...F0 } } ${doubling(fragments)}`,
      operationName: name,
    });
  await run('Large', 8);
  for (let i = 0; i < 120; i += 1) await run(`Large${i}`, 8);
  await run('Large', 8);
  expect(documents.get('Large')).toHaveProperty('size', 2);
});

function sizeOf(text: string) {
  const document = parse(text);
  return QueryDocument.of(document).sizes.get(getOperationAST(document)!)!;
}

describe('a request body', () => {
  const document = '{ viewer { runAs } }';
  const bodyOf = (bytes: number): string => {
    const body = JSON.stringify({ query: document, variables: { pad: '' } });
    return JSON.stringify({ query: document, variables: { pad: ' '.repeat(bytes - body.length) } });
  };
  it('is accepted at the limit and rejected above it', async () => {
    const gateway = await startGateway({ server: { maxBodyBytes: 5000 } });
    expect((await gateway.post(bodyOf(5000))).status).toBe(200);
    const response = await gateway.post(bodyOf(5001));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: 'The request body is too large; MAX_BODY_BYTES allows 5000 bytes.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
  });
});

describe('variables', () => {
  const mutation = `mutation ($input: UpsertOrganizationInput!) {
    upsertOrganization(input: $input) { __typename }
  }`;
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  it.each([
    [
      'lists',
      [Array.from({ length: 10_001 })],
      'a list with 10001 entries; at most 10000 are allowed (at "input.nameExt[0]")',
    ],
    [
      'objects',
      [Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, 1]))],
      'an object with 1001 keys; at most 1000 are allowed (at "input.nameExt[0]")',
    ],
    [
      'levels',
      nested(2000),
      `more than 100 levels of nesting (at "input.nameExt${'[0]'.repeat(18)}…")`,
    ],
  ])('are rejected for too many %s', async (_what, nameExt, excess) => {
    const gateway = await startGateway();
    const { errors, data } = await gateway.query(mutation, { input: { nameExt } });
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      { message: `The variables contain ${excess}.`, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(gateway.dms.requests).toEqual([]);
  });

  const bulk = `mutation ($input: RespondToDocumentsInput!) {
    respondToDocuments(input: $input) { results { __typename } }
  }`;
  const bulkInput = (items: number, columns: readonly string[], rows: readonly unknown[]) => ({
    responses: Array.from({ length: items }, () => ({
      document: 'DOC-1',
      action: 'APPROVE',
      values: [{ tag: 'lines', table: { columns, rows } }],
    })),
  });
  const repeated = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);
  it.each([
    ['empty rows', bulkInput(7, [], repeated(10_000, [])), '[6].values[0].table.rows'],
    ['rows with one cell', bulkInput(6, ['a'], repeated(10_000, [''])), '[4].values[0].table.rows'],
    [
      'cells',
      bulkInput(2, ['a'], repeated(80, repeated(1000, ''))),
      '[1].values[0].table.rows[44]',
    ],
    [
      'objects',
      { responses: repeated(3, { document: 'DOC-1', values: repeated(10_000, {}) }) },
      '[2].values[3741]',
    ],
  ])('are rejected with their path for too many %s', async (_what, input, path) => {
    const gateway = await startGateway({ server: { maxBodyBytes: 2 ** 22 } });
    const { errors, data } = await gateway.query(bulk, { input });
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: `The variables contain too many values; at most 125000 are allowed, where a list counts 1 more and an object 4 more (at "input.responses${path}").`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('can contain a table of 10,000 rows with ten columns', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, { _id: idOf(1), docResponse: { _id: idOf(2) } });
    gateway.dms.reply('PUT', /docForm/, '');
    const columns = Array.from({ length: 10 }, (_, i) => `c${i}`);
    const input = bulkInput(1, columns, repeated(10_000, repeated(10, 'x')));
    const { data } = await gateway.query(bulk, { input });
    expect(data).toEqual({
      respondToDocuments: { results: [{ __typename: 'RespondToDocumentPayload' }] },
    });
  });

  it.each([
    ['view', 'DocumentView!', '($view: DocumentView) { documents(view: $view) { totalCount } }'],
    [
      'view',
      'DocumentView!',
      '($view: DocumentView = ALL) { forms { documents(view: $view) { totalCount } } }',
    ],
    ['if', 'Boolean!', '($if: Boolean = true) { viewer @include(if: $if) { runAs } }'],
    ['tag', 'String!', '($tag: String = "x") { documents { nodes { value(tag: $tag) { tag } } } }'],
    ['tag', 'String!', '($tag: String = "x") { documents { nodes { ...F } } }'],
  ])('cannot be null where null is not allowed: $%s as %s', async (name, type, operation) => {
    const gateway = await startGateway();
    const fragment = operation.includes('...F')
      ? ' fragment F on Document { value(tag: $tag) { tag } }'
      : '';
    const { status, errors } = await gateway.query(`query ${operation}${fragment}`, {
      [name]: null,
    });
    expect(status).toBe(200);
    expect(errors).toMatchObject([
      {
        message: `The variable "$${name}" must not be null, because it is used where the type "${type}" is required.`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
    expect(gateway.log.filter(({ msg }) => msg === 'failure')).toEqual([]);
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([
    'query ($view: DocumentView, $list: Boolean!) { viewer { runAs } documents(view: $view) @include(if: $list) { totalCount } }',
    'query ($view: DocumentView, $list: Boolean!) { viewer { runAs } ...F @include(if: $list) } fragment F on Query { documents(view: $view) { totalCount } }',
  ])('can be null in a selection that is skipped: %s', async (text) => {
    const { query } = await startGateway();
    const { data, errors } = await query(text, { view: null, list: false });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ viewer: { runAs: null } });
    expect((await query(text, { view: null, list: true })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('cannot be null for a later mutation: no mutation is executed', async () => {
    const { query, dms } = await startGateway();
    const mutation = `mutation ($id: ID = "x") {
      upsertOrganization(input: { externalId: "e" }) { __typename }
      deleteOrganization(input: { id: $id }) { __typename }
    }`;
    expect((await query(mutation, { id: null })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(dms.requests).toEqual([]);
  });

  it('are quoted once if they have many errors', async () => {
    const gateway = await startGateway();
    const keys = Array.from({ length: 900 }, (_, i) => [`k${i}`, 'x'.repeat(100)]);
    const { errors } = await gateway.query(mutation, { input: Object.fromEntries(keys) });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/^Variable "\$input" got invalid value/) },
      { message: expect.stringMatching(/^Too many errors processing variables/) },
    ]);
  });

  it('have a limited number of errors', async () => {
    const gateway = await startGateway();
    const { errors } = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: Array.from({ length: 200_000 }, () => ({})),
    });
    expect(errors?.length).toBeLessThan(30);
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });
});

describe('fields of lists', () => {
  const ask = (aliases: number) =>
    `{ documents(view: ALL, first: 10) { nodes {
      ${repeat(aliases, (i) => `a${i}: values { tag ... on TextValue { text } ... on TableValue { rows } }`)}
    } } }`;
  const documents = Array.from({ length: 10 }, (_, i) => ({
    _id: String(i).padStart(24, '5'),
    valuesByTags: Object.fromEntries(Array.from({ length: 10 }, (_, k) => [`t${k}`, 'x'])),
  }));

  it('are accepted up to the limit', async () => {
    // 10 documents of 4 lists, and in each list 10 values of 2 fields. A document and a value count, too.
    const maxListFields = 10 * (1 + 4) + 10 * 4 * 10 * (1 + 2);
    const gateway = await startGateway({ server: { maxListFields } });
    gateway.dms.reply('GET', /view/, documents);
    expect((await gateway.query(ask(4))).errors).toBeUndefined();
    const { data, errors } = await gateway.query(ask(5));
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        message:
          'The lists of the response have too many fields; MAX_LIST_FIELDS allows 1250. Request smaller pages or fewer fields.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  });

  it('count one more for eight values in their arguments', async () => {
    const gateway = await startGateway({ server: { maxListFields: 10 * (1 + 1 + 2) } });
    gateway.dms.reply('GET', /view/, documents);
    const of = (tags: number) =>
      gateway.query(
        `{ documents(first: 10) { nodes { values(tags: [${'"none" '.repeat(tags)}]) { tag } } } }`,
      );
    expect((await of(22)).errors).toBeUndefined();
    expect((await of(23)).errors).toHaveLength(1);
  });

  it('include cells of tables', async () => {
    const gateway = await startGateway({ server: { maxListFields: 1000 } });
    const row = Array.from({ length: 30 }, (_, i) => `c${i}`);
    const table = Array.from({ length: 31 }, () => row);
    gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24), valuesByTags: { t: table } });
    const of = (fields: string) =>
      gateway.query(
        `{ document(id: "D-1") { value(tag: "t") { ... on TableValue { ${fields} } } } }`,
      );
    expect((await of('rows')).errors).toBeUndefined();
    expect((await of('records')).errors).toBeUndefined();
    expect((await of('rows records')).errors).toHaveLength(1);
  });

  it('count ten for each URL of a file', async () => {
    const documents10 = 10 * (1 + 1); // each with the list of files
    const files40 = 40 * (1 + 1); // each with its name
    const urls = 10 + 40; // of the PDFs and files
    const maxListFields = documents10 + files40 + urls * 10;
    const gateway = await startGateway({ server: { maxListFields } });
    const filesList = Array.from({ length: 4 }, (_, i) => ({ id: idOf(i), fileName: `${i}.txt` }));
    gateway.dms.reply(
      'GET',
      /view/,
      documents.map((document) => ({ ...document, filesList })),
    );
    const of = (field: string) =>
      gateway.query(`{ documents(first: 10) { nodes { ${field} files { name url } } } }`);
    expect((await of('recognizedPdfUrl')).errors).toBeUndefined();
    expect((await of('recognizedPdfUrl again: recognizedPdfUrl')).errors).toHaveLength(1);
  });
});

describe('upstream calls of one operation', () => {
  /** Each person is the deputy of the one before. */
  const startWithDeputies = async () => {
    const gateway = await startGateway({ server: { maxUpstreamCalls: 2 } });
    gateway.dms.reply('GET', /person/, ({ path }) => {
      const number = Number(path.split('-').at(-1));
      const deputy = { id: `usr-${number + 1}`, enabled: 'true' };
      return { _id_sys: `usr-${number}`, email: 'x', deputy };
    });
    return gateway;
  };
  const requestFor = (number: number) => `GET /api/v2/person/usr-${number}`;

  it('end at the limit with partial data', async () => {
    const gateway = await startWithDeputies();
    const { data, errors } = await gateway.query(
      '{ person(id: "usr-0") { email deputy { person { email deputy { person { email } } } } } }',
    );
    const deputy = { person: { email: 'x', deputy: { person: null } } };
    expect(data).toEqual({ person: { email: 'x', deputy } });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('MAX_UPSTREAM_CALLS'),
        path: ['person', 'deputy', 'person', 'deputy', 'person'],
        extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' },
      },
    ]);
    expect(gateway.dms.requests).toEqual([0, 1].map(requestFor));
  });

  it('are counted before the first one if they are certain', async () => {
    const gateway = await startWithDeputies();
    const ask = (count: number) =>
      gateway.query(`{ ${repeat(count, (i) => `p${i}: person(id: "usr-${i}") { email }`)} }`);
    expect((await ask(2)).errors).toBeUndefined();
    expect(gateway.dms.requests).toEqual([0, 1].map(requestFor));
    const { data, errors } = await ask(3);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('MAX_UPSTREAM_CALLS'),
        extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' },
      },
    ]);
    expect(gateway.dms.requests).toHaveLength(2);
  });
});

it('upstream calls that pages can need are accepted up to the limit', async () => {
  const gateway = await startGateway({ server: { maxUpstreamCalls: 7 } });
  gateway.dms.reply('GET', /view/, []);
  const ask = (first: number) =>
    gateway.query(
      'query ($n: Int!) { documents(view: ALL, first: 2) { nodes { refByDocs(first: $n) { nodes { shortId } } } } }',
      { n: first },
    );
  expect((await ask(3)).errors).toBeUndefined();
  const { errors } = await ask(4);
  expect(errors?.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
    [
      'The operation can need up to 9 DMS requests; MAX_UPSTREAM_CALLS allows 7. Request smaller pages.',
      'UPSTREAM_BUDGET_EXCEEDED',
    ],
  ]);
  expect(gateway.dms.requests).toHaveLength(1);
});

describe('measure', () => {
  it('accepts recursive and unknown fragments', () => {
    const text =
      '{ ...A } fragment A on Query { a { ...B } } fragment B on Query { b { ...A ...C } }';
    expect(sizeOf(text).depth).toBe(2);
  });

  it('measures doubling fragments quickly', () => {
    const fragments = repeat(100, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    expect(sizeOf(`{ ...F0 } ${fragments} fragment F100 on Query { x: a }`).aliases).toBe(2 ** 100);
  });
});

describe('INTROSPECTION=off', () => {
  it('hides schema names in variable errors', async () => {
    const gateway = await startGateway({ server: { introspection: false } });
    const { errors } = await gateway.query(
      'query ($f: DocumentFilter) { documents(filter: $f) { totalCount } }',
      {
        f: { stat: 1 },
      },
    );
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.message).not.toContain('Did you mean');
  });

  it('hides the schema and its names', async () => {
    const gateway = await startGateway({ server: { introspection: false } });
    const { errors } = await gateway.query('{ __schema { types { name } } }');
    expect(errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
    const wrong = await gateway.query('{ persn(id: "usr-ann") { email } }');
    expect(wrong.errors?.[0]?.message).toBe('Cannot query field "persn" on type "Query".');
    expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });
});

it('INTROSPECTION=on suggests names of the schema in errors', async () => {
  const gateway = await startGateway();
  const { errors } = await gateway.query('{ persn(id: "usr-ann") { email } }');
  expect(errors?.[0]?.message).toContain('Did you mean "person"');
});
