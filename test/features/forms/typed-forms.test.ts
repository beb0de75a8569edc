import { describe, expect, it } from 'vitest';
import type { FormOptions } from '../../../src/model/form.ts';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const id = '5f0000000000000000000001';
const org = '5f00000000000000000000a1';
const otherOrg = '5f00000000000000000000a2';
const value = '5f00000000000000000000b1';

const columns = [customField('string', 'Article'), customField('number', 'Amount')];
const invoice = wireForm('invoice', [
  customField('string', 'number', { name: { en: 'Invoice number', de: 'Rechnungsnummer' } }),
  customField('number', 'total'),
  customField('date', 'date'),
  customField('time', 'received'),
  customField('flag', 'paid'),
  customField('crmOrg', 'supplier'),
  customField('user', 'buyer'),
  customField('unit', 'unit'),
  customField('list', 'currency'),
  customField('doc', 'contract'),
  customField('docs', 'refdocs'),
  customField('numbers', 'rates'),
  customField('table', 'lines', { columns }),
  customField('table', 'orders', { columns: [customField('doc', 'Contract')] }),
  customField('table', 'notes'),
]);
const leave = wireForm('leave', [customField('string', 'number'), customField('date', 'from')]);
const types = {
  number: 'Decimal',
  date: 'Date',
  time: 'DateTime',
  flag: 'Boolean',
  user: 'Person',
  unit: 'OrgUnit',
  list: 'ListValue',
  doc: 'Document',
  docs: '[Document]',
  numbers: '[Decimal]',
  table: 'Table',
};

function setUp(options: FormOptions = {}) {
  const forms = { file: formsFile([invoice, leave]), types, ...options };
  return createResolvers({ config: { forms } });
}

/** Reads fields of an invoice whose values are given. */
async function read(valuesByTags: object, selection: string) {
  const { dms, run } = setUp();
  dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags });
  const {
    data,
    errors = [],
    codes,
  } = await run(`{ document(id: "DOC-1") { invoice ${selection} } }`);
  const document = data?.['document'] as { invoice: Record<string, unknown> } | null;
  return { invoice: document?.invoice, paths: errors.map(({ path }) => path), codes, dms };
}

describe('typed forms', () => {
  it('read scalars exactly', async () => {
    const values = {
      number: ' 007 ',
      total: '12345678901234567890.10',
      date: '2026-03-01',
      received: '2026-03-01T09:30:00.000Z',
      paid: 'true',
    };
    const selection = '{ number total date received paid }';
    const { invoice: found, codes, dms } = await read(values, selection);
    expect(codes).toEqual([]);
    expect(found).toEqual({ ...values, paid: true });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/DOC-1?fields=_id,valuesByTags&embed=valuesByTags',
    ]);
  });

  it('read the day and the moment of a timestamp, with all digits', async () => {
    const values = {
      date: '2026-03-01 00:15:00+14:00',
      received: '2026-03-01T09:30:00.123456789+02:00',
    };
    const { invoice: found } = await read(values, '{ date received }');
    expect(found).toEqual({ date: '2026-03-01', received: '2026-03-01T07:30:00.123456789Z' });
  });

  it('read the empty text as null of every type', async () => {
    const { invoice: found, codes } = await read(
      {
        number: '',
        total: '',
        date: '',
        paid: '',
        supplier: '',
        refdocs: '',
        lines: '',
        notes: '',
        rates: null,
      },
      '{ number total date paid supplier { name } refdocs { shortId } lines { article } notes { columns } rates }',
    );
    expect(codes).toEqual([]);
    expect(Object.values(found!).every((one) => one === null)).toBe(true);
  });

  it.each([
    ['total', '1,5'],
    ['total', 1234567890.1234567],
    ['total', [['a'], ['1']]],
    ['date', '2026-02-30'],
    ['received', '9:30'],
    ['paid', 'yes'],
    ['number', [['a'], ['1']]],
  ])('have null and UNREADABLE_VALUE if %s is %j', async (tag, content) => {
    const {
      invoice: found,
      codes,
      paths,
    } = await read({ number: 'RE-1', [tag]: content }, `{ ${tag} }`);
    expect(found).toEqual({ [tag]: null });
    expect(codes).toEqual(['UNREADABLE_VALUE']);
    expect(paths).toEqual([['document', 'invoice', tag]]);
  });

  it.each([
    ['supplier { name }', { supplier: 'a/b' }],
    ['buyer { lastName }', { buyer: 'ann@example.com' }],
    ['currency { id }', { currency: 'EUR' }],
    ['lines { article }', { lines: 'none' }],
    ['notes { columns }', { notes: 'none' }],
  ])('have null and UNREADABLE_VALUE for %s without a call', async (selection, values) => {
    const { codes, dms } = await read(values, `{ ${selection} }`);
    expect(codes).toEqual(['UNREADABLE_VALUE']);
    expect(dms.requests).toHaveLength(1);
  });

  it('read references through the loaders, and none for IDs alone', async () => {
    const { dms, run } = setUp();
    const page = [org, otherOrg, org].map((supplier, i) => ({
      _id: `5f000000000000000000000${i}`,
      valuesByTags: { supplier, buyer: 'usr-ann', currency: value, contract: id },
    }));
    dms
      .reply('GET', '/api/v2/docForm/view/all', page)
      .reply('GET', `/api/v2/crm/org/${org}`, { _id: org, name: 'Acme' })
      .reply('GET', `/api/v2/crm/org/${otherOrg}`, null, { status: 404 });
    const { data, codes } = await run(
      `{ documents(first: 3) { nodes { invoice {
        supplier { name } buyer { id systemId } currency { fullId } contract { fullId }
      } } } }`,
    );
    expect(codes).toEqual([]);
    const { nodes } = data!['documents'] as { nodes: { invoice: object }[] };
    expect(nodes.map((node) => node.invoice)).toMatchObject([
      { supplier: { name: 'Acme' }, buyer: { systemId: 'usr-ann' }, contract: { fullId: id } },
      { supplier: null },
      { supplier: { name: 'Acme' } },
    ]);
    expect(dms.requests.toSorted()).toEqual([
      `GET /api/v2/crm/org/${org}`,
      `GET /api/v2/crm/org/${otherOrg}`,
      'GET /api/v2/docForm/view/all?first=0&pageSize=3&fields=_id,valuesByTags&embed=valuesByTags',
    ]);
  });

  it('are no reason to reject a large page, because documents can have the same references', async () => {
    const { dms, run } = setUp();
    const page = Array.from({ length: 100 }, (_, i) => ({
      _id: i.toString(16).padStart(24, '0'),
      valuesByTags: { supplier: org, buyer: 'usr-ann' },
    }));
    dms
      .reply('GET', '/api/v2/docForm/view/all', page, { headers: { 'svc-total-count': '100' } })
      .reply('GET', `/api/v2/crm/org/${org}`, { _id: org })
      .reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann' });
    const { codes } = await run(
      '{ documents(first: 300) { nodes { invoice { supplier { name } buyer { email } } } } }',
    );
    expect(codes).toEqual([]);
    expect(dms.requests).toHaveLength(3);
  });

  it('look up IDs that are not the key of the object', async () => {
    const { dms, run } = setUp();
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', {
        _id: id,
        valuesByTags: { supplier: 'EXT-1', unit: 'sales' },
      })
      .reply('GET', '/api/v2/crm/org/EXT-1', { _id: org })
      .reply('GET', '/api/v2/orgUnit/sales', { _id_sys: 'unit0001' });
    const { data } = await run(
      '{ document(id: "DOC-1") { invoice { supplier { fullId } unit { systemId } } } }',
    );
    expect(data).toEqual({
      document: { invoice: { supplier: { fullId: org }, unit: { systemId: 'unit0001' } } },
    });
  });

  it('read lists, whose items fail alone', async () => {
    const {
      invoice: found,
      codes,
      paths,
    } = await read({ rates: '1.0,x,2', refdocs: `${id}, ${org}` }, '{ rates refdocs { fullId } }');
    expect(found).toEqual({
      rates: ['1.0', null, '2'],
      refdocs: [{ fullId: id }, { fullId: org }],
    });
    expect(codes).toEqual(['UNREADABLE_VALUE']);
    expect(paths).toEqual([['document', 'invoice', 'rates', 1]]);
  });

  it('read rows of tables by the names of their columns', async () => {
    const {
      invoice: found,
      codes,
      paths,
    } = await read(
      { lines: [['Amount', 'Extra', 'Article'], ['1.50', 'x', 'Paper'], ['?'], []] },
      '{ lines { article amount } }',
    );
    expect(found).toEqual({
      lines: [
        { article: 'Paper', amount: '1.50' },
        { article: null, amount: null },
        { article: null, amount: null },
      ],
    });
    expect(codes).toEqual(['UNREADABLE_VALUE']);
    expect(paths).toEqual([['document', 'invoice', 'lines', 1, 'amount']]);
  });

  it('read a number of a cell only with all its digits', async () => {
    const {
      invoice: found,
      codes,
      paths,
    } = await read(
      {
        lines: [
          ['Article', 'Amount'],
          [1, 0.12345678901234568],
          [2 ** 60, 2 ** 60],
        ],
      },
      '{ lines { article amount } }',
    );
    expect(found).toEqual({
      lines: [
        { article: '1', amount: null },
        { article: '1152921504606847000', amount: '1152921504606847000' },
      ],
    });
    expect(codes).toEqual(['UNREADABLE_VALUE']);
    expect(paths.map((path) => path!.slice(2))).toEqual([['lines', 0, 'amount']]);
  });

  it('find the columns of a table once, not for each cell', async () => {
    const names = Array.from({ length: 1_000_000 }, () => '');
    const rows = Array.from({ length: 20_000 }, () => ['x']);
    const { invoice: found } = await read(
      { lines: [names, ...rows] },
      '{ lines { article amount } }',
    );
    expect(found!['lines']).toHaveLength(20_000);
  });

  it('read a table without declared columns as a TableValue with a cell for each column', async () => {
    const notes = [['a', 'b'], ['1', '2'], ['3'], []];
    const { invoice: found } = await read({ notes }, '{ notes { columns rows } }');
    expect(found).toEqual({
      notes: {
        columns: ['a', 'b'],
        rows: [
          ['1', '2'],
          ['3', ''],
          ['', ''],
        ],
      },
    });
  });

  it('follow the property of the document that names its form', async () => {
    const { dms, run } = setUp({ documentProperty: 'docform' });
    dms.reply('GET', '/api/v2/docForm/DOC-1', {
      _id: id,
      docform: leave._id,
      valuesByTags: { number: 'RE-1' },
    });
    const { data } = await run(
      `{ document(id: "DOC-1") {
        form { shortId title } labels { tag } invoice { number } leave { number from }
      } }`,
    );
    expect(data).toEqual({
      document: {
        form: { shortId: 'leave', title: 'leave' },
        labels: [{ tag: 'number' }, { tag: 'from' }],
        invoice: null,
        leave: { number: 'RE-1', from: null },
      },
    });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/DOC-1?fields=_id,valuesByTags,docform&embed=valuesByTags',
    ]);
  });

  it.each([
    ['has vanished', '5f00000000000000000000ff', { fullId: '5f00000000000000000000ff' }],
    ['is missing', undefined, null],
    ['has another shape', { id: 1 }, null],
  ])('are null if the form of the document %s', async (_what, docform, form) => {
    const { dms, run } = setUp({ documentProperty: 'docform' });
    dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, docform, valuesByTags: { number: '1' } });
    const { data, codes } = await run(
      '{ document(id: "DOC-1") { form { fullId } labels { tag } invoice { number } } }',
    );
    expect(codes).toEqual([]);
    expect(data).toEqual({ document: { form, labels: [], invoice: null } });
  });

  it('let a text be the ID of an object only of the type of its field', async () => {
    const { dms, run } = setUp();
    const valuesByTags = { number: 'RE-1', supplier: org, other: otherOrg };
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags })
      .reply('GET', /\/crm\/org\//, ({ path }) => ({ _id: path.slice(-24) }))
      .reply('GET', new RegExp(`/(docForm|listValue)/${otherOrg}`), null, { status: 404 });
    const { data } = await run(
      `{ document(id: "DOC-1") { values { ... on TextValue {
        organization { fullId } listValue { fullId } document { shortId }
      } } } }`,
    );
    const none = { organization: null, listValue: null, document: null };
    expect(data).toEqual({
      document: {
        values: [
          none,
          { ...none, organization: { fullId: org } },
          // No form declares the tag.
          { ...none, organization: { fullId: otherOrg } },
        ],
      },
    });
    expect(dms.requests.slice(1).toSorted()).toEqual([
      `GET /api/v2/crm/org/${org}`,
      `GET /api/v2/crm/org/${otherOrg}`,
      `GET /api/v2/docForm/${otherOrg}?fields=_id,_id_web`,
      `GET /api/v2/listValue/${otherOrg}`,
    ]);
  });

  it('answer forms and labels without a call', async () => {
    const { dms, run } = setUp();
    const { data } = await run(
      `{ forms { shortId } form(id: "invoice") { shortId }
         unknown: form(id: "5f00000000000000000000ff") { shortId } }`,
    );
    expect(data).toEqual({
      forms: [{ shortId: 'invoice' }, { shortId: 'leave' }],
      form: { shortId: 'invoice' },
      unknown: null,
    });
    expect(dms.requests).toEqual([]);
  });

  it('list the declared columns of a table', async () => {
    const { run } = setUp();
    const { data } = await run(
      '{ form(id: "invoice") { customFields { fieldName columns { fieldName type name } } } }',
    );
    const { customFields } = data!['form'] as { customFields: { fieldName: string }[] };
    expect(customFields.find(({ fieldName }) => fieldName === 'lines')).toMatchObject({
      columns: [
        { fieldName: 'Article', type: 'string', name: 'Article' },
        { fieldName: 'Amount', type: 'number', name: 'Amount' },
      ],
    });
    expect(customFields.at(-1)).toMatchObject({ fieldName: 'notes', columns: [] });
  });

  it('label the values of a document', async () => {
    const { dms, run } = setUp();
    dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags: { number: '1' } });
    const { data } = await run(
      '{ document(id: "DOC-1") { labels { tag label(language: "de") labels { text } } } }',
    );
    const { labels } = data!['document'] as { labels: object[] };
    expect(labels[0]).toEqual({
      tag: 'number',
      label: 'Rechnungsnummer',
      labels: [{ text: 'Invoice number' }, { text: 'Rechnungsnummer' }],
    });
  });

  it.each([
    [{ from: '2026-03-01', number: '1' }, 'number'],
    [{ from: '2026-03-01', number: null, other: 'x' }, 'from'],
    [{ other: 'x' }, undefined],
    [null, undefined],
  ])('label the values of the first form with a tag of %j', async (valuesByTags, first) => {
    const { dms, run } = setUp();
    dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags });
    const { data } = await run(
      '{ document(id: "DOC-1") { labels { tag } invoice { paid } leave { from } } }',
    );
    const found = data!['document'] as { labels: { tag: string }[] };
    const tags = found.labels.map(({ tag }) => tag);
    if (first === undefined) expect(tags).toEqual([]);
    else expect(tags).toContain(first);
    expect(tags.includes('paid')).toBe(first === 'number');
    expect(found).toMatchObject({ invoice: first === 'number' ? {} : null });
  });
});
