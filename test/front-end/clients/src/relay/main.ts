import { commitMutation, fetchQuery } from 'relay-runtime';
import { report, url, values } from '../invoice.ts';
import { createClient } from './client.ts';
import CreateInvoice, {
  type documentsCreateInvoiceMutation,
} from './__generated__/documentsCreateInvoiceMutation.graphql.ts';
import Invoice, {
  type documentsInvoiceQuery,
} from './__generated__/documentsInvoiceQuery.graphql.ts';

const environment = createClient(url);

const create = (): Promise<documentsCreateInvoiceMutation['response']> =>
  new Promise((resolve, reject) => {
    commitMutation<documentsCreateInvoiceMutation>(environment, {
      mutation: CreateInvoice,
      variables: { invoice: values },
      onCompleted: resolve,
      onError: reject,
    });
  });

async function main(): Promise<void> {
  const { createDocument: result } = await create();
  if (result.document == null) throw new Error(result.message);
  const { id, invoice: created } = result.document;
  const read = await fetchQuery<documentsInvoiceQuery>(environment, Invoice, { id }).toPromise();
  report({ created: created?.total, invoice: read?.document?.invoice });
}

void main();
