import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from 'dms-graphql-gateway/clients';

export const createClient = (uri: string) =>
  new ApolloClient({
    link: new HttpLink({ uri }),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: { ...typePolicies, InvoiceFields: { merge: true } },
    }),
  });
