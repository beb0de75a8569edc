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
