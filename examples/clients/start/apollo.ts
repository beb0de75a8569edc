import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { possibleTypes, typePolicies } from 'dms-graphql-gateway/clients';

export const createClient = (uri = '/graphql') =>
  new ApolloClient({
    link: new HttpLink({ uri }),
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
    incrementalHandler: new Defer20220824Handler(),
  });
