import { createHook } from 'node:async_hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getNullableType, type GraphQLSchema, isListType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { defineGateway } from '../../../src/index.ts';
import { features } from '../../../src/features/index.ts';
import { readForms } from '../../../src/features/forms/read-forms.ts';
import { readConfig } from '../../../src/features/settings.ts';
import { openSchemaOf } from '../../../src/gateway-config.ts';
import { schemaWith } from '../../../src/schema/index.ts';
import { customField, wireForm } from '../../helpers/forms.ts';
import { compiledAfter } from '../../helpers/execution-mode.ts';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { everyResource } from '../../helpers/resources.ts';
import type { ReplyBody } from '../../../src/testing/mock-dms.ts';
import type { Settings } from '../../../src/config/read-config.ts';
import { answersInParts, mergeParts, queryParts } from '../../helpers/result-parts.ts';

/*
 * Every list field of every schema, with a list that is too long. Nothing is made of its items: no promise, no read, no
 * object.
 */

const length = 2000;
const maxListFields = 1900;
const id = '5f0000000000000000000001';
const idOf = (i: number): string => `5${i.toString(16).padStart(23, '0')}`;
const many = <T>(one: (i: number) => T): T[] => Array.from({ length }, (_, i) => one(i));
const texts = (one: (i: number) => string): string => many(one).join(',');

const valueTypes = {
  strings: 'String',
  decimals: 'Decimal',
  dates: 'Date',
  times: 'DateTime',
  flags: 'Boolean',
  organizations: 'Organization',
  people: 'Person',
  units: 'OrgUnit',
  listValues: 'ListValue',
  documents: 'Document',
} as const;
const tags = Object.keys(valueTypes) as (keyof typeof valueTypes)[];
const lists = tags.map((tag) => customField(tag, tag));
const names = Object.fromEntries(many((i) => [`l${i}`, 'text']));
const wide = Array.from({ length: 400 }, (_, i) =>
  customField('string', `f${i}`, i === 0 ? { name: names } : {}),
);
const wireForms = [
  wireForm('order', [
    ...lists,
    customField('table', 'lines', {
      columns: [customField('text', 'article'), customField('flag', 'flag'), ...lists],
    }),
  ]),
  wireForm('wide', wide),
];
const types = {
  table: 'Table',
  flag: 'Boolean',
  ...Object.fromEntries(tags.map((tag) => [tag, `[${valueTypes[tag]}]`])),
};
const directory = mkdtempSync(join(tmpdir(), 'list-fields-'));
const file = join(directory, 'forms.json');
writeFileSync(file, JSON.stringify(wireForms));
const forms = readForms({ file, types }, null, false);
rmSync(directory, { recursive: true });

const nullable = { list: true, items: true } as const;
const { schema: extendSchema } = defineGateway({
  schema(builder, { DocumentRef, OrganizationRef }) {
    const thing = builder.objectRef<{ words: readonly string[] }>('Thing').implement({
      fields: (t) => ({ words: t.exposeStringList('words') }),
    });
    builder.objectFields(DocumentRef, (t) => ({
      numbers: t.intList({ nullable, resolve: () => many((i) => i) }),
      manyRows: t.field({
        type: t.listRef(t.listRef('Int')),
        nullable: true,
        resolve: () => many((i) => [i]),
      }),
      organizations: t.field({
        type: [OrganizationRef],
        nullable,
        resolve: () => many((i) => ({ fullId: idOf(i) })),
      }),
      things: t.field({
        type: [thing],
        nullable: true,
        resolve: async () => many(() => ({ words: [] })),
      }),
      thing: t.field({ type: thing, nullable: true, resolve: () => ({ words: many(String) }) }),
    }));
  },
});

interface Case {
  /** What is selected of the query. The path of the list is in the result. */
  readonly query: string;
  readonly path: string;
  /** Paths of the DMS and what it returns. The last is requested for the list itself. */
  readonly replies: Readonly<Record<string, unknown>>;
}

const documentPath = `/api/v2/docForm/${id}`;
const ofDocument = (path: string, fields: string, wire: object = {}): Case => ({
  query: `document(id: "${id}") { id ${fields} }`,
  path: `document.${path}`,
  replies: { [documentPath]: { _id: id, ...wire } },
});
const ofValue = (path: string, fields: string, table: readonly unknown[][]): Case =>
  ofDocument(`value.${path}`, `value(tag: "t") { ... on TableValue { ${fields} } }`, {
    valuesByTags: { t: table },
  });
const ofForm = (path: string, fields: string, wire: object): Case => ({
  query: `form(id: "${id}") { ${fields} }`,
  path: `form.${path}`,
  replies: { [`/api/v2/sysForm/${id}`]: { _id: id, ...wire } },
});
const documents = many((i) => ({ _id: idOf(i) }));
const pageOf = (path: string, list: string, fields: string): Case => ({
  query: `${path.split('.')[0]}(first: 100) { ${fields} }`,
  path,
  replies: { [list]: documents.slice(0, 100) },
});
/** Enough for a page of 100 objects. */
const manyIds = 'abcdefghijklmnopqrs'.replaceAll(/./g, (name) => `${name}: id `);
const cells = many((i) => [`cell ${i}`]);

/** Lists of the DMS, by field. */
const withoutForms: Record<string, Case> = {
  'Document.tags': ofDocument('tags', 'tags', { _tags: many(String) }),
  'Document.files': ofDocument('files', 'files { name }', {
    filesList: many((i) => ({ id: idOf(i), fileName: 'a.txt' })),
  }),
  'Document.recoData': ofDocument('recoData', 'recoData { id }', {
    recoData: many((i) => ({ _id: idOf(i) })),
  }),
  'Document.values': ofDocument('values', 'values { tag }', { valuesByTags: names }),
  'RecoData.values': ofDocument('recoData.0.values', 'recoData { values { tag } }', {
    recoData: [{ _id: id, valuesByTags: names }],
  }),
  'TableValue.columns': ofValue('columns', 'columns', [many(String)]),
  'TableValue.rows': ofValue('rows', 'rows', [['a'], ...cells]),
  'TableValue.records': ofValue('records', 'records', [['a'], ...cells]),
  'DocumentReferenceConnection.nodes': ofDocument(
    'refByDocs.nodes',
    `refByDocs(first: 100) { nodes { ${manyIds} } }`,
    { refByDocs: many(idOf) },
  ),
  'DocumentReferenceConnection.edges': ofDocument(
    'refByDocs.edges',
    `refByDocs(first: 100) { edges { node { ${manyIds} } } }`,
    { refByDocs: many(idOf) },
  ),
  ...Object.fromEntries(
    everyResource.flatMap(({ type, many, list }) =>
      list === undefined
        ? []
        : [
            [
              `${type}Connection.nodes`,
              pageOf(`${many}.nodes`, list, `nodes { ${manyIds} }`),
            ] as const,
            [
              `${type}Connection.edges`,
              pageOf(`${many}.edges`, list, `edges { node { ${manyIds} } }`),
            ] as const,
          ],
    ),
  ),
  'Organization.nameExt': {
    query: `organization(id: "${id}") { name nameExt }`,
    path: 'organization.nameExt',
    replies: { [`/api/v2/crm/org/${id}`]: { _id: id, name: 'Acme', nameExt: many(String) } },
  },
  'OrgUnit.members': {
    query: 'orgUnit(id: "unit0001") { name members { email } }',
    path: 'orgUnit.members',
    replies: {
      '/api/v2/orgUnit/unit0001': { _id_sys: 'unit0001', elmembers: many((i) => `usr-${i}`) },
    },
  },
  'Query.directories': {
    query: 'directories { id }',
    path: 'directories',
    replies: { '/api/v2/listValue': documents },
  },
  'ListValue.values': {
    query: `listValue(id: "${id}") { values { id } }`,
    path: 'listValue.values',
    replies: {
      [`/api/v2/listValue/${id}`]: { _id: id },
      [`/api/v2/listValue?_id_kf=${id}`]: documents,
    },
  },
  'ListValue.translations': {
    query: `listValue(id: "${id}") { translations { text } }`,
    path: 'listValue.translations',
    replies: { [`/api/v2/listValue/${id}`]: { _id: id, value: names } },
  },
  'Query.forms': {
    query: 'forms { id }',
    path: 'forms',
    replies: { '/api/v2/sysForm': documents },
  },
  'Form.titles': ofForm(
    'titles',
    'titles { text }',
    Object.fromEntries(many((i) => [`doctitle_${i}`, 'text'])),
  ),
  'Form.customFields': ofForm('customFields', 'customFields { type }', {
    doccf: { customFields: many(() => ({ type: 'string' })) },
  }),
  'CustomField.names': ofForm('customFields.0.names', 'customFields { names { text } }', {
    doccf: { customFields: [{ type: 'string', name: names }] },
  }),
  'CustomField.columns': ofForm('customFields.0.columns', 'customFields { columns { type } }', {
    doccf: { customFields: [{ type: 'table', columns: many(() => ({ type: 'string' })) }] },
  }),
  'DescriptionSettings.names': ofForm('description.names', 'description { names { text } }', {
    docsf: { description: { name: names } },
  }),
};

/** The stored text of a list, and what is selected of its items. */
const stored: Record<(typeof tags)[number], readonly [text: string, selection: string]> = {
  strings: [texts(String), ''],
  decimals: [texts(String), ''],
  dates: [texts(() => '2026-03-01'), ''],
  times: [texts(() => '2026-03-01T09:30:00Z'), ''],
  flags: [texts(() => 'true'), ''],
  organizations: [texts((i) => `EXT-${i}`), '{ name }'],
  people: [texts((i) => `usr-${i}`), '{ email }'],
  units: [texts((i) => `sales-${i}`), '{ name }'],
  listValues: [texts(idOf), '{ type }'],
  documents: [texts((i) => `DOC-${i}`), '{ shortId }'],
};

/** Lists of typed forms and of a team, by field. */
const withForms: Record<string, Case> = {
  'Document.labels': ofDocument('labels', 'labels { a: tag b: tag c: tag d: tag }', {
    valuesByTags: { f0: 'x' },
  }),
  'FieldLabel.labels': ofDocument('labels.0.labels', 'labels { labels { text } }', {
    valuesByTags: { f0: 'x' },
  }),
  'OrderFields.lines': ofDocument('order.lines', 'order { lines { article } }', {
    valuesByTags: { lines: [['article'], ...cells] },
  }),
  ...Object.fromEntries(
    tags.flatMap((tag) => {
      const [text, selection] = stored[tag];
      return [
        [
          `OrderFields.${tag}`,
          ofDocument(`order.${tag}`, `order { ${tag} ${selection} }`, {
            valuesByTags: { [tag]: text },
          }),
        ],
        [
          `OrderLinesRow.${tag}`,
          ofDocument(`order.lines.0.${tag}`, `order { lines { ${tag} ${selection} } }`, {
            valuesByTags: { lines: [[tag], [text]] },
          }),
        ],
      ];
    }),
  ),
  'Document.numbers': ofDocument('numbers', 'numbers'),
  'Document.manyRows': ofDocument('manyRows', 'manyRows'),
  'Document.organizations': ofDocument('organizations', 'organizations { id }'),
  'Document.things': ofDocument('things', 'things { __typename }'),
  'Thing.words': ofDocument('thing.words', 'thing { words }'),
};

/** Lists of what a client has sent. Their arguments have a maximum. */
const bounded = [
  'MoveDocumentsPayload.results',
  'RespondToDocumentsPayload.results',
  'ValidationError.issues',
  'ValidationIssue.path',
];

/** Lists whose items the arguments determine, by field: the operation and the list in its variables. */
const byArguments: Record<string, readonly [operation: string, list: readonly unknown[]]> = {
  'Query.nodes': [
    `query ($list: [ID!]!) { nodes(ids: $list) { ${manyIds} } }`,
    documents.slice(0, 100).map(({ _id }) => Buffer.from(`Document:${_id}`).toString('base64')),
  ],
};

function listFieldsOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isListType(getNullableType(field.type)))
        .map((field) => `${type.name}.${field.name}`),
    );
}

const schema = schemaWith(forms, extendSchema!);

it('are all of the schema', () => {
  const tested = [...bounded, ...[withoutForms, withForms, byArguments].flatMap(Object.keys)];
  expect(tested.toSorted()).toEqual(listFieldsOf(schema).toSorted());
});

/** Runs an operation and counts the promises that are made meanwhile, and the longest list that is mapped or split. */
async function counting<T>(run: () => Promise<T>) {
  let promises = 0;
  let longest = 0;
  const hook = createHook({ init: (_, type) => void (promises += type === 'PROMISE' ? 1 : 0) });
  const { map } = Array.prototype;
  const { split } = String.prototype;
  const counted = <List extends { readonly length: number }>(list: List): List => {
    longest = Math.max(longest, list.length);
    return list;
  };
  /* oxlint-disable no-extend-native -- restored below */
  Array.prototype.map = function (this: unknown[], ...args: never[]) {
    return Reflect.apply(map, counted(this), args) as never;
  };
  String.prototype.split = function (this: string, ...args: never[]) {
    return counted(Reflect.apply(split, this, args) as string[]);
  };
  hook.enable();
  try {
    const result = await run();
    return { result, promises, longest };
  } finally {
    hook.disable();
    Array.prototype.map = map;
    String.prototype.split = split;
  }
  /* oxlint-enable no-extend-native */
}

const executors: Record<string, (gateway: TestGateway, query: string) => Promise<object>> = {
  'graphql-js': (gateway, query) => gateway.query(`{ ${query} }`),
  'compiled execution': (gateway, query) => gateway.query(`{ ${query} }`),
  ...(answersInParts && {
    '@defer': async (gateway, query) => {
      const deferred = `{ __typename ... @defer { ${query} } }`;
      return mergeParts(await queryParts(gateway, deferred));
    },
  }),
};

/** Built once: it takes longer than each of these tests. */
const withoutFeature = features.filter(({ name }) => name !== 'forms');
const declaring = { name: 'forms', schema: () => ({ provides: { forms } }) };
const { build } = await openSchemaOf({ schema: extendSchema! }, readConfig({}), {}, [
  ...withoutFeature,
  declaring,
]);
const typed = { forms, schema: await build() };

const start = (executor: string, isTyped: boolean) =>
  startGateway({
    server: { maxListFields, ...compiledAfter(executor === 'compiled execution' ? 1 : 0) },
    parts: isTyped ? typed : {},
  });

const tooMany = 'MAX_LIST_FIELDS allows 1900';

describe.each(['graphql-js', 'compiled execution'])('with %s', (executor) => {
  const isTyped = new Set(Object.values(withForms));
  it.each(Object.entries({ ...withoutForms, ...withForms }))(
    'the items of %s are counted before anything is made of them',
    async (_field, one) => {
      const gateway = await start(executor, isTyped.has(one));
      for (const [path, reply] of Object.entries(one.replies)) {
        gateway.dms.reply('GET', path, reply as ReplyBody);
      }
      await gateway.load();
      const { result, promises, longest } = await counting(() =>
        executors[executor]!(gateway, one.query),
      );
      expect(result).toMatchObject({
        errors: [
          { message: expect.stringContaining(tooMany), path: one.path.split('.').map(keyOf) },
        ],
      });
      expect(gateway.dms.requests).toHaveLength(Object.keys(one.replies).length);
      expect(longest).toBeLessThan(length / 2);
      expect(promises).toBeLessThan(length / 2);
    },
  );
});

const keyOf = (key: string): string | number => (/^\d+$/.test(key) ? Number(key) : key);

it.each(Object.entries(byArguments))(
  'the items of %s are counted before anything is read',
  async (field, [operation, list]) => {
    const { query, dms } = await startGateway({ server: { maxListFields } });
    const { errors } = await query(operation, { list });
    const path = [field.split('.')[1]];
    expect(errors).toMatchObject([{ message: expect.stringContaining(tooMany), path }]);
    expect(dms.requests).toEqual([]);
  },
);

/** Runs an operation on a document of the form, with default limits. */
async function readOrder(
  valuesByTags: object,
  fields: string,
  { server = {}, executor = 'graphql-js' }: { server?: Partial<Settings>; executor?: string } = {},
) {
  const gateway = await startGateway({
    server: { ...compiledAfter(executor === 'compiled execution' ? 1 : 0), ...server },
    parts: typed,
  });
  gateway.dms
    .reply('GET', documentPath, { _id: id, _tags: ['a'], valuesByTags })
    .reply('GET', /docForm\/DOC/, ({ path }) => ({
      _id: idOf(Number(/\d+/.exec(path.split('-')[1]!))),
      _id_web: 'found',
    }));
  await gateway.load();
  const query = `document(id: "${id}") { tags ${fields} }`;
  const { result, promises } = await counting(() => executors[executor]!(gateway, query));
  return { ...(result as { data: Data; errors?: ClientErrors }), promises, dms: gateway.dms };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of its result
type Data = any;
type ClientErrors = { message: string; path?: unknown; extensions: { code: string } }[];

describe.each(Object.keys(executors))('with %s', (executor) => {
  it.each([
    ['documents { shortId }', (i: number) => `DOC-${i}`],
    ['documents { id }', (i: number) => `DOC-${i}`],
    ['documents { id }', idOf],
    ['documents { shortId }', () => 'DOC-1'],
    ['documents { id }', () => ' '],
  ])('a text of 99,000 IDs is an error of its list alone: %s', async (fields, one) => {
    const text = Array.from({ length: 99_000 }, (_, i) => one(i)).join(',');
    const read = await readOrder({ documents: text, strings: 'a' }, `order { ${fields} strings }`, {
      executor,
    });
    expect(read.data.document).toEqual({ tags: ['a'], order: { documents: null, strings: ['a'] } });
    expect(read.errors).toMatchObject([
      { path: ['document', 'order', 'documents'], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(read.dms.requests).toHaveLength(1);
    expect(read.promises).toBeLessThan(1000);
  });

  it('a list that fails costs nothing', async () => {
    const values = { strings: texts(String), decimals: '1,2' };
    const server = { maxListFields: 10 };
    const fields = 'order { strings decimals again: decimals }';
    const { data, errors } = await readOrder(values, fields, { executor, server });
    const decimals = ['1', '2'];
    expect(data.document.order).toEqual({ strings: null, decimals, again: decimals });
    expect(errors).toHaveLength(1);
  });

  it('lists below one that is null are one error', async () => {
    const gateway = await start(executor, false);
    gateway.dms.reply('GET', documentPath, {
      _id: id,
      recoData: many((i) => ({ _id: idOf(i), valuesByTags: names })).slice(0, 500),
    });
    const query = `document(id: "${id}") { recoData { values { tag } } }`;
    const one = await executors[executor]!(gateway, query);
    expect(one).toMatchObject({ data: { document: null }, errors: [{}] });
    expect((one as { errors: object[] }).errors).toHaveLength(1);
  });

  it('more objects than MAX_UPSTREAM_CALLS are not read', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `DOC-${i}`).join(',');
    const server = { maxUpstreamCalls: 5 };
    const options = { executor, server };
    const allowed = await readOrder(
      { documents: ids(4) },
      'order { documents { shortId } }',
      options,
    );
    expect(allowed.errors ?? []).toEqual([]);
    expect(allowed.dms.requests).toHaveLength(5);
    const refused = await readOrder(
      { documents: ids(5), lines: [['documents'], [ids(2)]] },
      'order { documents { shortId } lines { documents { shortId } } }',
      options,
    );
    const found = { shortId: 'found' };
    expect(refused.data.document).toEqual({
      tags: ['a'],
      order: { documents: null, lines: [{ documents: [found, found] }] },
    });
    expect(refused.errors).toMatchObject([
      {
        path: ['document', 'order', 'documents'],
        extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' },
      },
    ]);
    expect(refused.dms.requests).toHaveLength(3);
  });

  it('objects that fields of items refer to are limited', async () => {
    const valuesByTags = Object.fromEntries(many((i) => [`t${i}`, `DOC-${i}`]));
    const {
      data,
      errors = [],
      dms,
    } = await readOrder(valuesByTags, 'values { ... on TextValue { document { shortId } } }', {
      executor,
      server: { maxUpstreamCalls: 5, maxListFields: 3 * length + 100 },
    });
    // Two more reads count as the 100 fields that are left. Others are not tried.
    expect(dms.requests).toHaveLength(5);
    expect(data.document.values.filter((value: Data) => value.document !== null)).toHaveLength(4);
    expect(errors).toHaveLength(101);
    const codes = new Set(errors.map(({ extensions: { code } }) => code));
    expect([...codes]).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
  });

  it.each([
    ['order { decimals }', 'decimals', { decimals: texts(() => 'x') }],
    ['order { lines { flag } }', 'lines', { lines: [['flag'], ...many(() => ['x'])] }],
  ])('100 errors of items are shown: %s', async (fields, name, values) => {
    const { data, errors = [] } = await readOrder(values, fields, { executor });
    expect(data.document.order[name]).toHaveLength(length);
    expect(errors).toHaveLength(101);
    expect(errors[0]).toMatchObject({
      path: expect.arrayContaining(['document', 'order', name, 0]),
      extensions: { code: 'UNREADABLE_VALUE' },
    });
    expect(errors.at(-1)!.message).toBe(`${length - 100} more errors are not shown.`);
  });
});

it('parts of a streamed list are counted before its items are read', async () => {
  const query = `{ document(id: "${id}") { order { documents @stream { id } } } }`;
  const gateway = await startGateway({ parts: typed });
  gateway.dms.reply('GET', documentPath, { _id: id, valuesByTags: { documents: texts(idOf) } });
  await gateway.load();
  const { result, promises } = await counting(() => queryParts(gateway, query));
  expect(mergeParts(result).errors).toMatchObject([
    { message: expect.stringContaining('1000'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
  expect(promises).toBeLessThan(length / 2);
});
