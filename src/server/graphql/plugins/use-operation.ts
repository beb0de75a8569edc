import {
  getOperationAST,
  getVariableValues,
  Kind,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createContext, type GatewayContext } from '../../../context.ts';
import type { IncomingFile } from '../../../model/transfer.ts';
import type { Caller } from '../../../rest/client/caller.ts';
import { createRequestBudget } from '../../../rest/client/resilience/request-budget.ts';
import type { HttpClient } from '../../../rest/client/http-client.ts';
import { badInput } from '../../../schema/graphql-error.ts';
import { checkJsonSize } from '../../../schema/json-size.ts';
import { acceptableFor } from '../../http/accept-header.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { traceHeader } from '../../http/request-headers.ts';
import { languagesOf } from '../../http/accept-language.ts';
import { partsNotAccepted } from '../../errors/http-error.ts';
import { measureOperation } from '../limits/operation-size.ts';
import { precheckOperation, type CallLimit, type Precheck } from '../limits/precheck.ts';
import { checkVariables } from '../limits/variable-limits.ts';
import { discardFiles } from '../../files/multipart-reader.ts';

export interface OperationLimits {
  readonly requestTimeoutMs: number;
  readonly maxUpstreamCalls: number;
  /** Upstream calls of one caller per minute; null: no limit. The DMS client counts them. */
  readonly rateLimit: number | null;
  /** Fields of all items of all lists of one answer. */
  readonly maxListFields: number;
  /** Upstream calls in flight for one operation. */
  readonly concurrency: number;
  /** Whether the schema can be asked for; if not, no message reveals its names. */
  readonly introspection: boolean;
  /** Whether `x-upstream-trace: 1` is answered with the calls that were made. */
  readonly upstreamTrace: boolean;
}

type Variables = { readonly [name: string]: unknown } | null | undefined;

/**
 * Gives every operation its bounds, and resolvers what their context holds. What can be found wrong beforehand is
 * refused beforehand: nothing is sent to the DMS.
 */
export function useOperation(
  http: HttpClient,
  limits: OperationLimits,
  fileUrlFor: (exchange: HttpExchange, caller: Caller) => GatewayContext['fileUrl'],
): Plugin<HttpExchange, HttpExchange> {
  const limit = callLimitFrom(limits);

  /** @returns why the operation is refused; empty if it is not */
  const prepare = (args: ExecutionArgs, exchange: HttpExchange): readonly GraphQLError[] => {
    const { schema, document, operationName, variableValues } = args;
    const { caller } = exchange;
    const node = getOperationAST(document, operationName);
    if (node == null || caller === null)
      throw new Error('The request was executed without validation.');
    exchange.operationType = node.operation;
    exchange.operationName = node.name?.value.slice(0, 64) ?? null;
    if (exchange.files !== null) prepareFiles(exchange.files, document, node, variableValues);
    const { errors, calls } = checkBeforeExecution(schema, document, node, variableValues, {
      limit,
      introspection: limits.introspection,
    });
    if (errors.length > 0) return errors;
    const isMutation = node.operation === OperationTypeNode.MUTATION;
    const { headers } = exchange.req;
    exchange.budget = createRequestBudget({
      requestId: exchange.id,
      signal: exchange.connection,
      timeoutMs: limits.requestTimeoutMs,
      // The rate limit must not end a mutation after its write.
      maxCalls: isMutation ? limits.maxUpstreamCalls : limit.calls,
      expectedCalls: isMutation ? calls : null,
      maxInFlight: limits.concurrency,
      trace: limits.upstreamTrace && headers[traceHeader] === '1',
    });
    const requestInfo = {
      languages: languagesOf(headers['accept-language']),
      fileUrl: fileUrlFor(exchange, caller),
    };
    const { budget } = exchange;
    Object.assign(exchange, createContext(http, caller, budget, requestInfo, limits.maxListFields));
    return [];
  };

  return {
    onExecute({ args, setResultAndStopExecution }) {
      const exchange: HttpExchange = args.contextValue;
      // Before it runs: a mutation whose answer cannot be sent would have been made all the same.
      if (isIncremental(args) && !acceptableFor(exchange.req.headers.accept).parts) {
        throw partsNotAccepted();
      }
      const errors = prepare(args, exchange);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const exchange: HttpExchange = args.contextValue;
      if (args.schema.getSubscriptionType() == null) throw noSubscriptions();
      const { events } = acceptableFor(exchange.req.headers.accept);
      if (!events) throw partsNotAccepted('text/event-stream');
      const errors = prepare(args, exchange);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

function noSubscriptions(): GraphQLError {
  return badInput('This gateway does not support subscriptions.');
}

const incrementalDirectives = ['defer', 'stream'];

/** Whether a result comes in parts, where a plugin has added the directives for that: then no result has to. */
function isIncremental({ schema, document, variableValues }: ExecutionArgs): boolean {
  if (!schema.getDirectives().some(({ name }) => incrementalDirectives.includes(name)))
    return false;
  let found = false;
  visit(document, {
    Directive({ name, arguments: values }) {
      if (!incrementalDirectives.includes(name.value)) return;
      const wanted = values?.find((one) => one.name.value === 'if')?.value;
      const isOff =
        wanted?.kind === Kind.VARIABLE
          ? variableValues?.[wanted.name.value] === false
          : wanted?.kind === Kind.BOOLEAN && !wanted.value;
      if (!isOff) found = true;
    },
  });
  return found;
}

const maxVariableErrors = 20;
/** Characters of the variables as JSON. */
const maxShownVariables = 50_000;

/** An operation that needs more calls than a caller has in a minute could never be answered as a whole. */
function callLimitFrom({ maxUpstreamCalls, rateLimit }: OperationLimits): CallLimit {
  return rateLimit !== null && rateLimit < maxUpstreamCalls
    ? { calls: rateLimit, setting: 'RATE_LIMIT' }
    : { calls: maxUpstreamCalls, setting: 'MAX_UPSTREAM_CALLS' };
}

/** What can be found wrong without a request to the DMS. */
function checkBeforeExecution(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  { limit, introspection }: { readonly limit: CallLimit; readonly introspection: boolean },
): Precheck {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return precheckOperation(schema, document, operation, {}, limit);
  const excess = checkVariables(variables);
  if (excess !== null) return { errors: [excess], calls: 0 };
  const coerce = (maxErrors: number) =>
    getVariableValues(schema, definitions, variables ?? {}, {
      maxErrors,
      hideSuggestions: !introspection,
    });
  const { coerced, errors } = coerce(1);
  if (errors === undefined) {
    return precheckOperation(schema, document, operation, coerced, limit);
  }
  // Each error shows a whole value, which can be as long as the body.
  const isShort = checkJsonSize(variables, maxShownVariables) === 'fits';
  const shown = (isShort && coerce(maxVariableErrors).errors) || errors;
  for (const { extensions } of shown) Object.assign(extensions, { code: 'BAD_USER_INPUT' });
  return { errors: shown, calls: 0 };
}

/**
 * Files pass by once and in the client's order. Two fields that want some each could wait for each other for
 * ever, so a request with files has one field; and files that no variable of the operation holds are dropped.
 *
 * @throws BAD_USER_INPUT
 */
function prepareFiles(
  files: ReadonlySet<IncomingFile>,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): void {
  if (measureOperation(document, operation).rootFields > 1) {
    throw badInput('An operation with files must have exactly one root field.');
  }
  const unused = new Set<unknown>(files);
  // A list of values to look at, not a recursion: a client nests its variables as deep as it likes.
  const values = (operation.variableDefinitions ?? []).map(
    ({ variable }): unknown => variables?.[variable.name.value],
  );
  while (values.length > 0) {
    const value = values.pop();
    if (unused.delete(value) || typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) values.push(inner);
  }
  discardFiles([...files].filter((file) => unused.has(file)));
}
