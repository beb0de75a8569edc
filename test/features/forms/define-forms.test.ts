import { printSchema, printType, type GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readForms } from '../../../src/features/forms/read-forms.ts';
import type { FormOptions } from '../../../src/model/form.ts';
import { schemaWith } from '../../../src/schema/index.ts';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';

const read = (content: unknown, options: FormOptions = {}) =>
  readForms({ file: formsFile(content), ...options }, null, false);

/** The message of the error for a list of forms. */
function problemOf(content: unknown, options: FormOptions = {}): string {
  try {
    read(content, options);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

const print = (one: GraphQLSchema, name: string): string => printType(one.getType(name)!);

describe('the forms file', () => {
  it.each([
    ['is not JSON', '[', 'forms.json has no valid forms'],
    ['is no list', { forms: [] }, 'It is not a list of forms.'],
    ['contains something else', [1], 'Entry 0 is not a form with `_id`.'],
    ['is huge', ' '.repeat(9 * 2 ** 20), 'more than 8388608 bytes'],
    [
      'contains a form twice',
      [wireForm('a', []), wireForm('a', [])],
      "form 'a': the file contains",
    ],
  ])('is rejected if it %s', (_what, content, message) => {
    expect(problemOf(content)).toContain(message);
  });

  it('can begin with a byte order mark, and contain any type of fields', () => {
    const form = wireForm('invoice', [customField('constructor', 'number')]);
    expect(problemOf(`\uFEFF${JSON.stringify([form])}`)).toBe('none');
  });

  it('is rejected if it does not exist or is no file', () => {
    expect(() => readForms({ file: '/nothing.json' }, null, false)).toThrow('/nothing.json');
    expect(() => readForms({ file: '/dev/zero' }, null, false)).toThrow('It is not a file.');
  });

  it.each([
    [
      'begins with a digit',
      '2nd',
      `form 'invoice', tag '2nd': '2nd' is not a GraphQL name. Add to \`names\`: 'invoice.2nd': 'field2nd'`,
    ],
    ['is in another script', 'Сума', `Add to \`names\`: 'invoice.Сума': 'field'`],
    ['is invisible', '\u202e\u009b', String.raw`'invoice.\u{202e}\u{9b}': 'field'`],
    ['is long', '1'.repeat(200), `'invoice.${'1'.repeat(200)}': 'field1`],
    ['is empty', '', "form 'invoice': field 2 has no `fieldName`"],
    ['occurs twice', 'number', "form 'invoice', tag 'number': defined twice"],
    [
      'has the name of another one',
      'Number',
      `the name 'number' is taken. Add to \`names\`: 'invoice.Number': 'numberField'`,
    ],
    ['has two underscores', '__proto__', 'none'],
    [
      'is that of a property of every object',
      'to-string',
      `the name 'toString' is reserved. Add to \`names\`: 'invoice.to-string': 'toStringField'`,
    ],
  ])('is rejected with form and tag if a tag %s', (_what, tag, message) => {
    const form = wireForm('invoice', [customField('string', 'number'), customField('string', tag)]);
    expect(problemOf([form])).toContain(message);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'gives no form, field or column the name of the inherited property %s',
    (name) => {
      const columns = [customField('string', name)];
      const table = customField('table', 'lines', { columns });
      const forms = [
        wireForm(name, [customField('string', 'number')]),
        wireForm('invoice', [customField('string', name), table]),
      ];
      const options = { types: { table: 'Table' } };
      const suggested = problemOf(forms, options).matchAll(/`names`: '([^']+)': '([^']+)'/g);
      const names = Object.fromEntries([...suggested].map(([, key, other]) => [key!, other!]));
      const { typed } = read(forms, { ...options, names });
      const fields = typed.flatMap((form) => form.fields);
      const all = [...typed, ...fields, ...fields.flatMap((field) => field.columns)];
      expect(all.map((one) => one.name).filter((one) => one in Object.prototype)).toEqual([]);
      // In `names`, they are rejected too.
      const bad = { 'invoice.lines': name };
      expect(problemOf(forms, { ...options, names: { ...names, ...bad } })).not.toBe('none');
    },
  );

  it('names every problem, and is accepted with the suggested names', () => {
    const forms = [
      wireForm('author', [customField('string', 'Näme'), customField('string', '1')]),
      wireForm('sums', [customField('string', 'Сума'), customField('string', '合計')]),
      wireForm('file', [customField('string', 'a')]),
      wireForm('Document', [customField('string', 'a')]),
    ];
    const problems = problemOf(forms);
    const suggested = [...problems.matchAll(/`names`: '([^']+)': '([^']+)'/g)];
    expect(suggested.map(([, key]) => key)).toEqual([
      'author',
      'author.Näme',
      'author.1',
      'sums.Сума',
      'sums.合計',
      'Document',
    ]);
    const names = Object.fromEntries(suggested.map(([, key, name]) => [key!, name!]));
    expect(problemOf(forms, { names })).toBe('none');
  });

  it.each([
    ['names', { 'invoice.totl': 'total' }],
    ['types', { 'invoice.totl': 'Decimal' }],
    ['types', { crmorg: 'Organization' }],
  ])('is rejected if %s contains something that does not exist', (option, values) => {
    const form = wireForm('invoice', [customField('number', 'total')]);
    expect(problemOf([form], { [option]: values })).toContain(
      `${option}: no form, field or field type of the file is '${Object.keys(values)[0]}'`,
    );
  });

  it.each([
    [{ types: { number: 'Float' } }, "the type 'Float' of `types` is none of String, Decimal"],
    [{ types: { number: '[Table]' } }, 'a Table cannot be in a column or a list'],
    [{ documentProperty: 'docResponse' }, 'documentProperty "docResponse" is not the name'],
  ])('is rejected with the options %o', (options, message) => {
    const form = wireForm('invoice', [customField('number', 'total')]);
    expect(problemOf([form], options)).toContain(message);
  });
});

describe('the types of forms', () => {
  it('have names in camelCase, types of the file, and labels as descriptions', () => {
    const lines = customField('table', 'Line items', {
      columns: [customField('number', 'Net amount'), customField('crmOrg', 'Vendor')],
    });
    const form = wireForm('sales-invoice', [
      customField('crmOrg', 'SUPPLIER', { name: { en: 'Supplier', de: 'Lieferant' } }),
      customField('unknown', 'cost_centre'),
      customField('docs', 'refdocs'),
      lines,
      customField('table', 'other'),
    ]);
    const types = { number: 'Decimal', docs: '[Document]', table: 'Table' };
    const typed = schemaWith(read([form], { types, names: { 'sales-invoice.other': 'rest' } }));
    expect(print(typed, 'SalesInvoiceFields').replaceAll(/ *"""[\s\S]*?"""\n|\n(?=\n)/g, '')).toBe(
      `type SalesInvoiceFields {
  costCentre: String
  lineItems: [SalesInvoiceLineItemsRow!]
  refdocs: [Document]
  rest: TableValue
  supplier: Organization
}`,
    );
    expect(print(typed, 'SalesInvoiceFields')).toContain(
      '`SUPPLIER`: Supplier (en), Lieferant (de).',
    );
    const row = typed.getType('SalesInvoiceLineItemsRow')!;
    expect(printType(row)).toContain('netAmount: Decimal');
    expect(printType(row)).toContain('vendor: Organization');
    expect(print(typed, 'Document')).toContain('salesInvoice: SalesInvoiceFields');
  });

  it('survive hostile labels', () => {
    const name = { en: 'a """quoted""" \u202e\n`label`\\', '"]': 'x'.repeat(1000), xx: '' };
    const form = wireForm('invoice', [customField('string', 'number', { name })], {
      doctitle_en: '"""\u2067 } type Query { a: Int }',
    });
    const printed = printSchema(schemaWith(read([form])));
    expect(printed).not.toMatch(/[\u202e\u2067]/);
    expect(printed).toContain('number: String');
    expect(printed.match(/^type Query /gm)).toHaveLength(1);
  });

  it('do not exist for a form without fields', () => {
    const forms = read([wireForm('fax', [])]);
    expect(forms.all).toHaveLength(1);
    expect(schemaWith(forms).getType('FaxFields')).toBeUndefined();
  });
});
