import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { RequestFacts } from '../context.ts';
import type { Caller } from '../rest/caller.ts';
import type { Http } from '../rest/http.ts';
import type { BodyLimits } from './body.ts';
import { useDocuments, type DocumentOptions } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { useExecution, type OperationLimits, type ServerContext } from './execution.ts';
import type { Log } from './log.ts';
import { useOutcome } from './outcome.ts';
import { useParams } from './params.ts';
import { Refusal } from './refusal.ts';
import { send } from './respond.ts';
import type { UploadLimits } from './uploads.ts';

export type GraphQLOptions = DocumentOptions & OperationLimits & BodyLimits & UploadLimits;

export type AnswerGraphQL = (exchange: Exchange, caller: Caller) => Promise<void>;

const anyAddress = ' '; // no address holds a space: the gateway has its own health check

/**
 * GraphQL over HTTP by Yoga. What Yoga would do again for each request is switched off: the router has
 * checked method, origin and caller, bodies are read by `useParams`, documents are kept by `useDocuments`,
 * errors pass `useOutcome`.
 */
export function createGraphQL(
  schema: GraphQLSchema,
  options: GraphQLOptions,
  http: Http,
  log: Log,
  factsOf: (exchange: Exchange, caller: Caller) => RequestFacts,
): AnswerGraphQL {
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: [
      useParams(options),
      useDocuments(schema, options),
      useExecution(http, options, factsOf),
      useOutcome(log),
    ],
    graphqlEndpoint: '/graphql',
    healthCheckEndpoint: anyAddress,
    landingPage: false,
    graphiql: false,
    cors: false,
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
  });
  // Taken once: Yoga makes a new function each time that it is asked for one.
  const respond = yoga.handleNodeRequestAndResponse.bind(yoga);

  return async (exchange, caller) => {
    const { req, res } = exchange;
    const response = await respond(req, res, { exchange, caller, waitUntil });
    const body = await response.text();
    if (body === '' && response.status >= 400) {
      const message = 'Accept application/json or application/graphql-response+json.';
      throw new Refusal(response.status, 'BAD_USER_INPUT', message);
    }
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name] = value;
    });
    send(exchange, response.status, headers, body);
  };
}

/** No plugin leaves work behind. */
function waitUntil(): void {}
