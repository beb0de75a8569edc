import { getOperationAST, GraphQLError, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { RequestFacts } from '../context.ts';
import type { Caller } from '../rest/caller.ts';
import type { Http } from '../rest/http.ts';
import { mediaTypeFor } from './accept.ts';
import { writeAnswer } from './answer.ts';
import type { BodyLimits } from './body.ts';
import { createDocuments, type DocumentOptions } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { createExecution, type Execute, type OperationLimits } from './execution.ts';
import type { Log } from './log.ts';
import { outcomeOf } from './outcome.ts';
import { readParams } from './params.ts';
import { send } from './respond.ts';
import type { UploadLimits } from './uploads.ts';

export type GraphQLOptions = DocumentOptions &
  OperationLimits &
  BodyLimits &
  UploadLimits & {
    /** Of one answer. */
    readonly maxResponseBytes: number;
  };

export type AnswerGraphQL = (exchange: Exchange, caller: Caller) => Promise<void>;

/**
 * GraphQL over HTTP. Yoga runs the operations. Its HTTP layer is left out, because it makes a fetch Request and
 * Response of what the router has in hand, which costs as much as all the rest of a small query; and so are its
 * hooks, of which every request would pass some, because a text that came before needs a look-up and nothing
 * else. What that layer promises is kept here: negotiation, status codes, no mutation by GET.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function createGraphQL(
  schema: GraphQLSchema,
  options: GraphQLOptions,
  http: Http,
  log: Log,
  factsOf: (exchange: Exchange, caller: Caller) => RequestFacts,
): AnswerGraphQL {
  let loading: Promise<Execute> | null = null;
  const executor = (): Promise<Execute> => (loading ??= loadYoga(schema));
  const check = createDocuments(schema, options);
  const runOperation = createExecution(schema, executor, http, options, factsOf);

  const run = async (exchange: Exchange, caller: Caller): Promise<ExecutionResult> => {
    const { query, operationName, variables } = await readParams(exchange, options);
    const { document, errors } = check(query);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName);
    if (!operation) throw noOperation();
    if (operation.operation !== 'query' && exchange.req.method === 'GET') throw mutationByGet();
    return runOperation(exchange, caller, { document, operation, variables });
  };

  return async (exchange, caller) => {
    const mediaType = mediaTypeFor(exchange.req.headers.accept);
    let result: ExecutionResult;
    try {
      result = await run(exchange, caller);
    } catch (error) {
      result = { errors: [error as GraphQLError] };
    }
    const outcome = outcomeOf(result, exchange, log, mediaType);
    const body = writeAnswer(outcome, exchange, log, options.maxResponseBytes);
    const contentType = `${mediaType}; charset=utf-8`;
    send(exchange, outcome.status, { 'content-type': contentType, ...outcome.headers }, body);
  };
}

/** With the first operation: before it, Yoga would be a third of the time to get ready and a tenth of the memory. */
async function loadYoga(schema: GraphQLSchema): Promise<Execute> {
  const { createYoga } = await import('graphql-yoga');
  const yoga = createYoga({
    schema,
    graphiql: false,
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
  });
  const { execute } = yoga.getEnveloped() as { execute: Execute };
  return execute;
}

function noOperation(): GraphQLError {
  return new GraphQLError('Which operation is meant? Set `operationName` to the name of one.', {
    extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } },
  });
}

function mutationByGet(): GraphQLError {
  return new GraphQLError('A mutation has to be sent by POST.', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 405, headers: { allow: 'POST' } } },
  });
}
