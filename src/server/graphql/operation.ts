import {
  execute,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  type ExecutionArgs,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Settings } from '../../config/read-config.ts';
import {
  createContext,
  type GatewayContext,
  type IncrementalExecution,
  type RequestInfo,
  type TeamContext,
} from '../../context.ts';
import { RequestBudget, type Caller, type HttpClient } from '../../rest/index.ts';
import { badInput } from '../../schema/graphql-error.ts';
import { checkJsonSize } from '../../schema/json-size.ts';
import type { Upload } from '../../schema/libraries.ts';
import { callLimitFrom, precheckOperation, type CallLimits } from '../../schema/plan/cost.ts';
import type { Executor, OperationPlan, Variables } from '../../schema/plan/operation-plan.ts';
import { planOf } from '../../schema/plan/planner.ts';
import { discardFiles } from '../files/multipart-reader.ts';
import type { HttpExchange, RecordedOperation } from '../http/http-exchange.ts';
import type { OperationInfo } from '../http/request-observer.ts';
import { checkVariables } from './variable-limits.ts';

const noFiles: ReadonlySet<Upload> = new Set();
/** Has no calls and never ends. */
export const noBudget = {
  calls: 0,
  sharedReads: 0,
  sentCalls: 0,
  hasRunningCalls: false,
  callRecords: undefined,
  endReason: () => null,
  addEndListener() {},
  removeEndListener() {},
};

/** An operation as it was received, which it remains if it is rejected. */
export class Operation implements RecordedOperation {
  readonly http: HttpExchange;
  files = noFiles;
  /** Why there is no query text, unless a plugin provides it. */
  missingQuery: Error | null = null;
  isTrusted = false;
  operationType: OperationInfo['operationType'] = null;
  /** Clients choose it, and logs contain it. */
  operationName: string | null = null;
  /** Whether the execution has started: its errors are not made for clients, unless they have a code. */
  isExecuted = false;
  budget: Pick<RequestBudget, keyof typeof noBudget> = noBudget;
  /** Of the operations before in a batch of tool calls, and of the events before in a subscription. */
  earlierCalls = 0;

  constructor(http: HttpExchange) {
    this.http = http;
  }

  get canHaveWritten(): boolean {
    return this.isExecuted && this.operationType === 'mutation';
  }

  get hasRunningCalls(): boolean {
    return this.budget.hasRunningCalls;
  }

  get sentCalls(): number {
    return this.earlierCalls + this.budget.sentCalls;
  }
}

interface Preparation {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly budget: RequestBudget;
}

/** An accepted operation. `useOperation` makes it of the one that was received. */
export type PreparedOperation = Operation & Preparation;

export function isPrepared(operation: Operation): operation is PreparedOperation {
  return 'plan' in operation;
}

export interface OperationContext {
  readonly operation: Operation;
  /** Those of a tool call. */
  readonly givenParams?: GraphQLParams | undefined;
  runAs?: string | null;
  teamContext?: TeamContext | null;
  incremental?: IncrementalExecution | null;
}

export function contextWithoutRequest(): OperationContext {
  return { operation: new Operation(null as never) };
}

export type AcceptedContext = OperationContext &
  GatewayContext & { readonly operation: PreparedOperation };

/** @internal */
export type OperationLimits = CallLimits &
  Pick<Settings, 'concurrency' | 'introspection'> &
  Pick<GatewayContext, 'maxListFields' | 'forms'>;

interface OperationRequest {
  readonly caller: Caller;
  readonly budget: Pick<
    ConstructorParameters<typeof RequestBudget>[0],
    'requestId' | 'signal' | 'timeoutMs' | 'recordsCalls' | 'observer'
  >;
  readonly info: Omit<RequestInfo, 'parsedArguments'>;
  readonly files?: ReadonlySet<Upload>;
  readonly canChangeVariables?: boolean;
}

type Prepared =
  | {
      readonly errors: readonly GraphQLError[];
      readonly prepared?: never;
      readonly context?: never;
    }
  | {
      readonly errors?: never;
      readonly prepared: Preparation;
      readonly context: GatewayContext;
    };

/** @internal */
export function prepareOperation(
  {
    schema,
    document,
    variableValues,
  }: Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues'>,
  node: OperationDefinitionNode,
  { caller, budget: budgetOptions, info, files = noFiles, canChangeVariables }: OperationRequest,
  http: HttpClient,
  limits: OperationLimits,
): Prepared {
  const variables = coerceVariables(schema, node, variableValues, limits.introspection);
  const plan = planOf(schema, document, node);
  if (files.size > 0) prepareFiles(files, plan, variableValues);
  if (variables.errors !== undefined) return { errors: variables.errors };
  const limit = callLimitFrom(limits);
  const { errors, calls, ...checked } = precheckOperation(
    plan,
    variables.coerced,
    limit,
    limits.forms,
  );
  if (errors.length > 0) return { errors };
  const isMutation = node.operation === OperationTypeNode.MUTATION;
  const budget = new RequestBudget({
    ...budgetOptions,
    // RATE_LIMIT must not end a mutation after a write.
    maxCalls: isMutation ? limits.maxUpstreamCalls : limit.calls,
    expectedCalls: isMutation ? calls : null,
    maxInFlight: limits.concurrency,
  });
  const parsedArguments = canChangeVariables === true ? new Map() : checked.parsedArguments;
  const context = createContext(http, caller, budget, { ...info, parsedArguments }, limits);
  return { prepared: { plan, variables: variables.coerced, budget }, context };
}

export function executeOperation(
  executor: Executor | null,
  { plan, variables }: Omit<Preparation, 'budget'>,
  args: ExecutionArgs,
  hasPlugins = false,
  executeFn: typeof execute = execute,
): ReturnType<typeof execute> {
  const executeCompiled = executor?.find(plan);
  if (executeCompiled == null) return executeFn(args);
  if (!hasPlugins) return executeCompiled(args, variables);
  const { schema, document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (operation !== plan.operation) return executeFn(args);
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {});
  return coerced === undefined ? { errors } : executeCompiled(args, coerced);
}

type GivenVariables = { readonly [name: string]: unknown } | null | undefined;

const maxVariableErrors = 20;
const maxShownVariables = 50_000;

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
