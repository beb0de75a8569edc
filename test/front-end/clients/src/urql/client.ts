import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { graphcacheKeys } from 'dms-graphql-gateway/clients';
import schema from '../generated/introspection.ts';

export const createClient = (url: string) =>
  new Client({
    url,
    exchanges: [cacheExchange({ schema, keys: graphcacheKeys(schema) }), fetchExchange],
    preferGetMethod: false,
  });
