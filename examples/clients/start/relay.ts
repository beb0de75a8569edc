import { createRelayFetch } from 'dms-graphql-gateway/clients';
import { Environment, Network, RecordSource, Store } from 'relay-runtime';

export const createClient = (url = '/graphql') =>
  new Environment({
    network: Network.create(createRelayFetch(url)),
    store: new Store(new RecordSource()),
  });
