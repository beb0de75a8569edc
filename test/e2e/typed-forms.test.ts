import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';

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
