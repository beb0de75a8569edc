import { expect, it } from 'vitest';
import { loadCompiler } from '../../../src/server/graphql/compiled-operations.ts';
import { startGateway } from '../../helpers/gateway.ts';

const id = '5f0000000000000000000001';

it('writes variables within JSON literals, also in a mutation that was compiled', async () => {
  await loadCompiler();
  const { query, dms } = await startGateway({ server: { compileAfter: 1 } });
  dms.reply('POST', '/api/v2/crm/org', { _id: id });
  const text = (nameExt: string) =>
    `mutation ($x: JSON!) { upsertOrganization(input: { externalId: "e", nameExt: ${nameExt} }) { __typename } }`;
  for (const nameExt of ['[{ a: { b: [$x] } }]', '{ a: $x }', '[[$x]]', '[$x]']) {
    const { errors } = await query(text(nameExt), { x: 'value' });
    expect(errors).toBeUndefined();
  }
  const bodies = dms.received.map(({ body }) => (JSON.parse(body) as { nameExt: unknown }).nameExt);
  expect(bodies).toEqual([[{ a: { b: ['value'] } }], [{ a: 'value' }], [['value']], ['value']]);
});

it('executes a mutation like graphql-js, beside a query and in a fragment', async () => {
  await loadCompiler();
  const mutation = 'upsertOrganization(input: { externalId: "e" }) { __typename }';
  const texts = [
    `query Other { viewer { runAs } } mutation One { ...Fields } fragment Fields on Mutation { ${mutation} }`,
    `mutation One { ... on Mutation { once: ${mutation} } }`,
    'mutation One { __typename }',
  ];
  for (const status of [200, 503, 500]) {
    const [interpreted, compiled] = await Promise.all(
      [0, 1].map(async (compileAfter) => {
        const { fetch, dms } = await startGateway({ server: { compileAfter } });
        dms.reply('POST', '/api/v2/crm/org', { _id: id }, { status });
        const results = [];
        for (const query of texts) {
          const body = JSON.stringify({ query, operationName: 'One' });
          const headers = { 'content-type': 'application/json', 'x-request-id': 'same' };
          const response = await fetch('/graphql', { method: 'POST', headers, body });
          results.push(await response.json());
        }
        return { results, requests: dms.requests };
      }),
    );
    expect(compiled).toEqual(interpreted);
    expect(compiled?.results[2]).toEqual({ data: { __typename: 'Mutation' } });
  }
});
