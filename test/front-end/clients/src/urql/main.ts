import { CreateInvoice, Invoice } from '../documents.ts';
import { report, url, values } from '../invoice.ts';
import { createClient } from './client.ts';

async function main(): Promise<void> {
  const client = createClient(url);
  const { data, error } = await client.mutation(CreateInvoice, { invoice: values });
  const result = data?.createDocument;
  if (result?.__typename !== 'CreateDocumentPayload') throw error ?? new Error(result?.message);
  const { id, invoice: created } = result.document;
  const { error: problem } = await client.query(Invoice, { id });
  if (problem) throw problem;
  const cached = await client.query(Invoice, { id }, { requestPolicy: 'cache-only' });
  report({ created: created?.total, invoice: cached.data?.document?.invoice });
}

void main();
