import { Client, fetchExchange, gql } from '@urql/core';

export function connect(url: string): Client {
  return new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
}

const query = gql`
  query DocumentDetails($id: ID!) {
    document(id: $id) {
      id
      shortId
      ... @defer {
        recognizedText {
          text
        }
      }
      refByDocs {
        nodes @stream(initialCount: 1) {
          id
          shortId
        }
      }
    }
  }
`;

/** Emits the data of all parts so far, again with each part. `hasNext` is false in the last result. */
export function watchDocument(client: Client, id: string) {
  return client.query(query, { id });
}
