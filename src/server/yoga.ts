import type { GraphQLSchema } from 'graphql';
import { answerDirectly, isDirect, type DirectParts } from './direct.ts';
import type { Exchange } from './exchange.ts';
import { fetchAPI, type LightResponse } from './fetch-api.ts';
import type { GatewayPlugin } from './plugins.ts';

/** Answers a GraphQL request of any kind. Rejects only if Yoga itself fails. */
export type AnswerGraphQL = (exchange: Exchange) => Promise<LightResponse>;

/** @see https://graphql.github.io/graphql-over-http/draft/ */
export async function createGraphQL(
  schema: GraphQLSchema,
  plugins: GatewayPlugin[],
  direct: DirectParts | null,
): Promise<AnswerGraphQL> {
  const { createYoga } = await import('graphql-yoga');
  const yoga = createYoga<Exchange>({
    schema,
    plugins,
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
  const getResult = yoga.getResultForParams;
  return async (exchange) =>
    direct !== null && isDirect(exchange)
      ? answerDirectly(getResult, exchange, direct)
      : ((await yoga.handleNodeRequestAndResponse(
          exchange.req,
          exchange.res,
          exchange,
        )) as unknown as LightResponse);
}
