import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { GraphQLObjectType, GraphQLSchema, GraphQLString, type GraphQLFieldConfig } from 'graphql';
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

/* Gateways with another schema than their own, for tests of the pipeline. */

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>;

export const text = { type: GraphQLString };

/** Starts a gateway with a schema of these fields. */
export function startWithFields(
  fields: { readonly query?: Fields; readonly mutation?: Fields; readonly subscription?: Fields },
  { parts, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { query = { ok: text }, mutation, subscription } = fields;
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    ...(mutation && { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation }) }),
    ...(subscription && {
      subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscription }),
    }),
  });
  return startGateway({ ...options, parts: { schema, ...parts } });
}

/** The same with the plugin useDeferStream, which adds the directives. */
export const startWithDefer = (
  fields: Parameters<typeof startWithFields>[0],
  options: TestGatewayOptions = {},
): Promise<TestGateway> =>
  startWithFields(fields, { ...options, parts: { plugins: [useDeferStream()] } });

/** A field `fast` that resolves at once, and `slow` below it, which can be large or fail. */
export const nested = (slow: () => unknown) => ({
  type: new GraphQLObjectType({
    name: 'Nested',
    fields: { fast: { ...text, resolve: () => 'fast' }, slow: { ...text, resolve: slow } },
  }),
  resolve: () => ({}),
});

/** Sends a query whose client accepts these types. */
export function ask(
  gateway: TestGateway,
  query: string,
  accept: string,
  variables: object = {},
): Promise<Response> {
  return gateway.post({ query, variables }, { accept });
}
