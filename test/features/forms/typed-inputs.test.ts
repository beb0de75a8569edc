import { printType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readForms } from '../../../src/features/forms/read-forms.ts';
import type { FormOptions, FormsConfig } from '../../../src/model/form.ts';
import { schemaWith } from '../../../src/schema/index.ts';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const id = '5f0000000000000000000001';
const responseId = '5f0000000000000000000002';
const org = '5f00000000000000000000a1';
const orgGlobalId = Buffer.from(`Organization:${org}`).toString('base64');

const columns = [customField('string', 'Article'), customField('number', 'Amount')];
const invoice = wireForm('invoice', [
  customField('string', 'number', { required: true }),
  customField('number', 'total'),
  customField('date', 'date'),
  customField('time', 'received'),
  customField('flag', 'paid'),
  customField('crmOrg', 'supplier'),
  customField('docs', 'refdocs'),
  customField('table', 'lines', { columns }),
  customField('table', 'notes'),
]);
const leave = wireForm('leave', [customField('date', 'from', { required: true })]);
const options: FormOptions = {
  types: {
    number: 'Decimal',
    date: 'Date',
    time: 'DateTime',
    flag: 'Boolean',
    docs: '[Document]',
    table: 'Table',
  },
};

function setUp(more: Partial<FormsConfig> = {}, settings: object = {}) {
  const forms = { file: formsFile([invoice, leave]), ...options, ...more };
  return createResolvers({ config: { forms }, settings });
}

const failures = `... on ValidationError { issues { path message } } ... on Error { message }`;
const create = `mutation ($input: CreateDocumentInput!) { createDocument(input: $input) {
  __typename ${failures} } }`;
const respond = `mutation ($input: RespondToDocumentInput!) { respondToDocument(input: $input) {
  __typename ${failures} } }`;
const respondAll = `mutation ($input: RespondToDocumentsInput!) { respondToDocuments(input: $input) {
  results { __typename ${failures} } } }`;

/** The document part of the last request. */
function sent(received: readonly { body: string }[]): unknown {
  const { body } = received.at(-1)!;
  const json = body.startsWith('{') ? body : /\{[\s\S]*\}/.exec(body)![0];
  const parsed = JSON.parse(json) as { docForm?: unknown };
  return parsed.docForm ?? parsed;
}

/** The paths of the issues of a mutation. */
function pathsOf(data: Record<string, unknown> | null, name: string): string[] {
  const { issues } = data![name] as { issues?: { path: string[] }[] };
  return (issues ?? []).map(({ path }) => path.join('.'));
}

const fields = {
  number: 'RE-1',
  total: '02587.710',
  date: '2026-03-01',
  received: '2026-03-01T09:30:00.120+02:00',
  paid: false,
  supplier: orgGlobalId,
  refdocs: ['DOC-1', id],
  lines: [{ article: 'Paper', amount: '1.50' }, { amount: null }],
  notes: { columns: ['a'], rows: [['1']] },
};
const expected = {
  number: 'RE-1',
  total: '02587.710',
  date: '2026-03-01',
  received: '2026-03-01T07:30:00.120Z',
  paid: 'false',
  supplier: org,
  refdocs: `DOC-1,${id}`,
  lines: [
    ['Article', 'Amount'],
    ['Paper', '1.50'],
    ['', ''],
  ],
  notes: [['a'], ['1']],
};

describe('the inputs of forms', () => {
  it('require what the form requires on creation only, and take one form', () => {
    const forms = readForms({ file: formsFile([invoice]), ...options }, null, false);
    const typed = schemaWith(forms);
    const print = (name: string): string =>
      printType(typed.getType(name)!).replaceAll(/ *"""[\s\S]*?"""\n|\n(?=\n)/g, '');
    expect(print('DocumentFieldsInput')).toBe(
      'input DocumentFieldsInput @oneOf {\n  invoice: InvoiceFieldsInput\n}',
    );
    expect(print('InvoiceFieldsInput')).toContain('number: String!');
    expect(print('InvoiceFieldsInput')).toContain('lines: [InvoiceLinesRowInput!]\n');
    expect(print('InvoiceFieldsUpdateInput')).toContain('number: String\n');
    expect(print('CreateDocumentInput')).toContain('fields: DocumentFieldsInput\n');
    expect(print('RespondToDocumentInput')).toContain('fields: DocumentFieldsUpdateInput\n');
  });

  it('send exactly the given texts on creation', async () => {
    const { dms, run } = setUp();
    dms.reply('POST', '/api/v2/docForm/form/invoice', { _id: id }, { status: 201 });
    const values = [{ tag: 'other', text: 'x' }];
    const input = { form: 'invoice', values, fields: { invoice: { ...fields, total: null } } };
    const { data } = await run(create, { input });
    expect(data).toEqual({ createDocument: { __typename: 'CreateDocumentPayload' } });
    const { total: _, ...rest } = expected;
    expect(sent(dms.received)).toEqual({ valuesByTags: { other: 'x', ...rest } });
    expect(dms.requests).toEqual(['POST /api/v2/docForm/form/invoice']);
  });

  it('take literals with all digits, and omit absent variables', async () => {
    const { dms, run } = setUp();
    dms.reply('POST', '/api/v2/docForm/form/invoice', { _id: id }, { status: 201 });
    const { data } = await run(
      `mutation ($number: String!, $date: Date, $total: Decimal) {
        createDocument(input: { form: "invoice", fields: { invoice: {
          number: $number, date: $date, total: $total, supplier: "EXT00001"
          lines: [{ amount: 12345678901234567890.10 }]
        } } }) { __typename ${failures} } }`,
      { number: 'RE-1', total: '1.0' },
    );
    expect(data).toEqual({ createDocument: { __typename: 'CreateDocumentPayload' } });
    expect(sent(dms.received)).toEqual({
      valuesByTags: {
        number: 'RE-1',
        total: '1.0',
        supplier: 'EXT00001',
        lines: [
          ['Article', 'Amount'],
          ['', '12345678901234567890.10'],
        ],
      },
    });
  });

  it('send changed fields on a response, and empty those that are null', async () => {
    const { dms, run } = setUp();
    dms.reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const invoiceFields = { total: '1', date: null, lines: null };
    const input = { document: 'DOC-1', response: responseId, action: 'APPROVE' };
    const { data } = await run(respond, {
      input: { ...input, fields: { invoice: invoiceFields } },
    });
    expect(data).toEqual({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
    expect(sent(dms.received)).toEqual({ valuesByTags: { total: '1', date: '', lines: '' } });
    expect(dms.requests).toEqual([`PUT /api/v2/docForm/DOC-1/docResponse/${responseId}`]);
  });

  it('report every invalid value with the path of the input, and send nothing', async () => {
    const { dms, run } = setUp();
    const invalid = {
      number: '',
      total: '1,5',
      date: '2026-02-30',
      received: 'tomorrow',
      supplier: 'a/b',
      refdocs: ['DOC-1', 'a,b', ''],
      lines: [{ amount: '1' }, { amount: 'x' }],
      notes: { columns: ['a'], rows: [['1', '2']] },
    };
    const { data } = await run(create, {
      input: { form: 'invoice', fields: { invoice: invalid } },
    });
    expect(pathsOf(data, 'createDocument')).toEqual(
      [
        'number',
        'total',
        'date',
        'received',
        'supplier',
        'refdocs.1',
        'refdocs.2',
        'lines.1.amount',
        'notes.rows.0',
      ].map((path) => `fields.invoice.${path}`),
    );
    expect(dms.requests).toEqual([]);
  });

  it.each([[1.5], [9007199254740991], [true], [{}], [['1']], [[]]])(
    'reject the Decimal %j of a variable',
    async (total) => {
      const { dms, run } = setUp();
      const input = { form: 'invoice', fields: { invoice: { number: '1', total } } };
      const { data } = await run(create, { input });
      expect(pathsOf(data, 'createDocument')).toEqual(['fields.invoice.total']);
      expect(dms.requests).toEqual([]);
    },
  );

  it('reject fields of another form, and values that are also fields', async () => {
    const { dms, run } = setUp();
    const { data } = await run(create, {
      input: {
        form: 'leave',
        values: [{ tag: 'number', text: '1' }],
        fields: { invoice: { number: '1' } },
      },
    });
    expect(pathsOf(data, 'createDocument')).toEqual(['values.0.tag', 'fields.invoice']);
    expect(dms.requests).toEqual([]);
  });

  it.each([
    ['none', {}],
    ['two', { invoice: { number: '1' }, leave: { from: '2026-03-01' } }],
    ['null', { invoice: null }],
  ])('reject %s of the forms', async (_what, given) => {
    const { dms, run } = setUp();
    const { codes, errors } = await run(create, { input: { form: 'invoice', fields: given } });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(errors![0]!.message).toMatch(/DocumentFieldsInput|must be non-null/);
    expect(dms.requests).toEqual([]);
  });

  it('empty no required field', async () => {
    const { dms, run } = setUp();
    const input = { document: 'DOC-1', response: responseId, action: 'APPROVE' };
    const { data } = await run(respond, {
      input: { ...input, fields: { invoice: { number: null } } },
    });
    expect(pathsOf(data, 'respondToDocument')).toEqual(['fields.invoice.number']);
    expect(dms.requests).toEqual([]);
  });

  it.each([{}, { VALIDATE_VALUES: 'on' }])(
    'have one issue for a required field that is invalid or empty, with %j',
    async (settings) => {
      const { dms, run } = setUp({}, settings);
      for (const from of ['1.3.2026', '']) {
        const { data } = await run(create, {
          input: { form: 'leave', fields: { leave: { from } } },
        });
        expect(pathsOf(data, 'createDocument')).toEqual(['fields.leave.from']);
      }
      expect(dms.requests).toEqual([]);
    },
  );

  it('require a value of a list, and cells of a new document only', async () => {
    const amount = customField('number', 'Amount', { required: true });
    const form = wireForm('order', [
      customField('texts', 'names', { required: true }),
      customField('table', 'lines', { columns: [amount] }),
    ]);
    const file = formsFile([form]);
    const { dms, run } = setUp({
      file,
      types: { number: 'Decimal', texts: '[String]', table: 'Table' },
    });
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags: {} })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    for (const [names, path] of [
      [[], 'names'],
      [[''], 'names'],
      [['a'], 'lines.0.amount'],
    ] as const) {
      const order = { names, lines: path === 'names' ? null : [{ amount: null }] };
      const { data } = await run(create, { input: { form: 'order', fields: { order } } });
      expect(pathsOf(data, 'createDocument')).toEqual([`fields.order.${path}`]);
    }
    const input = { document: 'DOC-1', response: responseId, action: 'APPROVE' };
    await run(respond, { input: { ...input, fields: { order: { lines: [{ amount: null }] } } } });
    expect(sent(dms.received)).toEqual({ valuesByTags: { lines: [['Amount'], ['']] } });
  });

  it('limit the rows of a table', async () => {
    const { dms, run } = setUp();
    const lines = Array.from({ length: 10_001 }, () => ({}));
    const { codes, errors } = await run(create, {
      input: { form: 'invoice', fields: { invoice: { number: '1', lines } } },
    });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(errors![0]!.message).toContain('input.fields.invoice.lines');
    expect(dms.requests).toEqual([]);
  });
});

describe('a value that is written back', () => {
  const input = { document: 'DOC-1', response: responseId, action: 'APPROVE' };
  const stored = {
    total: 7,
    date: '2026-03-01T00:00:00',
    refdocs: 'DOC-1, DOC-2',
    lines: [['Extra', 'Article', 'Amount'], ['x', 'Paper', '1.50'], ['y']],
    notes: [],
  };
  const written = {
    date: '2026-03-01',
    refdocs: ['DOC-1', 'DOC-2'],
    lines: [{ article: 'Paper', amount: '1.50' }, {}],
    notes: { columns: [], rows: [] },
  };
  const readRequest = 'GET /api/v2/docForm/DOC-1?fields=_id,valuesByTags&embed=valuesByTags';

  it('is sent as it is stored if it is the same, and otherwise as it is given', async () => {
    const { dms, run } = setUp();
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags: stored })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const { total: _, ...same } = stored;
    await run(respond, { input: { ...input, fields: { invoice: written } } });
    expect(sent(dms.received)).toEqual({ valuesByTags: same });
    const changed = { ...written, date: '2026-03-02', lines: written.lines.slice(1) };
    await run(respond, { input: { ...input, fields: { invoice: changed } } });
    expect(sent(dms.received)).toEqual({
      valuesByTags: {
        ...same,
        date: '2026-03-02',
        lines: [
          ['Article', 'Amount'],
          ['', ''],
        ],
      },
    });
    expect(dms.requests).toContain(readRequest);
  });

  it('keeps the cells of a changed table that have not changed', async () => {
    const due = customField('date', 'Due');
    const form = wireForm('order', [
      customField('table', 'lines', { columns: [due, customField('docs', 'Orders')] }),
    ]);
    const { dms, run } = setUp({
      file: formsFile([form]),
      types: { date: 'Date', docs: '[Document]', table: 'Table' },
    });
    const lines = [
      ['Orders', 'Due'],
      ['A, B', '2026-03-01T09:00:00+02:00'],
      ['C,  D', '2026-03-02T00:00:00'],
    ];
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags: { lines } })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const rows = [
      { due: '2026-03-01', orders: ['A', 'B'] },
      { due: '2026-03-04', orders: ['C', 'D'] },
      { due: '2026-03-05' },
    ];
    await run(respond, { input: { ...input, fields: { order: { lines: rows } } } });
    expect(sent(dms.received)).toEqual({
      valuesByTags: {
        lines: [
          ['Due', 'Orders'],
          ['2026-03-01T09:00:00+02:00', 'A, B'],
          ['2026-03-04', 'C,  D'],
          ['2026-03-05', ''],
        ],
      },
    });
  });

  it('is read only if texts of its type can differ, and plain values are never replaced', async () => {
    const { dms, run } = setUp();
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, valuesByTags: stored })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const plain = [{ tag: 'date', text: '2026-03-01' }];
    const total = { total: '7', date: null };
    await run(respond, { input: { ...input, fields: { invoice: { total: '7' } }, values: plain } });
    await run(respond, { input: { ...input, fields: { invoice: total } } });
    expect(dms.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
    const { refdocs } = written;
    await run(respond, { input: { ...input, fields: { invoice: { refdocs } }, values: plain } });
    expect(sent(dms.received)).toEqual({
      valuesByTags: { date: '2026-03-01', refdocs: 'DOC-1, DOC-2' },
    });
  });
});

describe('the form of the document', () => {
  const input = { document: 'DOC-1', response: responseId, action: 'APPROVE' };
  const typed = { ...input, fields: { invoice: { total: '1' } } };

  it('is read before a response with fields, if a property names it', async () => {
    const { dms, run } = setUp({ documentProperty: 'form' });
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, form: invoice._id })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const { data } = await run(respond, { input: typed });
    expect(data).toEqual({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/DOC-1?fields=_id,form',
      `PUT /api/v2/docForm/DOC-1/docResponse/${responseId}`,
    ]);
  });

  it('must be that of the fields, also of each item of a bulk mutation', async () => {
    const { dms, run } = setUp({ documentProperty: 'form' });
    dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, form: leave._id });
    const single = await run(respond, { input: typed });
    expect(pathsOf(single.data, 'respondToDocument')).toEqual(['fields.invoice']);
    const { data } = await run(respondAll, { input: { responses: [typed] } });
    expect(data).toMatchObject({
      respondToDocuments: {
        results: [{ issues: [{ path: ['responses', '0', 'fields', 'invoice'] }] }],
      },
    });
    expect(dms.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('is checked before the DMS prepares a response', async () => {
    const { dms, run } = setUp({ documentProperty: 'form' });
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, form: invoice._id, valuesByTags: {} })
      .reply('GET', `/api/v2/docForm/${id}`, { _id: id, docResponse: { _id: responseId } })
      .reply('GET', '/api/v2/docForm/DOC-2', { _id: responseId, form: leave._id })
      .reply('PUT', `/api/v2/docForm/DOC-1/docResponse/${responseId}`, {});
    const { response: _, ...given } = { ...typed, fields: { invoice: { date: '2026-03-01' } } };
    const { data } = await run(respondAll, {
      input: { responses: [given, { ...given, document: 'DOC-2' }] },
    });
    expect(data).toMatchObject({
      respondToDocuments: {
        results: [
          { __typename: 'RespondToDocumentPayload' },
          { issues: [{ path: ['responses', '1', 'fields', 'invoice'] }] },
        ],
      },
    });
    const form = 'fields=_id,valuesByTags,form&embed=valuesByTags';
    expect(dms.requests).toEqual([
      `GET /api/v2/docForm/DOC-1?${form}`,
      `GET /api/v2/docForm/DOC-2?${form}`,
      `GET /api/v2/docForm/${id}?fields=_id,docResponse&embed=docResponse`,
      `PUT /api/v2/docForm/DOC-1/docResponse/${responseId}`,
    ]);
  });

  it.each([
    [3, typed],
    [5, { ...typed, response: null }],
  ])('counts in the budget of a bulk mutation: %i', async (calls, one) => {
    const { dms, run } = setUp({ documentProperty: 'form' }, { MAX_UPSTREAM_CALLS: calls });
    const { codes } = await run(respondAll, {
      input: { responses: [one, { ...one, document: 'DOC-2' }] },
    });
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(dms.requests).toEqual([]);
  });
});

describe('VALIDATE_VALUES', () => {
  const on = { VALIDATE_VALUES: 'on' };

  it('needs forms', async () => {
    const { run } = createResolvers({ settings: { VALIDATE_VALUES: 'on' } });
    await expect(run('{ __typename }')).rejects.toThrow(
      'VALIDATE_VALUES=on needs the option `forms`',
    );
  });

  it('reports unknown tags and missing values on creation', async () => {
    const { dms, run } = setUp({}, on);
    const values = [
      { tag: 'total', text: '1' },
      { tag: 'totl', text: '1' },
    ];
    const { data } = await run(create, { input: { form: 'invoice', values } });
    expect(data).toMatchObject({
      createDocument: {
        issues: [
          { path: ['values', '1'], message: 'The form invoice has no field with the tag "totl".' },
          { path: ['values'], message: 'The field "number" is required.' },
        ],
      },
    });
    expect(dms.requests).toEqual([]);
  });

  /** By tag: a text that does not have the type of its field, and one that has. */
  const texts: Readonly<Record<string, readonly [wrong: string, right: string]>> = {
    total: ['abc', '-2.50'],
    date: ['2026-02-30', '2026-03-01T09:30:00Z'],
    received: ['today', '2026-03-01 09:30'],
    paid: ['yes', 'false'],
    supplier: ['a/b', org],
    refdocs: [`${id},,DOC-1`, `${id}, DOC-1`],
    notes: ['a', ''],
  };
  const valuesWith = (which: 0 | 1, amount: string) => {
    const rows = [
      ['1', 'a'],
      [amount, 'b'],
    ];
    return [
      ...Object.entries(texts).map(([tag, one]) => ({ tag, text: one[which] })),
      { tag: 'lines', table: { columns: ['Amount', 'Note'], rows } },
      { tag: 'number', text: 'RE-1' },
    ];
  };

  it('reports values that do not have the types of their fields', async () => {
    const { dms, run } = setUp({}, on);
    const input = { form: 'invoice', values: valuesWith(0, 'two') };
    const { data } = await run(create, { input });
    expect(pathsOf(data, 'createDocument')).toEqual([
      ...Object.keys(texts).map((_, at) => `values.${at}.text`),
      'values.7.table.rows.1.0',
    ]);
    expect(data).toMatchObject({
      createDocument: {
        issues: expect.arrayContaining([
          {
            path: ['values', '0', 'text'],
            message: 'The value must be a decimal number as text, such as `2587.71`.',
          },
        ]),
      },
    });
    expect(dms.requests).toEqual([]);
  });

  it('reports a table for a text, and does not check what is too large', async () => {
    const { run } = setUp({}, on);
    const number = { tag: 'number', table: { columns: ['a'], rows: [['b']] } };
    const columns = Array.from({ length: 9000 }, () => 'Amount');
    const large = { tag: 'lines', table: { columns, rows: columns.map(() => []) } };
    const many = Array.from({ length: 9000 }, () => ({ tag: 'total', text: 'abc' }));
    for (const [values, path] of [
      [[number], 'values.0.table'],
      [[{ tag: 'number', text: '1' }, large], 'values.1.table.columns'],
      [many, 'values'],
    ] as const) {
      const { data } = await run(create, { input: { form: 'invoice', values } });
      expect(pathsOf(data, 'createDocument')[0]).toBe(path);
    }
  });

  it('accepts what is stored and can be read', async () => {
    const { dms, run } = setUp({}, on);
    dms.reply('POST', '/api/v2/docForm/form/invoice', { _id: id }, { status: 201 });
    const values = valuesWith(1, '');
    const { data } = await run(create, { input: { form: 'invoice', values } });
    expect(data).toEqual({ createDocument: { __typename: 'CreateDocumentPayload' } });
    expect(dms.requests).toHaveLength(1);
  });

  it.each([
    ['off', { form: 'invoice', values: [{ tag: 'totl', text: '1' }] }, {}],
    ['on, with typed fields', { form: 'invoice', fields: { invoice: { number: '1' } } }, on],
    [
      'on, for a form that is not declared',
      { form: 'memo', values: [{ tag: 'a', text: '1' }] },
      on,
    ],
  ])('accepts if %s', async (_what, input, settings) => {
    const { dms, run } = setUp({}, settings);
    dms.reply('POST', `/api/v2/docForm/form/${input.form}`, { _id: id }, { status: 201 });
    const { data } = await run(create, { input });
    expect(data).toEqual({ createDocument: { __typename: 'CreateDocumentPayload' } });
  });

  it('reads the form of a document before a response, if a property names it', async () => {
    const { dms, run } = setUp({ documentProperty: 'form' }, on);
    dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id, form: invoice._id });
    const values = [
      { tag: 'totl', text: '1' },
      { tag: 'number', text: '' },
    ];
    const { data } = await run(respond, {
      input: { document: 'DOC-1', response: responseId, action: 'APPROVE', values },
    });
    expect(pathsOf(data, 'respondToDocument')).toEqual(['values.0', 'values']);
    expect(dms.requests).toEqual(['GET /api/v2/docForm/DOC-1?fields=_id,form']);
  });
});
