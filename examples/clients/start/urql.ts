import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { graphcacheKeys } from 'dms-graphql-gateway/clients';
import schema from 'dms-graphql-gateway/introspection.json';

export const createClient = (url = '/graphql') =>
  new Client({
    url,
    exchanges: [cacheExchange({ schema, keys: graphcacheKeys(schema) }), fetchExchange],
    preferGetMethod: false, // in Node, and over HTTP without TLS, GET requires a header
  });
