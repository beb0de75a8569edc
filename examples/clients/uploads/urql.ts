import { Client, fetchExchange, gql } from '@urql/core';

export function connect(url: string): Client {
  return new Client({
    url,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { 'apollo-require-preflight': 'true' } },
    preferGetMethod: false, // urql's default sends short queries and their variables in the URL
  });
}

export function createPurchase(client: Client, subject: string, files: readonly File[]) {
  const mutation = gql`
    mutation CreatePurchase($input: CreateDocumentInput!) {
      createDocument(input: $input) {
        ... on CreateDocumentPayload {
          document {
            id
            files {
              name
              url
            }
          }
        }
        ... on Error {
          message
        }
      }
    }
  `;
  const values = [{ tag: 'subject', text: subject }];
  return client.mutation(mutation, { input: { form: 'purchase', values, files } }).toPromise();
}
