import { addMocksToSchema, type IMocks } from '@graphql-tools/mock';
import { buildSchema, graphql as executeSource } from 'graphql';
import { HttpResponse } from 'msw';
import { graphql } from 'msw/graphql';
import typeDefs from '../../../schema.graphql?raw';

const schema = buildSchema(typeDefs);

/** Values of the scalars that a mock does not set. */
const scalars: IMocks = {
  DateTime: () => '2026-01-31T12:00:00.000Z',
  JSON: () => null,
  JSONObject: () => ({}),
  ObjectID: () => '65f000005eed00d000000001',
  URL: () => 'https://gateway.example/files/1',
};

/**
 * A request handler of MSW that answers every operation from the schema. A query for a field that the schema does not
 * have gets the error that the gateway would send.
 *
 * @param url of the GraphQL endpoint
 * @param mocks values by type; fields without a value get one of their type, lists get two items
 */
export function mockGateway(url: string, mocks: IMocks = {}) {
  const mocked = addMocksToSchema({ schema, mocks: { ...scalars, ...mocks } });
  return graphql
    .link(url)
    .operation(async ({ query, variables }) =>
      HttpResponse.json(
        await executeSource({ schema: mocked, source: query, variableValues: variables }),
      ),
    );
}
