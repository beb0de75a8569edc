import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists';

interface Manifest {
  operations: { id: string; name: string }[];
}

/** In an application: `loadManifest: () => import('./persisted-query-manifest.json')`. */
export function connect(uri: string, loadManifest: () => Promise<Manifest>): ApolloClient {
  const ids = new PersistedQueryLink(generatePersistedQueryIdsFromManifest({ loadManifest }));
  return new ApolloClient({ link: ids.concat(new HttpLink({ uri })), cache: new InMemoryCache() });
}
