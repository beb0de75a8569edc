import { print } from 'graphql';
import type { TadaDocumentNode } from 'gql.tada';
import { report, url, values } from '../invoice.ts';
import { graphql } from './graphql.ts';

const CreateInvoice = graphql(`
  mutation CreateInvoice($invoice: InvoiceFieldsInput!) {
    createDocument(input: { form: "invoice", fields: { invoice: $invoice } }) {
      __typename
      ... on CreateDocumentPayload {
        document {
          id
          invoice {
            total
          }
        }
      }
      ... on Error {
        message
      }
    }
  }
`);

const Invoice = graphql(`
  query Invoice($id: ID!) {
    document(id: $id) {
      id
      invoice {
        total
        dueDate
        supplier {
          id
          name
        }
        items {
          article
          quantity
          amount
        }
      }
    }
  }
`);

async function execute<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function main(): Promise<void> {
  const { createDocument: result } = await execute(CreateInvoice, { invoice: values });
  if (result.__typename !== 'CreateDocumentPayload') throw new Error(result.message);
  const { id, invoice: created } = result.document;
  const { document } = await execute(Invoice, { id });
  report({ created: created?.total, invoice: document?.invoice });
}

void main();
