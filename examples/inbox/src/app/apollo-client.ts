import { ApolloClient, ApolloLink, DocumentTransform, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import {
  areFormsDeclared,
  createDeclaredFormsLink,
  withoutDeclaredForms,
} from '../client/declared-forms.ts';
import { createIdentityLink, createRenewalLink } from '../client/identity-link.ts';
import { readDocuments } from '../client/leaving-documents.ts';
import { createMutationLink } from '../client/mutations-in-flight.ts';
import { createResultLink } from '../client/result-link.ts';
import { createConnectionLink } from '../features/connection/connection.ts';
import type { Session } from '../../../ui/session.ts';
import { createTraceLink } from '../features/trace/trace.ts';
import possibleTypes from '../gql/possible-types.ts';
import { createGatewayLink } from './gateway-link.ts';

const formTypes = ['Contract', 'Invoice', 'Leave', 'Letter', 'Memo', 'Policy', 'Purchase'];

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

export function createApolloClient(session: Session, personId: string | null): ApolloClient {
  const client: ApolloClient = new ApolloClient({
    link: ApolloLink.from([
      createTraceLink(),
      createDeclaredFormsLink(),
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
        ...Object.fromEntries(formTypes.map((name) => [`${name}Fields`, { merge: true }])),
        Query: { fields: { documents: { read: readDocuments } } },
        Document: { fields: { refByDocs: { merge: false } } },
      },
    }),
    ...(!areFormsDeclared.get() && {
      documentTransform: new DocumentTransform(withoutDeclaredForms),
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
