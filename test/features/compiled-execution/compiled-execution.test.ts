import { getOperationAST, parse, visit, type ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, it } from 'vitest';
import { schema, schemaWith } from '../../../src/schema/index.ts';
import { planOf } from '../../../src/schema/plan/planner.ts';
import { createOperationCompiler } from '../../../src/features/compiled-execution/operation-compiler.ts';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { answersInParts, mergeParts, queryParts } from '../../helpers/result-parts.ts';

const id = '5f0000000000000000000001';

/** Does the same with graphql-js and compiled. The results are equal. */
async function inBothWays<T>(
  act: (gateway: Awaited<ReturnType<typeof startGateway>>) => Promise<T>,
  { server, ...options }: TestGatewayOptions = {},
): Promise<T> {
  const [interpreted, compiled] = await Promise.all(
    [0, 1].map(async (compileAfter) =>
      act(await startGateway({ ...options, server: { compileAfter, ...server } })),
    ),
  );
  expect(compiled).toEqual(interpreted);
  return compiled!;
}

it('writes variables within JSON literals, also in a mutation that was compiled', async () => {
  const { query, dms } = await startGateway({ server: { compileAfter: 1 } });
  dms.reply('POST', '/api/v2/crm/org', { _id: id });
  const text = (nameExt: string) =>
    `mutation ($x: JSON!) { upsertOrganization(input: { externalId: "e", nameExt: ${nameExt} }) { __typename } }`;
  for (const nameExt of ['[{ a: { b: [$x] } }]', '{ a: $x }', '[[$x]]', '[$x]']) {
    const { errors } = await query(text(nameExt), { x: 'value' });
    expect(errors).toBeUndefined();
  }
  const bodies = dms.received.map(({ body }) => (JSON.parse(body) as { nameExt: unknown }).nameExt);
  expect(bodies).toEqual([[{ a: { b: ['value'] } }], [{ a: 'value' }], [['value']], ['value']]);
});

it('executes a mutation like graphql-js, beside a query and in a fragment', async () => {
  const mutation = 'upsertOrganization(input: { externalId: "e" }) { __typename }';
  const texts = [
    `query Other { viewer { runAs } } mutation One { ...Fields } fragment Fields on Mutation { ${mutation} }`,
    `mutation One { ... on Mutation { once: ${mutation} } }`,
    'mutation One { __typename }',
  ];
  for (const status of [200, 503, 500]) {
    const compiled = await inBothWays(async ({ post, dms }) => {
      dms.reply('POST', '/api/v2/crm/org', { _id: id }, { status });
      const results = [];
      for (const query of texts) {
        const response = await post({ query, operationName: 'One' }, { 'x-request-id': 'same' });
        results.push(await response.json());
      }
      return { results, requests: dms.requests };
    });
    expect(compiled.results[2]).toEqual({ data: { __typename: 'Mutation' } });
  }
});

it.each([
  ['no lists', {}],
  ['null', { _tags: null, valuesByTags: null }],
  ['other types', { _tags: 'a', valuesByTags: { t: [['a'], 'b'] } }],
  ['empty lists', { _tags: [], valuesByTags: { t: [], u: [[]] } }],
  [
    'ragged rows, null and objects',
    { _tags: ['a', null, '', 7], valuesByTags: { t: [['a', 'b'], [null], [{ c: 1 }, 2, 3], []] } },
  ],
  ['long rows', { valuesByTags: { t: [['a'], ...Array.from({ length: 500 }, () => ['x'])] } }],
])('returns lists of strings like graphql-js if the DMS sends %s', async (name, properties) => {
  const text = `{ document(id: "${id}") { tags again: tags values {
    __typename ... on TableValue { columns rows again: rows records } } } }`;
  for (const maxListFields of [100_000, 400]) {
    const { messages } = await inBothWays(
      async ({ query, dms }) => {
        dms.reply('GET', `/api/v2/docForm/${id}`, { _id: id, ...properties });
        const { data, errors } = await query(text);
        // A compiled operation reports every field that failed, not only the first below a field that is null.
        return { data, messages: [...new Set(errors?.map(({ message }) => message))] };
      },
      { server: { maxListFields } },
    );
    const isOverLimit = name === 'long rows' && maxListFields === 400;
    expect(messages).toHaveLength(isOverLimit ? 1 : 0);
  }
});

it.each([
  ['a required variable with a default', 'query ($first: Int! = 2)', [{}, { first: 3 }]],
  ['a variable with a default', 'query ($first: Int = 2)', [{}, { first: 3 }, { first: null }]],
  ['a variable without a default', 'query ($first: Int)', [{}, { first: 3 }, { first: null }]],
])('sends the same requests as graphql-js for %s', async (_name, operation, given) => {
  const text = `${operation} { documents(view: INBOX, first: $first) { nodes { shortId } } }`;
  const { results, requests } = await inBothWays(async ({ query, dms }) => {
    dms.reply('GET', /./, []);
    const results = [];
    for (const variables of given) results.push((await query(text, variables)).data);
    return { results, requests: dms.requests };
  });
  expect(results).toEqual(given.map(() => ({ documents: { nodes: [] } })));
  expect(requests).toHaveLength(given.length);
});

it.each<[string, (args: ExecutionArgs, id: string) => unknown]>([
  ['replaces', (args, id) => (args.variableValues = { id })],
  ['changes', (args, id) => Object.assign(args.variableValues!, { id })],
])('executes a compiled operation with variables that a plugin %s', async (_name, change) => {
  const other = '5f0000000000000000000002';
  const useOtherDocument: Plugin = {
    onExecute({ args }) {
      change(args, other);
    },
  };
  const { query, dms } = await startGateway({
    server: { compileAfter: 1 },
    parts: { plugins: [useOtherDocument] },
  });
  dms.reply('GET', `/api/v2/docForm/${other}`, { _id: other });
  const { data } = await query('query ($id: ID!) { document(id: $id) { fullId tags } }', { id });
  expect(data).toEqual({ document: { fullId: other, tags: [] } });
});

it.each(['constructor', 'valueOf', 'hasOwnProperty'])(
  'executes an operation without its variable $%s like graphql-js',
  async (name) => {
    const text = `query ($${name}: Int) { documents(first: $${name}) { nodes { shortId } } }`;
    const { data } = await inBothWays(async ({ query, dms }) => {
      dms.reply('GET', /./, []);
      const { data } = await query(text);
      return { data, requests: dms.requests };
    });
    expect(data).toEqual({ documents: { nodes: [] } });
  },
);

it.each([
  'query ($__proto__: Int) { documents(first: $__proto__) { totalCount } }',
  '{ __proto__: viewer { runAs } }',
  'mutation { upsertOrganization(input: { nameExt: [{ __proto__: { a: 1 } }] }) { __typename } }',
])('rejects the name __proto__: %s', async (text) => {
  const { query, dms } = await startGateway();
  const { errors } = await query(text);
  expect(errors).toMatchObject([
    {
      message: 'The name "__proto__" is not allowed.',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
    ...Array.from({ length: (errors?.length ?? 1) - 1 }, () => ({})),
  ]);
  expect(dms.requests).toEqual([]);
});

it.each(['compiled', ...(answersInParts ? ['with @defer'] : [])])(
  'does not execute fields that a plugin has removed from an operation: %s',
  async (how) => {
    const useOneField: Plugin = {
      onExecute({ args }) {
        args.document = visit(args.document, {
          Field: ({ name }) => (name.value === 'author' ? null : undefined),
        });
      },
    };
    const { fetch, dms } = await startGateway({
      server: { compileAfter: 1 },
      parts: { plugins: [useOneField] },
    });
    dms.reply('GET', /./, { _id: id, _tags: ['a'], author: 'usr-ann' });
    const fields = 'author { ... on Person { firstName } } tags';
    const below = how === 'compiled' ? fields : `fullId ... @defer { ${fields} }`;
    const { data } = mergeParts(
      await queryParts({ fetch }, `{ document(id: "${id}") { ${below} } }`),
    );
    expect(data.document).toMatchObject({ tags: ['a'] });
    expect(data.document).not.toHaveProperty('author');
    expect(dms.requests.join()).not.toMatch(/person/);
  },
);

it.each([
  `{ author_d: document(id: "${id}") { tags } d: document(id: "${id}") { author { id } } }`,
  `{ refByDocs_idx0_nodes_d: document(id: "${id}") { tags }
    d: documents(view: INBOX) { nodes { refByDocs { totalCount } } } }`,
])('executes an operation of which the compiler confuses two paths: %s', async (text) => {
  const { errors } = await inBothWays(async ({ query, dms }) => {
    const document = { _id: id, _tags: ['a'], author: 'usr-ann', refByDocs: [id] };
    dms.reply('GET', /view/, [document]).reply('GET', /docForm\/5f/, document);
    const { data, errors } = await query(text);
    return { data, errors, requests: dms.requests };
  });
  expect(errors).toBeUndefined();
});

it('compiles only operations without fields of a team', () => {
  const extended = schemaWith(null, (builder, { DocumentRef }) => {
    builder.objectField(DocumentRef, 'added', (t) => t.int({ resolve: () => 1 }));
  });
  const find = createOperationCompiler(1);
  const isCompiled = (field: string): boolean => {
    const document = parse(`{ document(id: "D-1") { ${field} } }`);
    return find(planOf(extended, document, getOperationAST(document)!)) !== null;
  };
  expect(isCompiled('state')).toBe(true);
  expect(isCompiled('added')).toBe(false);
});

/** The plan of a query with a number of fields. */
function planWith(fields: number) {
  const document = parse(`{ document(id: "D-1") { ${'state '.repeat(fields - 1)} } }`);
  return planOf(schema, document, getOperationAST(document)!);
}

describe('compiled operations', () => {
  it('have a limited number of fields, and the least recently used ones are dropped', async () => {
    const find = createOperationCompiler(2, 100);
    const plans = Array.from({ length: 8 }, () => planWith(30));
    for (const plan of plans) {
      expect(find(plan)).toBeNull();
      expect(find(plan)).not.toBeNull();
    }
    const kept = plans.map((plan) => find(plan) !== null);
    expect(kept).toEqual([false, false, false, false, false, true, true, true]);
  });

  it('are not those whose compilation would block the event loop', async () => {
    const find = createOperationCompiler(1);
    expect(find(planWith(400))).not.toBeNull();
    expect(find(planWith(401))).toBeNull();
  });
});
