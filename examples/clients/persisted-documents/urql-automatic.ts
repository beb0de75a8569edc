import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

export function connect(url: string): Client {
  return new Client({
    url,
    exchanges: [persistedExchange({ enableForMutation: true }), fetchExchange],
    fetchOptions: { headers: { 'apollo-require-preflight': 'true' } },
    preferGetMethod: false, // what is not persisted goes by POST
  });
}
