import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';

it('reads back what it creates and changes', async () => {
  const { query } = await startGatewayOnSandbox();
  const found = await query('{ organizations(first: 1) { nodes { externalId } } }');
  const supplier: string = found.data.organizations.nodes[0].externalId;
  const fields = { number: 'RE-1', total: '2587.10', date: '2026-03-01' };
  const lines = [{ pos: '1', article: '紙 "A4"', quantity: '2.50', price: '1', amount: '2.50' }];
  const { data, errors } = await query(
    `mutation ($input: CreateDocumentInput!) { createDocument(input: $input) {
      ... on CreateDocumentPayload { document {
        id invoice { number total date supplier { externalId } lines { pos article quantity price amount } }
      } }
    } }`,
    { input: { form: 'invoice', fields: { invoice: { ...fields, supplier, lines } } } },
  );
  expect(errors).toBeUndefined();
  expect(data.createDocument.document.invoice).toEqual({
    ...fields,
    supplier: { externalId: supplier },
    lines,
  });
});
