import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';

const invoiceForm = '65f000005eed00f000000001';

it('reads 20 invoices with their suppliers in one call per page and organization', async () => {
  const { query, requests } = await startGatewayOnSandbox();
  const { data, errors } = await query(
    `{ documents(first: 20, filter: { forms: ["${invoiceForm}"] }) { nodes { invoice {
      number total date supplier { id name } currency { id } lines { article quantity amount }
    } } } }`,
  );
  expect(errors).toBeUndefined();
  const invoices: { supplier: { id: string }; lines: object[] }[] = data.documents.nodes.map(
    ({ invoice }: { invoice: unknown }) => invoice,
  );
  expect(invoices).toHaveLength(20);
  expect(invoices.every(({ lines }) => lines.length > 0)).toBe(true);
  const suppliers = new Set(invoices.map(({ supplier }) => supplier.id));
  expect(requests).toHaveLength(1 + suppliers.size);
});

it('shows forms and labels to a user without a role', async () => {
  const { query, requests } = await startGatewayOnSandbox({
    server: { identity: { mode: 'passthrough' }, credential: null },
  });
  const { data, errors } = await query(
    '{ forms { shortId } form(id: "leave") { title(language: "de") } }',
    {},
    { authorization: 'Bearer nobody' },
  );
  expect(errors).toBeUndefined();
  expect(data.form).toEqual({ title: 'Urlaubsantrag' });
  expect(data.forms).toHaveLength(7);
  expect(requests).toEqual([]);
});

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
