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
  document: 'Document',
  documents: '[Document]',
  numbers: '[Decimal]',
  table: 'Table',
};
const columns = [customField('string', 'Article'), customField('number', 'Net amount')];
const plain = Object.keys(types).map((type) => customField(type, type));
const form = wireForm('all', [...plain, customField('table', 'rows', { columns })]);
const selection = `{ string number date time flag org { fullId } person { systemId }
  document { fullId } documents { fullId } numbers table { columns rows }
  rows { article netAmount } }`;
const responseId = '5f0000000000000000000002';

const id = fc.stringMatching(/^[\da-f]{24}$/);
const text = fc.string({ unit: 'grapheme' });
const number = fc.stringMatching(/^-?\d{1,30}(\.\d{1,20})?$/);
const instant = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') });
const list = (item: fc.Arbitrary<string>) => fc.array(item, { minLength: 1 }).map(String);
const orEmpty = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: value }, fc.constant(''));
const rowsOf = (header: string[], ...cells: fc.Arbitrary<string>[]) =>
  fc.array(fc.tuple(...cells)).map((rows) => [header, ...rows]);

/** Values as the DMS stores them. */
const values = fc.record({
  string: text,
  number: orEmpty(number),
  date: orEmpty(instant.map((date) => date.toISOString().slice(0, 10))),
  time: orEmpty(instant.map((date) => date.toISOString())),
  flag: orEmpty(fc.constantFrom('true', 'false')),
  org: orEmpty(id),
  person: orEmpty(id.map((end) => `usr-${end}`)),
  document: orEmpty(id),
  documents: orEmpty(list(id)),
  numbers: orEmpty(list(number)),
  table: rowsOf(['a', 'b'], text, text),
  rows: orEmpty(rowsOf(['Article', 'Net amount'], text, orEmpty(number))),
});

/** The result of a query as an input: objects become their IDs, unless they are tables and rows. */
function asInput(read: Record<string, unknown>): Record<string, unknown> {
  const idOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(idOf);
    const object = value as { fullId?: string; systemId?: string } | null;
    return object?.fullId ?? object?.systemId ?? value;
  };
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, idOf(value)]));
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
      const { all } = read.data!['document'] as { all: Record<string, unknown> };
      const fields = { all: asInput(all) };
      const input = { document, response: responseId, action: 'APPROVE', fields };
      const { data } = await run(
        `mutation ($input: RespondToDocumentInput!) {
          respondToDocument(input: $input) { __typename ... on Error { message } } }`,
        { input },
      );
      expect(data).toEqual({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
      const { docForm } = JSON.parse(dms.received.at(-1)!.body) as { docForm: unknown };
      expect(docForm).toEqual({ valuesByTags: stored });
    }),
  );
});
