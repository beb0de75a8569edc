import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';

export function connect(uri: string): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri }),
    cache: new InMemoryCache(),
    incrementalHandler: new Defer20220824Handler(),
  });
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

/** Emits the data of all parts so far, again with each part. `errorPolicy: 'all'` keeps what came without errors. */
export function watchDocument(client: ApolloClient, id: string) {
  return client.watchQuery({ query, variables: { id }, errorPolicy: 'all' });
}
