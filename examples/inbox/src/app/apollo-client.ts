import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { createIdentityLink, createRenewalLink } from '../client/identity-link.ts';
import { createMutationLink } from '../client/mutations-in-flight.ts';
import { createResultLink } from '../client/result-link.ts';
import { createConnectionLink } from '../features/connection/connection.ts';
import type { Session } from '../features/session/session.ts';
import { createTraceLink } from '../features/trace/trace.ts';
import possibleTypes from '../gql/possible-types.ts';
import { createGatewayLink } from './gateway-link.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Query {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/** Creates the client of one person for the gateway that serves this page. */
export function createApolloClient(session: Session, personId: string | null): ApolloClient {
  const client: ApolloClient = new ApolloClient({
    link: ApolloLink.from([
      createTraceLink(),
      createMutationLink(),
      createConnectionLink(() => client),
      createResultLink(),
      createRenewalLink(session, personId),
      createIdentityLink(session, personId),
      createGatewayLink(),
    ]),
    cache: new InMemoryCache({
      ...possibleTypes,
      typePolicies: {
        // Their IDs are unique only within a document: they are part of the object that contains them.
        File: { keyFields: false },
        RecoData: { keyFields: false },
        RecoForm: { keyFields: false },
        // Queries select different parts of this object, which has no ID.
        Meta: { merge: true },
        Document: { fields: { refByDocs: { merge: false } } },
      },
    }),
    // The gateway sends deferred fragments in this format.
    incrementalHandler: new Defer20220824Handler(),
    defaultOptions: {
      // A part that the DMS could not deliver is null, and the page shows the other parts.
      watchQuery: { errorPolicy: 'all' },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
  return client;
}
