import {
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Upload } from 'graphql-upload-minimal';
import type { Plugin } from 'graphql-yoga';
import type { GatewayOptions } from '../../options.ts';
import { createContext, type GatewayContext } from '../../../context.ts';
import { type HttpClient, RequestBudget } from '../../../rest/index.ts';
import { badInput } from '../../../schema/graphql-error.ts';
import { checkJsonSize } from '../../../schema/json-size.ts';
import { callLimitFrom, precheckOperation, type CallLimits } from '../../../schema/plan/cost.ts';
import type { OperationPlan } from '../../../schema/plan/operation-plan.ts';
import { planOf } from '../../../schema/plan/planner.ts';
import { languagesOf } from '../negotiation.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { OperationContext } from '../operation.ts';
import { forbidden } from '../../errors/http-error.ts';
import { costOnlyHeader, isCostOnly, upstreamTraceHeader } from '../../http/request-checks.ts';
import { checkVariables } from '../variable-limits.ts';
import { discardFiles } from '../../files/multipart-reader.ts';

/** Limits of one operation, and the forms of the schema. */
type OperationOptions = CallLimits &
  Pick<GatewayOptions, 'concurrency' | 'introspection' | 'upstreamTrace'> &
  Pick<GatewayContext, 'maxListFields' | 'forms'> & {
    /** Whether plugins run afterwards that can change the variables, whose values are then parsed again. */
    readonly hasGuardedPlugins: boolean;
  };

type GivenVariables = { readonly [name: string]: unknown } | null | undefined;

/** Sets the budget and the context of every operation, and rejects invalid operations before any upstream call. */
export function useOperation(
  http: HttpClient,
  limits: OperationOptions,
  fileUrlOf: (exchange: HttpExchange, path: string) => string,
): Plugin<OperationContext, OperationContext> {
  const limit = callLimitFrom(limits);

  /** @returns the errors that reject the operation; empty if it is accepted */
  const prepare = (args: ExecutionArgs, context: OperationContext): readonly GraphQLError[] => {
    const { schema, document, operationName, variableValues } = args;
    const { operation } = context;
    const { http: exchange } = operation;
    const { caller } = exchange;
    const node = getOperationAST(document, operationName);
    if (node == null || caller === null)
      throw new Error('The request was executed without validation.');
    operation.operationType = node.operation;
    operation.operationName = node.name?.value.slice(0, 64) ?? null;
    const observer = exchange.observed?.startOperation(operation, exchange.outcome) ?? null;
    const { headers } = exchange.req;
    const languages = languagesOf(headers['accept-language']);
    const variables = coerceVariables(schema, node, variableValues, limits.introspection);
    const plan = planOf(schema, document, node);
    if (operation.files !== null) prepareFiles(operation.files, plan, variableValues);
    if (variables.errors !== undefined) return variables.errors;
    operation.coercedVariables = variables.coerced;
    const { errors, calls, ...checked } = precheckOperation(
      plan,
      variables.coerced,
      limit,
      limits.forms,
    );
    const parsedArguments = limits.hasGuardedPlugins ? new Map() : checked.parsedArguments;
    if (errors.length > 0) return errors;
    operation.plan = plan;
    const isMutation = node.operation === OperationTypeNode.MUTATION;
    const budget = new RequestBudget({
      requestId: exchange.id,
      signal: exchange.signal,
      timeoutMs: exchange.leftMs,
      // RATE_LIMIT must not end a mutation after a write.
      maxCalls: isMutation ? limits.maxUpstreamCalls : limit.calls,
      expectedCalls: isMutation ? calls : null,
      maxInFlight: limits.concurrency,
      recordsCalls: limits.upstreamTrace && headers[upstreamTraceHeader] === '1',
      observer,
    });
    const urlOf = (path: string): string => fileUrlOf(exchange, path);
    const { teamContext } = context;
    const requestInfo = { languages, fileUrlOf: urlOf, teamContext, parsedArguments };
    operation.budget = budget;
    Object.assign(context, createContext(http, caller, budget, requestInfo, limits));
    return [];
  };

  /** Rejects an operation, or prepares it. */
  const accept = (
    args: ExecutionArgs,
    setResultAndStopExecution: (result: ExecutionResult) => void,
  ): void => {
    const context: OperationContext = args.contextValue as never;
    const { operation } = context;
    if (isCostOnly(operation.http.req) && !limits.introspection) {
      throw forbidden(
        `This gateway does not report the cost of operations (\`${costOnlyHeader}\`).`,
      );
    }
    const errors = prepare(args, context);
    if (errors.length > 0) setResultAndStopExecution({ errors });
  };

  return {
    onExecute: ({ args, setResultAndStopExecution }) => accept(args, setResultAndStopExecution),
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const reject = (): never => {
        throw badInput('This gateway does not support subscriptions.');
      };
      if (args.schema.getSubscriptionType() == null) reject();
      setSubscribeFn(reject); // a feature that executes them replaces it
      return accept(args, setResultAndStopExecution);
    },
  };
}

const maxVariableErrors = 20;
/** Maximum length of the variables as JSON. */
const maxShownVariables = 50_000;

/** The values of the variables, or why they are invalid. */
function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: GivenVariables,
  introspection: boolean,
): ReturnType<typeof getVariableValues> {
  if (variableDefinitions.length === 0) return { coerced: {} };
  const excess = checkVariables(variables);
  if (excess !== null) return { errors: [excess] };
  const coerce = (maxErrors: number) =>
    getVariableValues(schema, variableDefinitions, variables ?? {}, {
      maxErrors,
      hideSuggestions: !introspection,
    });
  const result = coerce(1);
  if (result.errors === undefined) return result;
  // Each error quotes a value, which can be as long as the body.
  const isShort = checkJsonSize(variables, maxShownVariables) === 'fits';
  const errors = (isShort && coerce(maxVariableErrors).errors) || result.errors;
  for (const { extensions } of errors) Object.assign(extensions, { code: 'BAD_USER_INPUT' });
  return { errors };
}

/**
 * Files arrive once, in the client's order. Two fields with files could wait for each other forever, so an operation
 * with files has one root field. Files that no variable of the operation contains are discarded.
 *
 * @throws BAD_USER_INPUT
 */
function prepareFiles(
  files: ReadonlySet<Upload>,
  { operation, size }: OperationPlan,
  variables: GivenVariables,
): void {
  if (size.rootFields > 1) {
    throw badInput('An operation with files must have exactly one root field.');
  }
  const unused = new Set<unknown>(files);
  // Iterative instead of recursive, because clients choose the nesting of variables.
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
