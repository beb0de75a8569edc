import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';

export function connect(uri: string): ApolloClient {
  const ids = new PersistedQueryLink({
    // GraphQL Code Generator stores the ID in the document.
    generateHash: (document) =>
      (document as unknown as { __meta__: { hash: string } }).__meta__.hash,
  });
  return new ApolloClient({ link: ids.concat(new HttpLink({ uri })), cache: new InMemoryCache() });
}
