import {
  getNamedType,
  isInputObjectType,
  isListType,
  isObjectType,
  getNullableType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { bounds } from '../../../src/schema/input/list-bounds.ts';
import { schema } from '../../../src/schema/index.ts';
import { createResolvers } from '../../helpers/resolvers.ts';
import { idOf } from '../../helpers/ids.ts';

const list = <T>(length: number, one: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => one(i));
const issues = '... on ValidationError { issues { path message } }';
const create = `mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { ${issues} } }`;
const unit = `mutation ($input: UpsertOrgUnitInput!) { upsertOrgUnit(input: $input) { ${issues} } }`;
const organization = `mutation ($input: UpsertOrganizationInput!) { upsertOrganization(input: $input) { ${issues} } }`;
const listValue = `mutation ($input: UpsertListValueInput!) { upsertListValue(input: $input) { ${issues} } }`;
const withTable = (table: object) => ({ form: 'memo', values: [{ tag: 't', table }] });

describe('a list of an input', () => {
  const cases: readonly [string, string, number, (length: number) => object, string[], string?][] =
    [
      [
        'values',
        create,
        bounds.inputValues,
        (n) => ({ form: 'memo', values: list(n, (i) => ({ tag: `t${i}`, text: '' })) }),
        ['values'],
      ],
      [
        'tags',
        create,
        bounds.inputTags,
        (n) => ({ form: 'memo', tags: list(n, String) }),
        ['tags'],
      ],
      [
        'ocrLanguages',
        create,
        bounds.ocrLanguages,
        (n) => ({ form: 'memo', ocrLanguages: list(n, () => 'eng') }),
        ['ocrLanguages'],
      ],
      [
        'columns',
        create,
        bounds.columns,
        (n) => withTable({ columns: list(n, String), rows: [] }),
        ['values', '0', 'table', 'columns'],
      ],
      [
        'members',
        unit,
        bounds.members,
        (n) => ({ name: 'x', members: list(n, (i) => `usr-${i}`) }),
        ['members'],
      ],
      [
        'nameExt',
        organization,
        bounds.additionalNames,
        (n) => ({ nameExt: list(n, () => ({})) }),
        ['nameExt'],
      ],
      [
        'translations',
        listValue,
        bounds.translations,
        (n) => ({ value: list(n, (i) => ({ language: `en-${i}`, text: '' })) }),
        ['value'],
      ],
    ];
  it.each(cases)('accepts at most the maximum of %s', async (_name, text, most, input, path) => {
    const { run, dms } = createResolvers();
    await run(text, { input: input(most) });
    expect(dms.requests).toHaveLength(1);
    const { data } = await run(text, { input: input(most + 1) });
    expect(Object.values(data!)).toEqual([
      {
        issues: [{ path, message: `The list can have at most ${most} entries, not ${most + 1}.` }],
      },
    ]);
    expect(dms.requests).toHaveLength(1);
  });

  it('counts the cells of all its tables together', async () => {
    const { run, dms } = createResolvers();
    const table = (rows: number) => ({
      columns: list(10, String),
      rows: list(rows, () => list(10, () => '')),
    });
    const input = (more: number) => ({
      form: 'memo',
      values: [
        { tag: 'a', table: table(5000) },
        { tag: 'b', table: table(5000 + more) },
        { tag: 'c', text: '' },
      ],
    });
    await run(create, { input: input(0) });
    expect(dms.requests).toHaveLength(1);
    const { data } = await run(create, { input: input(1) });
    const message = `All tables of one input together can have at most ${bounds.cells} cells.`;
    expect(data).toEqual({
      createDocument: { issues: [{ path: ['values', '1', 'table'], message }] },
    });
    expect(dms.requests).toHaveLength(1);
  });

  it('limits the size of JSON entries', async () => {
    const { run, dms } = createResolvers();
    const long = 'x'.repeat(bounds.additionalNameLength);
    const nameExt = [long, [long]];
    const { data } = await run(organization, { input: { nameExt } });
    expect(data).toMatchObject({
      upsertOrganization: { issues: [{ path: ['nameExt', '0'] }, { path: ['nameExt', '1'] }] },
    });
    expect(dms.requests).toEqual([]);
  });
});

describe('numbers in additional names', () => {
  const mutation = (nameExt: string) =>
    `mutation { upsertOrganization(input: { nameExt: ${nameExt} }) { ... on ValidationError { issues { path message } } } }`;
  const issue = (index: number) => ({
    path: ['nameExt', `${index}`],
    message: 'Numbers beyond 2^53 would lose digits.',
  });

  it('are rejected if they lose digits, by variable and by literal', async () => {
    const { run, dms } = createResolvers();
    const json = '[1, 1e400, { "a": [9007199254740993] }, -1e400, "9007199254740993", 0.1]';
    const issues = [issue(1), issue(2), issue(3)];
    const byVariable = await run(organization, {
      input: { nameExt: JSON.parse(json) as unknown },
    });
    const byLiteral = await run(mutation(json.replace('"a"', 'a')));
    for (const { data } of [byVariable, byLiteral]) {
      expect(data).toMatchObject({ upsertOrganization: { issues } });
    }
    expect(dms.requests).toEqual([]);
  });

  describe('that the DMS stores beyond 2^53', () => {
    const stored = '["Acme", 9007199254740993, { "n": 1e400 }, "9007199254740995"]';
    const read = ['Acme', '9007199254740993', { n: '1e400' }, '9007199254740995'];
    const withStored = () => {
      const resolvers = createResolvers();
      const bodies: unknown[] = [];
      const id = '5f0000000000000000000001';
      resolvers.dms
        .reply('GET', `/api/v2/crm/org/${id}`, `{"_id":"${id}","nameExt":${stored}}`)
        .reply('GET', '/api/v2/crm/org/EXT-1', null, { status: 404 })
        .reply('POST', '/api/v2/crm/org', ({ body }) => {
          bodies.push(JSON.parse(body));
          return { _id: id };
        });
      const write = async (input: object) => (await resolvers.run(organization, { input })).data;
      return { ...resolvers, id, bodies, write };
    };

    it('stay numbers if they are written back unchanged', async () => {
      const { run, id, bodies, write, dms } = withStored();
      const { data } = await run(`{ organization(id: "${id}") { nameExt } }`);
      expect(data).toEqual({ organization: { nameExt: read } });
      await write({ id, name: 'Acme', nameExt: read });
      expect(bodies).toEqual([{ _id: id, name: 'Acme' }]);
      expect(dms.requests).toHaveLength(3);
    });

    it('are rejected with the path if other names change', async () => {
      const { id, bodies, write } = withStored();
      for (const [nameExt, index] of [
        [['Other', ...read.slice(1)], '1'],
        [['Acme', { n: ['1e400'] }], '1'],
      ] as const) {
        expect(await write({ id, nameExt })).toMatchObject({
          upsertOrganization: { issues: [{ path: ['nameExt', index] }] },
        });
      }
      expect(bodies).toEqual([]);
    });

    it('do not restrict new texts', async () => {
      const { id, bodies, write } = withStored();
      const nameExt = ['Acme', '12345678901234567890'];
      await write({ id, nameExt });
      await write({ externalId: 'EXT-1', nameExt });
      await write({ nameExt });
      expect(bodies).toEqual([{ _id: id, nameExt }, { _id_ext: 'EXT-1', nameExt }, { nameExt }]);
    });
  });

  it('are sent exactly otherwise', async () => {
    const { run, dms } = createResolvers();
    let body = '';
    dms.reply('POST', '/api/v2/crm/org', ({ body: sent }) => {
      body = sent!;
      return { _id: '5f0000000000000000000001' };
    });
    await run(mutation('[9007199254740991, -0.1, 1.5e-7, "9007199254740993", { n: 1e3 }]'));
    expect(body).toBe('{"nameExt":[9007199254740991,-0.1,1.5e-7,"9007199254740993",{"n":1000}]}');
  });
});

describe('a list argument', () => {
  const cases: readonly [string, string, number, (length: number) => unknown][] = [
    [
      'values(tags:)',
      'query ($list: [String!]) { document(id: "D-1") { values(tags: $list) { tag } } }',
      bounds.valueTags,
      (n) => list(n, String),
    ],

    [
      'extra(names:)',
      'query ($list: [String!]!) { document(id: "D-1") { extra(names: $list) } }',
      bounds.extraNames,
      (n) => list(n, (i) => `f${i}`),
    ],
    [
      'nodes(ids:)',
      'query ($list: [ID!]!) { nodes(ids: $list) { id } }',
      bounds.ids,
      (n) => list(n, () => Buffer.from('Document:D-1').toString('base64')),
    ],
    ...(['forms', 'authors', 'tags'] as const).map(
      (name): [string, string, number, (length: number) => unknown] => [
        `filter.${name}`,
        `query ($list: [${name === 'tags' ? 'String' : 'ID'}!]) { documents(filter: { ${name}: $list }) { totalCount } }`,
        bounds.filterEntries,
        (n) => list(n, (i) => (name === 'forms' ? idOf(i) : `usr-${i}`)),
      ],
    ),
  ];
  it.each(cases)('accepts at most the maximum of %s', async (_name, text, most, entries) => {
    const { run, dms } = createResolvers();
    await run(text, { list: entries(most) });
    expect(dms.requests).toHaveLength(1);
    const { codes, errors } = await run(text, { list: entries(most + 1) });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(errors?.[0]?.message).toContain(`at most ${most} entries, not ${most + 1}.`);
    expect(dms.requests).toHaveLength(1);
  });
});

it('documents the limit of every list', () => {
  const unbounded: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type)
        ? Object.values(type.getFields()).flatMap(({ args }) => args)
        : [];
    for (const { name, type: of, description } of inputs) {
      if (!isListType(getNullableType(of))) continue;
      if (/at most (\d|`MAX_)|1 to \d/.test(description ?? '')) continue;
      unbounded.push(`${type.name}.${name}: ${getNamedType(of).name}`);
    }
  }
  expect(unbounded).toEqual([]);
});
