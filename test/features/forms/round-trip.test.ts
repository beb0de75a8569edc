import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const types = {
  string: 'String',
  number: 'Decimal',
  date: 'Date',
  time: 'DateTime',
  flag: 'Boolean',
  org: 'Organization',
  person: 'Person',
  unit: 'OrgUnit',
  listValue: 'ListValue',
  document: 'Document',
  strings: '[String]',
  numbers: '[Decimal]',
  dates: '[Date]',
  times: '[DateTime]',
  flags: '[Boolean]',
  documents: '[Document]',
  people: '[Person]',
  table: 'Table',
};
const columns = [
  customField('string', 'Article'),
  customField('number', 'Net amount', { required: true }),
  customField('date', 'Due'),
  customField('documents', 'Orders'),
];
const plain = Object.keys(types).map((type) => customField(type, type));
const form = wireForm('all', [...plain, customField('table', 'rows', { columns })]);
const selection = `{ string number date time flag org { id } person { id } unit { id } listValue { id }
  document { id } strings numbers dates times flags documents { id } people { id }
  table { columns rows } rows { article netAmount due orders { id } } }`;
const responseId = '5f0000000000000000000002';

const id = fc.stringMatching(/^[\da-f]{24}$/);
const person = id.map((end) => `usr-${end}`);
const text = fc.string({ unit: 'grapheme' });
const number = fc.stringMatching(/^-?\d{1,30}(\.\d{1,20})?$/);
const date = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') })
  .map((one) => one.toISOString().slice(0, 10));
/** Every form of ISO 8601 that is read: with other digits, zones and separators, or without a time. */
const timestamp = fc
  .tuple(
    date,
    fc.constantFrom('T', ' '),
    fc.constantFrom('00:00', '09:30', '23:59', '24:00'),
    fc.constantFrom('', ':00', ':00.0', ':00.000', ':00.120', ':00.123456789'),
    fc.constantFrom('Z', '', '+00:00', '-11:00', '+14:00', '+0530'),
  )
  .map((parts) => parts.join(''))
  .filter((one) => !/24:00:00\.\d*[1-9]/.test(one)); // does not exist
const day = fc.oneof(date, timestamp);
const flag = fc.constantFrom('true', 'false');
const list = (item: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.constantFrom('', ' ', '  '), item, fc.constantFrom('', ' ')), {
      minLength: 1,
    })
    .map((items) => items.map((parts) => parts.join('')).join(','));
const orEmpty = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: value }, fc.constant(''));
/** The cells of rows by the names of their columns, which can be in any order, and of which rows need not have all. */
const tableOf = (cells: Readonly<Record<string, fc.Arbitrary<string>>>) =>
  fc
    .shuffledSubarray(Object.keys(cells))
    .chain((header) =>
      fc
        .array(
          fc
            .tuple(fc.nat({ max: header.length }), ...header.map((name) => cells[name]!))
            .map(([length, ...row]) => row.slice(0, length)),
        )
        .map((rows) => [header, ...rows]),
    );
const orNoRows = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant([]), fc.constant([[]]));

/** Values as the DMS stores them. */
const values = fc.record({
  string: text,
  number: orEmpty(number),
  date: orEmpty(day),
  time: orEmpty(day),
  flag: orEmpty(flag),
  org: orEmpty(id),
  person: orEmpty(person),
  unit: orEmpty(fc.stringMatching(/^unit[\da-f]{4}$/)),
  listValue: orEmpty(id),
  document: orEmpty(id),
  strings: text,
  numbers: orEmpty(list(number)),
  dates: orEmpty(list(day)),
  times: orEmpty(list(day)),
  flags: orEmpty(list(flag)),
  documents: orEmpty(list(id)),
  people: orEmpty(list(person)),
  table: orNoRows(tableOf({ a: text, b: text, c: text })),
  rows: orEmpty(
    orNoRows(
      tableOf({
        Article: text,
        'Net amount': orEmpty(number),
        Due: orEmpty(day),
        Orders: orEmpty(list(id)),
        Extra: text,
      }),
    ),
  ),
});

/** The result of a query as an input: objects become their IDs, unless they are tables and rows. */
function asInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInput);
  if (typeof value !== 'object' || value === null) return value;
  if ('id' in value) return value.id;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asInput(one)]));
}

it('writes back every value that was read without a change', async () => {
  const { dms, run } = createResolvers({ config: { forms: { file: formsFile([form]), types } } });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(values, async (stored) => {
      const document = `DOC-${(count += 1)}`;
      dms
        .reply('GET', `/api/v2/docForm/${document}`, { _id: responseId, valuesByTags: stored })
        .reply('PUT', `/api/v2/docForm/${document}/docResponse/${responseId}`, {});
      const read = await run(`{ document(id: "${document}") { all ${selection} } }`);
      expect(read.codes).toEqual([]);
      const { all } = read.data!['document'] as { all: unknown };
      const fields = { all: asInput(all) };
      const input = { document, response: responseId, action: 'APPROVE', fields };
      const { data } = await run(
        `mutation ($input: RespondToDocumentInput!) {
          respondToDocument(input: $input) {
            __typename ... on Error { message } ... on ValidationError { issues { path message } } } }`,
        { input },
      );
      expect(data).toEqual({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
      const { docForm } = JSON.parse(dms.received.at(-1)!.body) as { docForm: unknown };
      expect(docForm).toEqual({ valuesByTags: stored });
    }),
  );
});
