import { graphql } from './generated/index.ts';

export const CreateInvoice = graphql(`
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

export const Invoice = graphql(`
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
