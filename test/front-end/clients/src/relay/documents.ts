import { graphql } from 'relay-runtime';

export const createInvoice = graphql`
  mutation documentsCreateInvoiceMutation($invoice: InvoiceFieldsInput!) {
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
`;

export const invoice = graphql`
  query documentsInvoiceQuery($id: ID!) {
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
`;
