import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { checkGraphQLCopy } from '../../schema/graphql-copy.ts';
import { isGraphQLError } from '../../schema/graphql-error.ts';
import type { HttpClient } from '../../rest/index.ts';
import type { SchemaForms } from '../../schema/extend.ts';
import type { Executor } from '../../schema/plan/operation-plan.ts';
import type { LoadedServer, OpenFeatures } from '../feature.ts';
import { acceptableFor } from './negotiation.ts';
import { fetchAPI, LightRequest, sendResponse } from './fetch-api.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { jsonTypes, readBody } from '../http/json-body.ts';
import { hasBody } from '../http/request-body.ts';
import type { Settings } from '../../config/read-config.ts';
import { send } from '../http/respond.ts';
import type { Identity } from '../identity/index.ts';
import type { KeyFetchOptions } from '../identity/issuer-keys.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { contextWithoutRequest, Operation, type OperationContext } from './operation.ts';
import { useExecution, useOperation } from './plugins/use-operation.ts';
import { useQueryDocuments } from './plugins/use-query-documents.ts';
import {
  identify,
  readJsonParams,
  useAccept,
  useCsrf,
  useIdentity,
  useRequestParser,
  useUnknownPath,
} from './plugins/use-request.ts';
import { jsonAnswer, resultForClient, useResponse, wholeResult } from './plugins/use-response.ts';
import { serializeResult } from './serialize-result.ts';
import { createYoga } from './yoga-packages.ts';

export interface GraphQLDependencies {
  readonly http: HttpClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly features: OpenFeatures;
  readonly forms: SchemaForms | null;
  readonly schema: () => Promise<GraphQLSchema>;
  readonly executor: Executor | null;
  readonly keyFetch?: KeyFetchOptions;
}

interface ServerDependencies extends GraphQLDependencies {
  readonly identity: Identity;
  readonly featurePlugins: readonly object[];
  readonly fileUrlOf: (exchange: HttpExchange, path: string) => string;
  /** Whether a plugin of a team sees HTTP. If so, no request is executed without Yoga's HTTP layer. */
  readonly hasHttpHooks: boolean;
}

interface GraphQLServer extends LoadedServer {
  answer(exchange: HttpExchange): Promise<void>;
  answerPath(exchange: HttpExchange): Promise<void>;
}

export function createGraphQL(
  schema: GraphQLSchema,
  settings: Settings,
  dependencies: ServerDependencies,
): GraphQLServer {
  const yoga = createYoga<OperationContext>({
    schema,
    plugins: createPlugins(settings, dependencies),
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
  const { log, hasHttpHooks } = dependencies;
  const { parse, validate, schema: served } = yoga.getEnveloped(contextWithoutRequest());
  checkGraphQLCopy(served as GraphQLSchema); // which a plugin can have replaced
  const execute = (operation: Operation, params?: GraphQLParams): Promise<Answer> => {
    if (!hasHttpHooks && isDirect(operation)) return executeDirectly(operation, params);
    return params === undefined
      ? executeByYoga(operation)
      : executeByYoga(operation, Buffer.from('{}'), graphqlPath, params);
  };

  /**
   * As Yoga's HTTP layer does, whose hooks only the plugins of the gateway have here: in the same order. Parameters,
   * parsing, validation, context and execution use Yoga and all its plugins.
   */
  const executeDirectly = async (
    operation: Operation,
    givenParams?: GraphQLParams,
  ): Promise<Answer> => {
    const { http } = operation;
    const context: OperationContext = { operation };
    let result: ExecutionResult;
    try {
      await identify(context, dependencies.identity);
      const params = givenParams ?? (await readJsonParams(operation, settings));
      const { headers, url = '' } = http.req;
      const request = new LightRequest(
        `http://${headers.host ?? 'localhost'}${givenParams === undefined ? url : graphqlPath}`,
        { method: 'POST', headers, signal: http.signal, body: http.req },
      );
      const given = { request: request as unknown as Request, params };
      result = wholeResult((await yoga.getResultForParams(given, context)) as ExecutionResult);
    } catch (error) {
      // As Yoga does for errors of the other hooks.
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      result = { errors: errors as never };
    }
    return answerOf(result, operation);
  };

  const executeByYoga = async (
    operation: Operation,
    body: Buffer | null = null,
    url = operation.http.req.url,
    givenParams?: GraphQLParams,
  ): Promise<Answer> => {
    const { req, res } = operation.http;
    const { method, headers, socket } = req;
    // Yoga also takes a request whose body has been read. Its other functions would copy the context.
    const request = body?.length ? { method, url, headers, socket, body } : req;
    try {
      return await yoga.handleNodeRequestAndResponse(request, res, { operation, givenParams });
    } catch (error) {
      if (!isGraphQLError(error)) throw error;
      // A hook outside of Yoga's own handling of errors threw it, such as `onRequest`.
      return answerOf({ errors: [error] }, operation);
    }
  };

  const answerOf = (given: ExecutionResult, operation: Operation): JsonAnswer => {
    const mediaType = acceptableFor(operation.http.req.headers.accept).whole ?? 'application/json';
    const shown = resultForClient(given, operation, log, mediaType);
    const { status, headers, result } = jsonAnswer(shown, mediaType);
    return {
      status,
      headers,
      text: serializeResult(result, operation, log, settings.maxResponseBytes),
    };
  };

  const sendAnswer = async (exchange: HttpExchange, answered: Answer): Promise<void> => {
    if (isJson(answered)) send(exchange, answered.status, answered.headers, answered.text);
    else await sendResponse(exchange, answered);
  };

  return {
    schema,
    parse,
    validate,
    async answer(exchange) {
      await sendAnswer(exchange, await execute(startOperation(exchange)));
    },
    async answerPath(exchange) {
      const hasBytes = exchange.req.method === 'POST' && hasBody(exchange.req);
      const bytes = hasBytes ? await readBody(exchange, settings, (all) => all) : null;
      await sendAnswer(exchange, await executeByYoga(new Operation(exchange), bytes));
    },
    async execute(exchange, params) {
      const operation = startOperation(exchange);
      exchange.req.headers.accept = 'application/json'; // of the result, whatever its client accepts
      let answered: Answer;
      try {
        answered = await Promise.race([execute(operation, params), exchange.late]);
      } catch (error) {
        answered = answerOf({ errors: [error as never] }, operation);
      }
      return isJson(answered) ? answered.text : answered.text();
    },
  };
}

function createPlugins(settings: Settings, dependencies: ServerDependencies): object[] {
  const { http, log, identity, featurePlugins, fileUrlOf, forms, executor } = dependencies;
  const { teamPlugins } = dependencies.features;
  const hasTeamPlugins = teamPlugins.length > 0;
  return [
    // Before the body is read: negotiate the response type, identify the user, and reject cross-site requests.
    useAccept(),
    useIdentity(identity),
    useRequestParser(settings),
    useCsrf(),
    // After validation: create budget, deadline and context, and select the executor.
    useOperation(http, { ...settings, forms }, hasTeamPlugins, fileUrlOf),
    ...featurePlugins,
    useExecution(executor, settings, hasTeamPlugins),
    // After these, so that they find a complete context and can wrap the execution.
    ...teamPlugins,
    useUnknownPath(),
    // After those plugins, so that their validation rules apply, and all results and errors pass through here.
    useQueryDocuments(settings),
    // The last one sees the results of all others.
    useResponse(log, settings),
  ];
}

const graphqlPath = '/graphql';

function startOperation(exchange: HttpExchange): Operation {
  const operation = new Operation(exchange);
  operation.earlierCalls = exchange.operation?.sentCalls ?? 0;
  exchange.operation = operation;
  return operation;
}

/**
 * Whether an operation skips Yoga's HTTP layer: it has JSON parameters, and its client accepts a single JSON response.
 * Nearly all have. docs/architecture.md says why.
 */
function isDirect({ http: { req, kind, mediaType } }: Operation): boolean {
  if (kind === 'other' || req.method !== 'POST' || !jsonTypes.has(mediaType)) return false;
  const { whole, parts } = acceptableFor(req.headers.accept);
  return whole !== null && parts.length === 0;
}

interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Answer = JsonAnswer | Response;

const isJson = (answer: Answer): answer is JsonAnswer => typeof answer.text === 'string';
