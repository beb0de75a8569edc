import type { GraphQLSchema } from 'graphql';
import { executeDirectly, allowsDirectExecution, isDirectRequest } from './direct-execution.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { fetchAPI } from '../http/fetch-api.ts';
import { sendResponse } from '../http/respond.ts';
import { OperationContext } from './operation-context.ts';
import { createPlugins, type PluginOptions, type PluginDependencies } from './plugins.ts';
import { createYoga } from './yoga-packages.ts';

/** Executes a GraphQL request of any kind and sends its response. Rejects only if Yoga itself fails. */
export type AnswerGraphQL = (exchange: HttpExchange) => Promise<void>;

/**
 * Creates the GraphQL endpoint: Yoga with the gateway's plugins.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/
 * @throws {ManifestError} if a trusted document is not valid
 */
export function createGraphQL(
  schema: GraphQLSchema,
  options: PluginOptions,
  dependencies: PluginDependencies,
): AnswerGraphQL {
  const yoga = createYoga<OperationContext>({
    schema,
    plugins: createPlugins(options, dependencies),
    fetchAPI,
    // The gateway implements these itself, for all endpoints or as plugins.
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false,
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    healthCheckEndpoint: '\n', // disabled: no URL ends with a line break
  });
  const { getResultForParams } = yoga;
  const { trusted } = dependencies.persisted;
  // Checked like the text of a request: with all limits, and with directives and rules of plugins.
  trusted?.check(yoga.getEnveloped({}));
  const allowsDirect = allowsDirectExecution(dependencies.added);
  return async (exchange) => {
    if (allowsDirect && isDirectRequest(exchange)) {
      return executeDirectly(getResultForParams, exchange, options, dependencies);
    }
    const { req, res } = exchange;
    const context = new OperationContext(exchange);
    await sendResponse(exchange, await yoga.handleNodeRequestAndResponse(req, res, context));
  };
}
