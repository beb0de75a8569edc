import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { repeat } from 'rxjs';

export function connect(uri: string): ApolloClient {
  return new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() });
}

/** The document now and after each change. Subscribes again if the gateway completes the stream. */
export function watchDocument(client: ApolloClient, id: string) {
  const subscription = gql`
    subscription WatchDocument($id: ID!) {
      documentChanged(id: $id) {
        id
        shortId
        meta {
          revision
        }
      }
    }
  `;
  return client.subscribe({ query: subscription, variables: { id } }).pipe(repeat({ delay: 1000 }));
}
