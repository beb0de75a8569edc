import type { GraphQLSchema } from 'graphql';
import { answerDirectly, canBeDirect, isDirect } from './direct-execution.ts';
import type { Exchange } from '../http/http-exchange.ts';
import { fetchAPI, type LightResponse } from '../http/fetch-api.ts';
import { createPlugins, type PluginOptions, type PluginParts } from './plugins.ts';
import { createYoga } from './yoga-packages.ts';

/** Answers a GraphQL request of any kind. Rejects only if Yoga itself fails. */
export type AnswerGraphQL = (exchange: Exchange) => Promise<LightResponse>;

/** @see https://graphql.github.io/graphql-over-http/draft/ */
export function createGraphQL(
  schema: GraphQLSchema,
  options: PluginOptions,
  parts: PluginParts,
): AnswerGraphQL {
  const yoga = createYoga<Exchange>({
    schema,
    plugins: createPlugins(options, parts),
    fetchAPI,
    // Of these the gateway has its own, for all that it serves or as plugins.
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    healthCheckEndpoint: '\n', // no address ends so
  });
  const { getResultForParams } = yoga;
  const allowsDirect = canBeDirect(parts.added);
  return async (exchange) => {
    if (allowsDirect && isDirect(exchange)) {
      return answerDirectly(getResultForParams, exchange, options, parts);
    }
    const { req, res } = exchange;
    return (await yoga.handleNodeRequestAndResponse(
      req,
      res,
      exchange,
    )) as unknown as LightResponse;
  };
}
