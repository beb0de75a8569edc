import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { checkGraphQLCopy } from '../../schema/graphql-copy.ts';
import { isGraphQLError } from '../../schema/graphql-error.ts';
import type { YogaServerInstance } from 'graphql-yoga';
import type { LoadedServer } from '../feature.ts';
import { acceptableFor } from './negotiation.ts';
import { fetchAPI, LightRequest, sendResponse } from './fetch-api.ts';
import { formatError } from '../errors/client-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { jsonTypes, readBody } from '../http/json-body.ts';
import { hasBody } from '../http/request-body.ts';
import type { GatewayOptions } from '../options.ts';
import { send } from '../http/respond.ts';
import { contextWithoutRequest, Operation, type OperationContext } from './operation.ts';
import { hasHttpHooks } from './http-hooks.ts';
import { createPlugins, type PluginDependencies } from './plugins.ts';
import { identify, readJsonParams } from './plugins/use-request.ts';
import { jsonAnswer, resultForClient, wholeResult } from './plugins/use-response.ts';
import { serializeResult } from './serialize-result.ts';
import { createYoga } from './yoga-packages.ts';

/** Yoga with the gateway's plugins. */
interface GraphQLServer extends LoadedServer {
  /**
   * Executes a GraphQL request of any kind and sends its response. Rejects only if Yoga itself fails.
   */
  answer(exchange: HttpExchange): Promise<void>;
  /** Sends the response of a plugin to a request for a path of its own. @throws {HttpError} 404 if none answers */
  answerPath(exchange: HttpExchange): Promise<void>;
}

/**
 * Creates the GraphQL endpoint: Yoga with the gateway's plugins.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function createGraphQL(
  schema: GraphQLSchema,
  options: GatewayOptions,
  dependencies: PluginDependencies,
): GraphQLServer {
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
  const teamPlugins = dependencies.features?.teamPlugins ?? [];
  const { parse, validate, schema: served } = yoga.getEnveloped(contextWithoutRequest());
  checkGraphQLCopy(served as GraphQLSchema); // which a plugin can have replaced
  const allowsDirect = !hasHttpHooks(teamPlugins);
  const answerByYoga = async (operation: Operation, body: Buffer | null = null): Promise<void> => {
    const { http: exchange } = operation;
    const { res } = exchange;
    const { method, url, headers, socket } = exchange.req;
    // Yoga also takes a request whose body has been read.
    const req = body === null ? exchange.req : { method, url, headers, socket, body };
    let response: Response;
    try {
      response = await yoga.handleNodeRequestAndResponse(req, res, { operation });
    } catch (error) {
      if (!isGraphQLError(error)) throw error;
      // A hook outside of Yoga's own handling of errors threw it, such as `onRequest`.
      sendResult({ errors: [error] }, operation, options, dependencies);
      return;
    }
    await sendResponse(exchange, response);
  };
  return {
    schema,
    parse,
    validate,
    answer(exchange) {
      const operation = startOperation(exchange);
      return allowsDirect && isDirectRequest(exchange)
        ? executeDirectly(getResultForParams, operation, options, dependencies)
        : answerByYoga(operation);
    },
    async answerPath(exchange) {
      const hasBytes = exchange.req.method === 'POST' && hasBody(exchange.req);
      const bytes = hasBytes ? await readBody(exchange, options, (all) => all) : null;
      await answerByYoga(new Operation(exchange), bytes?.length ? bytes : null);
    },
    async execute(exchange, params, maxResultBytes) {
      const operation = startOperation(exchange);
      operation.maxResultBytes = maxResultBytes;
      operation.givenParams = params;
      const { req, res } = exchange;
      req.headers.accept = 'application/json'; // of the result, whatever its client accepts
      const headers = { ...req.headers, 'content-type': 'application/json' };
      // Yoga also takes a request whose body has been read. Its other functions would copy the context.
      const request = { method: 'POST', url: '/graphql', headers, body: '{}', socket: req.socket };
      try {
        const response = await yoga.handleNodeRequestAndResponse(request, res, { operation });
        return await response.text();
      } catch (thrown) {
        // Yoga itself failed.
        const { error, cause } = formatError(thrown, exchange.id, false, operation.isExecuted);
        exchange.outcome = error.extensions.code;
        if (cause !== null) dependencies.log.failure(exchange, cause);
        return JSON.stringify({ errors: [error] });
      }
    },
  };
}

function startOperation(exchange: HttpExchange): Operation {
  const operation = new Operation(exchange);
  operation.earlierCalls = exchange.operation?.sentCalls ?? 0; // of a batch of tool calls
  exchange.operation = operation;
  return operation;
}

/**
 * Whether a request is a JSON POST whose client accepts a single JSON response. This applies to nearly all requests.
 */
function isDirectRequest({ req, mediaType }: HttpExchange): boolean {
  if (req.method !== 'POST' || !jsonTypes.has(mediaType)) return false;
  const { whole, parts } = acceptableFor(req.headers.accept);
  return whole !== null && parts.length === 0;
}

/**
 * Executes a JSON request without Yoga's HTTP hooks. Only the plugins of the gateway and of features have such hooks. This
 * function calls those of the gateway in the same order. Parameters, parsing, validation, context and execution use Yoga and all
 * its plugins.
 */
async function executeDirectly(
  getResultForParams: YogaServerInstance<OperationContext, object>['getResultForParams'],
  operation: Operation,
  options: GatewayOptions,
  dependencies: PluginDependencies,
): Promise<void> {
  const { req } = operation.http;
  const context: OperationContext = { operation };
  let result: ExecutionResult;
  try {
    await identify(context, dependencies.identity);
    const params = await readJsonParams(operation, options);
    const { method = '', headers } = req;
    const url = `http://${headers.host ?? 'localhost'}${req.url}`;
    const { signal } = operation.http;
    const request = new LightRequest(url, { method, headers, signal, body: req });
    const given = { request: request as unknown as Request, params };
    const answer = await getResultForParams(given, context);
    result = wholeResult(answer as ExecutionResult);
  } catch (error) {
    // As Yoga does for errors of the other hooks.
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    result = { errors: errors as never };
  }
  sendResult(result, operation, options, dependencies);
}

/** Sends a result as JSON. */
function sendResult(
  given: ExecutionResult,
  operation: Operation,
  { maxResponseBytes }: GatewayOptions,
  { log }: PluginDependencies,
): void {
  const { http } = operation;
  const mediaType = acceptableFor(http.req.headers.accept).whole ?? 'application/json';
  const shown = resultForClient(given, operation, log, mediaType);
  const { status, headers, result } = jsonAnswer(shown, mediaType);
  const text = serializeResult(result, operation, log, maxResponseBytes);
  send(http, status, headers, text);
}
