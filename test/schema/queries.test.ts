import { describe, expect, it } from 'vitest';
import { createResolvers } from '../helpers/resolvers.ts';
import { globalId } from '../helpers/ids.ts';
import { everyResource } from '../helpers/resources.ts';

const A = '5f0000000000000000000001';
const B = '5f0000000000000000000002';
const C = '5f0000000000000000000003';

describe.each(everyResource)('$one', ({ one: field, type, id: own, path, wire }) => {
  const paths = (requests: readonly string[]) => requests.map((line) => line.split('?')[0]);
  const query = `query ($id: ID!) { ${field}(id: $id) { id } }`;

  it('is found by DMS ID and global ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', path, wire);
    for (const id of [own, globalId(type, own)]) {
      expect((await run(query, { id })).data).toEqual({ [field]: { id: globalId(type, own) } });
    }
    expect(paths(dms.requests)).toEqual([`GET ${path}`, `GET ${path}`]);
  });

  it('is found by node with a single request', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', path, wire);
    const { data } = await run(
      `query ($id: ID!, $own: ID!) {
        node(id: $id) { __typename id } again: ${field}(id: $own) { id } nodes(ids: [$id, $id]) { id }
      }`,
      { id: globalId(type, own), own },
    );
    const id = globalId(type, own);
    expect(data).toEqual({
      node: { __typename: type, id },
      again: { id },
      nodes: [{ id }, { id }],
    });
    expect(paths(dms.requests)).toEqual([`GET ${path}`]);
  });

  it('is null without an error if missing', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /./, {}, { status: 404 });
    const { data, errors } = await run(query, { id: own });
    expect(data).toEqual({ [field]: null });
    expect(errors).toBeUndefined();
  });

  it('is null with an error code if it fails', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', path, 'secret inside', { status: 500 });
    const { data, codes } = await run(
      `query ($id: ID!) { ${field}(id: $id) { id } viewer { runAs } }`,
      { id: own },
    );
    expect(data).toEqual({ [field]: null, viewer: { runAs: null } });
    expect(codes).toEqual(['UPSTREAM_ERROR']);
  });

  it.each([
    '',
    ' ',
    '../x',
    'a/b',
    'a%2fb',
    'usr-a/b',
    'usr-\ud800',
    '..',
    `usr-${'x'.repeat(300)}`,
  ])('rejects %j without a request', async (id) => {
    const { dms, run } = createResolvers();
    const { codes } = await run(query, { id });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  });

  it('rejects a global ID of another type', async () => {
    const { dms, run } = createResolvers();
    const other = type === 'Person' ? globalId('OrgUnit', 'unit00ff') : globalId('Person', 'usr-x');
    const { errors, codes } = await run(query, { id: other });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(errors![0]!.message).toMatch(
      /must be an ID of type \w+, but it is a global ID of type \w+\.$/,
    );
    expect(dms.requests).toEqual([]);
  });
});

/** IDs of other systems: any text in any script. */
const freeText = ['Müller & Söhne + Co.', 'ООО «Ромашка» № 5', 'a,b;c?d#e=f', '100 %', '株式会社'];

describe.each([
  ['organization', 'Organization', '/api/v2/crm/org/'],
  ['orgUnit', 'OrgUnit', '/api/v2/orgUnit/'],
  ['document', 'Document', '/api/v2/docForm/'],
] as const)('%s', (field, type, base) => {
  it.each(freeText)('is found by the ID %j and its global ID', async (own) => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /./, { _id: A, _id_sys: own });
    const { data, errors } = await run(
      `query ($own: ID!, $id: ID!) { ${field}(id: $own) { id } node(id: $id) { id } }`,
      { own, id: globalId(type, own) },
    );
    expect(errors).toBeUndefined();
    const id = globalId(type, field === 'orgUnit' ? own : A);
    expect(data).toEqual({ [field]: { id }, node: { id } });
    expect(dms.received.map(({ path }) => path.split('?')[0])).toEqual([
      base + encodeURIComponent(own),
    ]);
  });
});

describe('node', () => {
  it.each([
    '',
    'x',
    A,
    globalId('Nothing', A),
    globalId('Document', 'a/b'),
    globalId('Person', 'ann'),
  ])('rejects %j as a global ID', async (id) => {
    const { dms, run } = createResolvers();
    const { codes } = await run('query ($id: ID!) { node(id: $id) { id } }', { id });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  });

  it('returns null items for missing or failed objects', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A });
    dms.reply('GET', `/api/v2/docForm/${B}`, {}, { status: 404 });
    dms.reply('GET', '/api/v2/person/usr-ann', {}, { status: 403 });
    const { data, codes } = await run('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [globalId('Document', A), globalId('Document', B), globalId('Person', 'usr-ann')],
    });
    expect(data).toEqual({ nodes: [{ id: globalId('Document', A) }, null, null] });
    expect(codes).toEqual(['FORBIDDEN']);
  });
});

describe('forms', () => {
  const forms = [
    {
      _id: A,
      _id_web: 'invoice',
      doctitle: 'Invoice',
      doctitle_de: 'Rechnung',
      doccf: { customFields: [{ type: 'crmOrg', required: true, name: { en: 'Supplier' } }] },
      docsf: { docNum: { enabled: true, autoReg: false, autoRegState: 3 } },
    },
    { _id: B, _id_web: 'contract', doctitle: 'Contract' },
  ];

  it('are read in one call if several are selected', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/sysForm', forms);
    const { data } = await run(`{
      a: form(id: "${A}") { shortId } b: form(id: "contract") { fullId } c: form(id: "nowhere") { id }
    }`);
    expect(data).toEqual({ a: { shortId: 'invoice' }, b: { fullId: B }, c: null });
    expect(dms.requests).toEqual(['GET /api/v2/sysForm']);
  });

  it('include inactive forms by full ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/sysForm', forms);
    dms.reply('GET', `/api/v2/sysForm/${C}`, { _id: C, doctitle: 'Old' });
    const { data } = await run(
      `{ forms { id } old: form(id: "${C}") { title } a: form(id: "${A}") { title } }`,
    );
    expect(data).toMatchObject({ old: { title: 'Old' }, a: { title: 'Invoice' } });
    expect(dms.requests).toEqual(['GET /api/v2/sysForm', `GET /api/v2/sysForm/${C}`]);
  });

  it('have a title in the requested or first language', async () => {
    const { dms, run } = createResolvers({ languages: ['fr', 'de'] });
    dms.reply('GET', '/api/v2/sysForm', forms);
    const { data } = await run(
      '{ forms { title first: title(language: "") titles { language text } customFields { name(language: "en") } documentNumber { autoRegistrationState } } }',
    );
    expect(data).toMatchObject({
      forms: [
        {
          title: 'Rechnung',
          first: 'Invoice',
          titles: [
            { language: '', text: 'Invoice' },
            { language: 'de', text: 'Rechnung' },
          ],
          customFields: [{ name: 'Supplier' }],
          documentNumber: { autoRegistrationState: 3 },
        },
        { title: 'Contract' },
      ],
    });
  });
});

describe('list values', () => {
  const value = { en: 'Colour', 'pt-BR': 'Cor', UA: 'Колір', 'zh-Hant': '顏色' };
  it.each([
    [['pt-BR'], '', 'Cor'],
    [['fr', 'pt-br', 'en'], '', 'Cor'],
    [['zh-Hant-TW'], '', '顏色'],
    [['pt', 'ua'], '', 'Cor'],
    [['ua'], '(language: "PT")', 'Cor'],
    [['pt-PT'], '', 'Cor'],
    [['zh'], '', '顏色'],
    [['zh-Hans'], '', '顏色'],
    [['p'], '', 'Colour'],
    [['ua'], '(language: "EN-GB")', 'Colour'],
    [['ua'], '(language: "Pt-bR")', 'Cor'],
    [['ua'], '(language: "pt-PT")', 'Колір'],
  ])('match %j and %s by language and region', async (languages, argument, text) => {
    const { dms, run } = createResolvers({ languages });
    const others = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, 'Other']));
    dms
      .reply('GET', `/api/v2/listValue/${A}`, { _id: A, value })
      .reply('GET', `/api/v2/listValue/${B}`, { _id: B, value: { ...value, ...others } });
    const { data } = await run(
      `{ few: listValue(id: "${A}") { value${argument} } many: listValue(id: "${B}") { value${argument} } }`,
    );
    expect(data).toEqual({ few: { value: text }, many: { value: text } });
  });

  it('cost one call per directory', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/listValue', ({ path }) => {
      const parent = new URL(path, 'http://x').searchParams.get('_id_kf');
      if (parent === null)
        return [
          { _id: A, value: { en: 'Areas' } },
          { _id: B, value: { en: 'Types' } },
        ];
      return [{ _id: C, _id_kf: parent, value: { en: 'North', de: 'Nord' } }];
    });
    dms.reply('GET', `/api/v2/listValue/${A}`, { _id: A, value: { en: 'Areas' } });
    const { data } = await run(
      `{ directories { fullId values { value parent { value } } }
         again: listValue(id: "${A}") { values { translations { language text } } } }`,
    );
    expect(data).toMatchObject({
      directories: [
        { fullId: A, values: [{ value: 'North', parent: { value: 'Areas' } }] },
        { fullId: B, values: [{ value: 'North', parent: { value: 'Types' } }] },
      ],
    });
    expect(dms.requests.filter((line) => line.includes('_id_kf')).toSorted()).toEqual([
      `GET /api/v2/listValue?_id_kf=${A}`,
      `GET /api/v2/listValue?_id_kf=${B}`,
    ]);
  });
});

describe('organizations', () => {
  it('are read once from values', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/view/all', [
      {
        _id: A,
        valuesByTags: { supplier: B, buyer: B, note: 'no id at all', list: 'a,b', empty: '' },
      },
      { _id: C, valuesByTags: { supplier: B } },
    ]);
    dms.reply('GET', `/api/v2/crm/org/${B}`, { _id: B, name: 'ACME', areaId: C, owner: 'usr-ann' });
    dms.reply('GET', `/api/v2/listValue/${C}`, { _id: C, value: { en: 'North' } });
    const { data, errors } = await run(
      '{ documents { nodes { values { tag ... on TextValue { organization { name area { value } owner { systemId } } } } } } }',
    );
    expect(errors).toBeUndefined();
    const found = { name: 'ACME', area: { value: 'North' }, owner: { systemId: 'usr-ann' } };
    expect(data).toMatchObject({
      documents: {
        nodes: [
          {
            values: [
              { tag: 'supplier', organization: found },
              { tag: 'buyer', organization: found },
              { tag: 'note', organization: null },
              { tag: 'list', organization: null },
              { tag: 'empty', organization: null },
            ],
          },
          { values: [{ organization: found }] },
        ],
      },
    });
    expect(dms.requests.slice(1)).toEqual([
      `GET /api/v2/crm/org/${B}`,
      `GET /api/v2/listValue/${C}`,
    ]);
  });

  it('are paged and prime single reads', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/crm/org', [{ _id: A, name: 'ACME', nameExt: ['Acme Ltd'] }], {
      headers: { 'x-total-count': '12' },
    });
    const { data } = await run(
      '{ organizations(first: 1, offset: 3) { totalCount edges { node { name nameExt } } pageInfo { hasNextPage } } }',
    );
    expect(data).toEqual({
      organizations: {
        totalCount: 12,
        edges: [{ node: { name: 'ACME', nameExt: ['Acme Ltd'] } }],
        pageInfo: { hasNextPage: true },
      },
    });
    expect(dms.requests).toEqual(['GET /api/v2/crm/org?first=3&pageSize=1']);
  });
});

it('values are texts or tables in the order of the DMS', async () => {
  const { dms, run } = createResolvers();
  dms.reply('GET', `/api/v2/docForm/${A}`, {
    _id: A,
    valuesByTags: {
      z: 'last first',
      lines: [['item', 'price'], ['pen', '2'], ['ink']],
      a: 7,
    },
  });
  const { data } = await run(`{ document(id: "${A}") {
      values { __typename tag ... on TextValue { text } ... on TableValue { columns rows records } }
      some: values(tags: ["a", "none"]) { tag }
      value(tag: "none") { tag }
      valuesByTags
    } }`);
  expect(data).toEqual({
    document: {
      values: [
        { __typename: 'TextValue', tag: 'z', text: 'last first' },
        {
          __typename: 'TableValue',
          tag: 'lines',
          columns: ['item', 'price'],
          rows: [['pen', '2'], ['ink']],
          records: [
            { item: 'pen', price: '2' },
            { item: 'ink', price: '' },
          ],
        },
        { __typename: 'TextValue', tag: 'a', text: '7' },
      ],
      some: [{ tag: 'a' }],
      value: null,
      valuesByTags: { z: 'last first', lines: [['item', 'price'], ['pen', '2'], ['ink']], a: 7 },
    },
  });
});

describe('people and units', () => {
  it('reference each other, with null for failures', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/orgUnit/unit00ff', {
      _id_sys: 'unit00ff',
      name: 'Sales',
      elhead: 'usr-ann',
      elmembers: ['usr-ann', 'usr-bob', 'usr-eve', 'usr-gone'],
    });
    dms.reply('GET', '/api/v2/person/usr-ann', {
      _id_sys: 'usr-ann',
      name_first: 'Ann',
      name_last: 'Lee',
      deputy: { id: 'usr-bob', enabled: 'true' },
    });
    dms.reply('GET', '/api/v2/person/usr-bob', { _id_sys: 'usr-bob', email: '' });
    dms.reply('GET', '/api/v2/person/usr-eve', {}, { status: 403 });
    dms.reply('GET', '/api/v2/person/usr-gone', {}, { status: 404 });
    const { data, codes } = await run(`{ orgUnit(id: "unit00ff") {
      head { fullName deputy { enabled person { systemId } } } members { systemId email }
    } }`);
    expect(data).toEqual({
      orgUnit: {
        head: { fullName: 'Ann Lee', deputy: { enabled: true, person: { systemId: 'usr-bob' } } },
        members: [
          { systemId: 'usr-ann', email: null },
          { systemId: 'usr-bob', email: null },
          null,
          null,
        ],
      },
    });
    expect(codes).toEqual(['FORBIDDEN']);
    expect(dms.requests).toHaveLength(5);
  });

  it('are not read if they are too many, unless only their IDs are selected', async () => {
    const { dms, run } = createResolvers();
    const elmembers = Array.from({ length: 6000 }, (_, i) => `usr-${i}`);
    dms.reply('GET', '/api/v2/orgUnit/unit1', { _id_sys: 'unit1', elmembers });
    const { codes } = await run('{ orgUnit(id: "unit1") { members { email } } }');
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    const { data } = await run('{ orgUnit(id: "unit1") { members { id } } }');
    expect(data).toMatchObject({ orgUnit: { members: { length: 6000 } } });
    expect(dms.requests.filter((request) => request.includes('person'))).toEqual([]);
  });

  it('are omitted if their IDs in the DMS are invalid', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/orgUnit/unit1', {
      _id_sys: 'unit1',
      elhead: 'a/b',
      elmembers: ['..', 'usr-ann'],
    });
    dms.reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann', email: 'ann@example.com' });
    const { data, errors } = await run(
      '{ orgUnit(id: "unit1") { head { email } members { email } } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ orgUnit: { head: null, members: [{ email: 'ann@example.com' }] } });
    expect(dms.requests).toEqual(['GET /api/v2/orgUnit/unit1', 'GET /api/v2/person/usr-ann']);
  });

  it('include the viewer', async () => {
    const { dms, run } = createResolvers({ runAs: 'usr-ann' });
    dms.reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann', email: 'ann@example.test' });
    expect((await run('{ viewer { runAs person { systemId } } }')).data).toEqual({
      viewer: { runAs: 'usr-ann', person: { systemId: 'usr-ann' } },
    });
    expect(dms.requests).toEqual([]);
    expect((await run('{ viewer { person { email } } }')).data).toEqual({
      viewer: { person: { email: 'ann@example.test' } },
    });
  });

  it('include no person for an e-mail address', async () => {
    const { dms, run } = createResolvers({ runAs: 'ann@example.test' });
    expect((await run('{ viewer { runAs person { email } } }')).data).toEqual({
      viewer: { runAs: 'ann@example.test', person: null },
    });
    expect(dms.requests).toEqual([]);
  });
});

it('recognized text is read once per page', async () => {
  const { dms, run } = createResolvers();
  dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A });
  dms.reply(
    'GET',
    `/api/v2/idp/${A}/text`,
    ({ path }) => (path.includes('page=1') ? 'two' : 'one two'),
    {
      headers: { 'x-total-count': '2', 'content-type': 'text/plain;charset=UTF-8' },
    },
  );
  const { data } = await run(`{ document(id: "${A}") {
      all: recognizedText { text page totalCount }
      one: recognizedText(page: 1) { text page totalCount }
      same: recognizedText(page: 1) { text }
    } }`);
  expect(data).toEqual({
    document: {
      all: { text: 'one two', page: null, totalCount: 2 },
      one: { text: 'two', page: 1, totalCount: 2 },
      same: { text: 'two' },
    },
  });
  expect(dms.requests.slice(1).toSorted()).toEqual([
    `GET /api/v2/idp/${A}/text`,
    `GET /api/v2/idp/${A}/text?page=1`,
  ]);
});
