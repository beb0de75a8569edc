import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { possibleTypes } from 'dms-graphql-gateway/clients';

export function connect(uri: string): ApolloClient {
  return new ApolloClient({
    link: new UploadHttpLink({ uri, headers: { 'apollo-require-preflight': 'true' } }),
    // Without possible types, the cache drops the fields of fragments on interfaces, such as `... on Error`.
    cache: new InMemoryCache({ possibleTypes }),
  });
}

export function createPurchase(client: ApolloClient, subject: string, files: readonly File[]) {
  return client.mutate({
    mutation: gql`
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
    `,
    variables: { input: { form: 'purchase', values: [{ tag: 'subject', text: subject }], files } },
  });
}
