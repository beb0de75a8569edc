import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';
import { createResolvers } from '../helpers/resolvers.ts';
import { globalId, idOf } from '../helpers/ids.ts';

const full = '5f0000000000000000000abc';
const upper = full.toUpperCase();

/** Every place of a request where an ID comes in. */
const places = [
  'query ($id: ID!) { node(id: $id) { id } }',
  'query ($id: ID!) { nodes(ids: [$id]) { id } }',
  'query ($id: ID!) { document(id: $id) { state } }',
  'query ($id: ID!) { documentResponse(id: $id) { state } }',
  'query ($id: ID!) { organization(id: $id) { name } }',
  'query ($id: ID!) { listValue(id: $id) { status } }',
  'query ($id: ID!) { form(id: $id) { status } }',
  'query ($id: ID!) { person(id: $id) { email } }',
  'query ($id: ID!) { orgUnit(id: $id) { name } }',
  'query ($id: ID!) { documents(filter: { forms: [$id] }) { totalCount } }',
  'query ($id: ID!) { documents(filter: { authors: [$id] }) { totalCount } }',
  'mutation ($id: ID!) { createDocument(input: { form: $id }) { __typename } }',
  'mutation ($id: ID!) { respondToDocument(input: { document: $id, action: APPROVE }) { __typename } }',
  'mutation ($id: ID!) { moveDocument(input: { document: $id, action: RESEND }) { __typename } }',
  'mutation ($id: ID!) { moveDocuments(input: { moves: [{ document: $id, action: RESEND }] }) { results { __typename } } }',
  'mutation ($id: ID!) { deleteOrganization(input: { id: $id }) { __typename } }',
  'mutation ($id: ID!) { upsertOrganization(input: { name: "A", areaId: $id }) { __typename } }',
  'mutation ($id: ID!) { upsertListValue(input: { directory: $id, status: 1 }) { __typename } }',
  'mutation ($id: ID!) { updatePerson(input: { id: "usr-ann", deputy: { person: $id, enabled: true } }) { __typename } }',
  'mutation ($id: ID!) { upsertOrgUnit(input: { name: "A", members: [$id] }) { __typename } }',
];

describe('a number as an ID', () => {
  it('is rejected in each place of a request if it loses digits', async () => {
    const { dms, query } = await startGateway();
    for (const place of places) {
      const literal = place.replace(/ \(\$id: ID!\)/, '').replaceAll('$id', '9007199254740993');
      const byVariable = await query(place, { id: 9007199254740992 }); // 2^53 + 1, parsed
      const byLiteral = await query(literal);
      for (const { errors = [], data } of [byVariable, byLiteral]) {
        expect([place, data ?? null]).toEqual([place, null]);
        expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['BAD_USER_INPUT']);
        expect(errors[0]!.message).toContain('An ID beyond 2^53 must be a string');
      }
    }
    expect(dms.requests).toEqual([]);
  });

  it.each([9007199254740991, -9007199254740991, 7])('is the text of %d', async (id) => {
    const { run, dms } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${id}`, { _id: full });
    const query = 'query ($id: ID!) { document(id: $id) { fullId } }';
    expect((await run(query, { id })).data).toEqual({ document: { fullId: full } });
    const literal = `{ document(id: ${id}) { fullId } }`;
    expect((await run(literal)).data).toEqual({ document: { fullId: full } });
  });
});

describe('a full ID in upper case', () => {
  it.each([upper, globalId('Document', upper)])('is sent in lower case: %s', async (id) => {
    const { run, dms } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${full}`, { _id: full });
    const { data, errors } = await run(
      `{ document(id: "${id}") { id fullId } again: document(id: "${full}") { id } }`,
    );
    expect(errors).toBeUndefined();
    const own = globalId('Document', full);
    expect(data).toEqual({ document: { id: own, fullId: full }, again: { id: own } });
    expect(dms.requests).toEqual([`GET /api/v2/docForm/${full}?fields=_id`]);
  });

  it('is the same object for node, filters, inputs and system IDs of units', async () => {
    const { run, dms } = createResolvers();
    dms
      .reply('GET', '/api/v2/orgUnit/unit0a1f', { _id_sys: 'unit0a1f' })
      .reply('GET', /^\/api\/v2\/docForm\/view\//, [])
      .reply('DELETE', `/api/v2/crm/org/${full}`, null);
    const { errors } = await run(`{
      node(id: "${globalId('OrgUnit', 'unit0A1F')}") { id }
      orgUnit(id: "UNIT0A1F") { systemId }
      documents(filter: { forms: ["${upper}"] }) { nodes { id } }
    }`);
    expect(errors).toBeUndefined();
    await run(`mutation { deleteOrganization(input: { id: "${upper}" }) { __typename } }`);
    expect(dms.requests.map((line) => line.replace('/api/v2', ''))).toEqual([
      'GET /orgUnit/unit0a1f',
      `GET /docForm/view/all?first=0&pageSize=10&form=${full}&fields=_id`,
      `DELETE /crm/org/${full}`,
    ]);
  });

  it('is read in lower case from the DMS, and from the text of a value', async () => {
    const { run, dms } = createResolvers();
    dms
      .reply('GET', new RegExp(`^/api/v2/docForm/${idOf(1)}`), {
        _id: idOf(1).toUpperCase(),
        refByDocs: [upper],
        valuesByTags: { supplier: upper, other: full },
      })
      .reply('GET', `/api/v2/crm/org/${full}`, { _id: upper, name: 'Acme' });
    const { data, errors } = await run(`{ document(id: "${idOf(1)}") {
      fullId refByDocs { nodes { fullId } }
      values { ... on TextValue { text organization { fullId name } } }
    } }`);
    expect(errors).toBeUndefined();
    const organization = { fullId: full, name: 'Acme' };
    expect(data).toEqual({
      document: {
        fullId: idOf(1),
        refByDocs: { nodes: [{ fullId: full }] },
        values: [
          { text: upper, organization },
          { text: full, organization },
        ],
      },
    });
    expect(dms.requests).toHaveLength(2);
  });

  it('is kept as it is if it is no full ID', async () => {
    const { run, dms } = createResolvers();
    dms.reply('GET', '/api/v2/crm/org/ACME-1', { _id: full });
    await run('{ organization(id: "ACME-1") { fullId } }');
    expect(dms.requests).toEqual(['GET /api/v2/crm/org/ACME-1']);
  });
});
