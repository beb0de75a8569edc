import {
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { createContext, type RequestFacts } from '../context.ts';
import type { IncomingFile } from '../model/transfer.ts';
import { createOperation, type Caller } from '../rest/caller.ts';
import type { Http } from '../rest/http.ts';
import { fitJson } from '../schema/json-length.ts';
import { createCompiled } from './compiled.ts';
import type { Exchange } from './exchange.ts';
import { measure } from './limits/measure.ts';
import { preflight } from './limits/preflight.ts';
import { checkVariables } from './limits/variables.ts';
import { discard } from './uploads.ts';

export interface OperationLimits {
  readonly requestTimeoutMs: number;
  readonly maxUpstreamCalls: number;
  /** Fields of all items of all lists of one answer. */
  readonly maxListFields: number;
  /** Upstream calls in flight for one operation. */
  readonly concurrency: number;
  /** Whether the schema can be asked for; where not, no message tells its names. */
  readonly introspection: boolean;
  /** How often a query comes before it is compiled, that time included; 0: it never is. */
  readonly compileAfter: number;
  /** Whether `x-upstream-trace: 1` is answered with the calls that were made. */
  readonly upstreamTrace: boolean;
}

type Variables = { readonly [name: string]: unknown } | null | undefined;

export const traceHeader = 'x-upstream-trace';

/** What runs an operation: graphql-js or something that does the same. */
export type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

/** One operation of a document that was found to be valid. */
interface Request {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
}

export type RunOperation = (
  exchange: Exchange,
  caller: Caller,
  request: Request,
) => Promise<ExecutionResult> | ExecutionResult;

/**
 * Gives every operation its bounds, and resolvers their one context object, and runs it: as compiled code where it
 * is hot, else by the executor. What can be told to be wrong beforehand is refused beforehand.
 */
export function createExecution(
  schema: GraphQLSchema,
  executor: () => Promise<Execute>,
  http: Http,
  limits: OperationLimits,
  factsOf: (exchange: Exchange, caller: Caller) => RequestFacts,
): RunOperation {
  const runCompiled = createCompiled(limits.compileAfter);
  return (exchange, caller, { document, operation: node, variables }) => {
    exchange.operationType = node.operation;
    exchange.operationName = node.name?.value.slice(0, 64) ?? null;
    if (exchange.files !== null) prepareFiles(exchange.files, document, node, variables);
    const refused = refusedBefore(schema, document, node, variables, limits);
    if (refused.length > 0) return { errors: refused };
    const operation = createOperation({
      requestId: exchange.id,
      signal: exchange.signal,
      timeoutMs: limits.requestTimeoutMs,
      maxCalls: limits.maxUpstreamCalls,
      maxInFlight: limits.concurrency,
      trace: limits.upstreamTrace && exchange.req.headers[traceHeader] === '1',
    });
    exchange.operation = operation;
    const args = {
      schema,
      document,
      operationName: node.name?.value,
      variableValues: variables,
      contextValue: createContext(
        http,
        caller,
        operation,
        factsOf(exchange, caller),
        limits.maxListFields,
      ),
    };
    return runCompiled(args, node) ?? executor().then((execute) => execute(args));
  };
}

const maxVariableErrors = 20;
/** Characters of the variables as JSON. */
const maxShownVariables = 50_000;

/** What can be told to be wrong without asking the DMS. */
function refusedBefore(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  { maxUpstreamCalls, introspection }: OperationLimits,
): readonly GraphQLError[] {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return preflight(schema, document, operation, {}, maxUpstreamCalls);
  const excess = checkVariables(variables);
  if (excess !== null) return [excess];
  const coerce = (maxErrors: number) =>
    getVariableValues(schema, definitions, variables ?? {}, {
      maxErrors,
      hideSuggestions: !introspection,
    });
  const { coerced, errors } = coerce(1);
  if (errors === undefined) {
    return preflight(schema, document, operation, coerced, maxUpstreamCalls);
  }
  // Each error shows a whole value, which can be as long as the body.
  const isShort = fitJson(variables, maxShownVariables) === 'fits';
  const shown = (isShort && coerce(maxVariableErrors).errors) || errors;
  for (const { extensions } of shown) Object.assign(extensions, { code: 'BAD_USER_INPUT' });
  return shown;
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
  if (measure(document, operation).rootFields > 1) {
    throw new GraphQLError('An operation with files has one field at its root.', {
      extensions: { code: 'BAD_USER_INPUT' },
    });
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
  discard([...files].filter((file) => unused.has(file)));
}
