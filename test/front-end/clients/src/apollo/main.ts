import { CreateInvoice, Invoice } from '../documents.ts';
import { report, url, values } from '../invoice.ts';
import { createClient } from './client.ts';

async function main(): Promise<void> {
  const client = createClient(url);
  const variables = { invoice: values };
  const { data } = await client.mutate({ mutation: CreateInvoice, variables });
  const result = data?.createDocument;
  if (result?.__typename !== 'CreateDocumentPayload') throw new Error(result?.message);
  const { id, invoice: created } = result.document;
  await client.query({ query: Invoice, variables: { id } });
  const cached = client.readQuery({ query: Invoice, variables: { id } });
  report({ created: created?.total, invoice: cached?.document?.invoice });
}

void main();
