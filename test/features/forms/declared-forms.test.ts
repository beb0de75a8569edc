import { isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { readForms } from '../../../src/features/forms/read-forms.ts';
import { printSchemaOf, startGateway, type GatewayConfig } from '../../../src/index.ts';
import { schemaWith } from '../../../src/schema/index.ts';
import { customField, formsFile, wireForm } from '../../helpers/forms.ts';
import { startGateway as startTestGateway } from '../../helpers/gateway.ts';
import { globalId, idOf } from '../../helpers/ids.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const invoice = wireForm('invoice', [customField('string', 'number')]);
const query =
  'query ($forms: [ID!], $after: String) { documents(filter: { forms: $forms }, first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }';

/** A DMS with documents, and the requests for them without paging and projection. */
function setUp() {
  const resolvers = createResolvers({ config: { forms: { file: formsFile([invoice]) } } });
  resolvers.dms.reply('GET', /^\/api\/v2\/docForm\/view\//, [{ _id: idOf(1) }]);
  const filters = () => resolvers.dms.requests.map((line) => /&(form=[^&]*)/.exec(line)?.[1]);
  return { ...resolvers, filters };
}

it('takes short IDs of declared forms in a filter, also with a cursor of their full IDs', async () => {
  const { run, filters } = setUp();
  const { data } = await run(query, { forms: [invoice._id] });
  const { endCursor } = (data as { documents: { pageInfo: { endCursor: string } } }).documents
    .pageInfo;
  const { errors } = await run(query, { forms: ['invoice'], after: endCursor });
  expect(errors).toBeUndefined();
  expect(filters()).toEqual([`form=${invoice._id}`, `form=${invoice._id}`]);
});

it.each(['invoise', globalId('Form', 'invoise'), globalId('Person', 'usr-ann'), ''])(
  'rejects %j in a filter before a request',
  async (form) => {
    const { run, dms } = setUp();
    const { codes } = await run(query, { forms: [form] });
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  },
);

it('counts what typed fields read before the write', async () => {
  const file = formsFile([wireForm('invoice', [customField('date', 'due')])]);
  const forms = readForms({ file, documentProperty: 'form' }, null, false);
  const gateway = await startTestGateway({ parts: { forms } });
  const costOnly = { 'x-cost-only': '1' };
  const mutation =
    'mutation { respondToDocument(input: { document: "DOC-1", action: APPROVE, fields: { invoice: { due: "x" } } }) { __typename } }';
  const { extensions } = await gateway.query(mutation, {}, costOnly);
  expect(extensions).toEqual({ cost: { atLeast: 1, upstreamCalls: 3 } });
  const { extensions: ofForms } = await gateway.query('{ forms { title } }', {}, costOnly);
  expect(ofForms).toEqual({ cost: { atLeast: 0, upstreamCalls: 0 } });
});

it('lets a team add fields to the types of forms', () => {
  const forms = readForms({ file: formsFile([invoice]) }, null, false);
  const extended = schemaWith(forms, (builder) => {
    const ref = builder.objectRef<object>('InvoiceFields');
    builder.objectField(ref, 'added', (t) => t.int({ resolve: () => 1 }));
  });
  const type = extended.getType('InvoiceFields');
  expect(isObjectType(type) && Object.keys(type.getFields())).toEqual(['added', 'number']);
});

it('serves the schema that is printed for a configuration, on the sandbox, too', async () => {
  const form = wireForm('memo', [
    customField('date', 'sent'),
    customField('person', 'reader'),
    customField('crmOrg', 'org'),
  ]);
  const config: GatewayConfig = { forms: { file: formsFile([form]), names: { memo: 'note' } } };
  await using gateway = await startGateway({}, { config });
  const text = await (await fetch(`${gateway.url}/schema.graphql`)).text();
  expect(text).toBe(await printSchemaOf(config));
  expect(text).toMatch(/type NoteFields \{[^}]+ sent: String\n/);
  expect(text).not.toMatch(/InvoiceFields|^  form: Form$/m);
});

it.each([
  ['is empty', [], 1],
  ['has a form without fields', [wireForm('memo', [])], 1],
  ['has a form with fields', [wireForm('memo', [customField('string', 'title')])], 0],
])('warns if no form is typed: the file %s', async (_what, forms, count) => {
  const lines: string[] = [];
  const file = formsFile(forms);
  const onLog = (line: string): void => void lines.push(line);
  await using _gateway = await startGateway(
    { DMS_URL: 'http://127.0.0.1:9' },
    { onLog, config: { forms: { file } } },
  );
  const warnings = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(warnings.filter(({ msg }) => String(msg).includes('form'))).toMatchObject(
    Array.from({ length: count }, () => ({
      level: 40,
      msg: 'no form has fields, so none is typed',
      file,
    })),
  );
});
