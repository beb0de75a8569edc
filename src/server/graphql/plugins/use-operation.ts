import { getOperationAST, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { HttpClient } from '../../../rest/index.ts';
import { badInput } from '../../../schema/graphql-error.ts';
import { costOfOperation } from '../../../schema/plan/cost.ts';
import { isInParts, type Executor } from '../../../schema/plan/operation-plan.ts';
import { forbidden } from '../../errors/http-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { costOnlyHeader, isCostOnly, upstreamTraceHeader } from '../../http/request-checks.ts';
import type { Settings } from '../../../config/read-config.ts';
import { languagesOf } from '../negotiation.ts';
import {
  executeOperation,
  prepareOperation,
  type AcceptedContext,
  type OperationContext,
  type OperationLimits,
} from '../operation.ts';

export function useOperation(
  http: HttpClient,
  limits: OperationLimits & Pick<Settings, 'upstreamTrace'>,
  hasPlugins: boolean,
  fileUrlOf: (exchange: HttpExchange, path: string) => string,
): Plugin<OperationContext, OperationContext> {
  const prepare = (
    args: ExecutionArgs,
    setResultAndStopExecution: (result: ExecutionResult) => void,
  ): void => {
    const requestContext: OperationContext = args.contextValue as never;
    const { operation, teamContext } = requestContext;
    const { http: exchange, files } = operation;
    const { caller, req } = exchange;
    const node = getOperationAST(args.document, args.operationName);
    if (node == null || caller === null)
      throw new Error('The request was executed without validation.');
    operation.operationType = node.operation;
    operation.operationName = node.name?.value.slice(0, 64) ?? null;
    const observer = exchange.observed?.startOperation(operation, exchange.outcome) ?? null;
    const request = {
      caller,
      budget: {
        requestId: exchange.id,
        signal: exchange.signal,
        timeoutMs: exchange.leftMs,
        recordsCalls: limits.upstreamTrace && req.headers[upstreamTraceHeader] === '1',
        observer,
      },
      info: {
        languages: languagesOf(req.headers['accept-language']),
        fileUrlOf: (path: string) => fileUrlOf(exchange, path),
        teamContext,
      },
      files,
      canChangeVariables: hasPlugins,
    };
    const { errors, prepared, context } = prepareOperation(args, node, request, http, limits);
    if (errors !== undefined) {
      setResultAndStopExecution({ errors });
      return;
    }
    Object.assign(operation, prepared);
    Object.assign(requestContext, context);
  };

  return {
    onExecute: ({ args, setResultAndStopExecution }) => prepare(args, setResultAndStopExecution),
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const reject = (): never => {
        throw badInput('This gateway does not support subscriptions.');
      };
      if (args.schema.getSubscriptionType() == null) reject();
      setSubscribeFn(reject); // a feature that executes them replaces it
      prepare(args, setResultAndStopExecution);
    },
  };
}

export function useExecution(
  executor: Executor | null,
  { introspection }: Pick<Settings, 'introspection'>,
  hasPlugins: boolean,
): Plugin<AcceptedContext, OperationContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      const { operation } = context;
      checkParts(context);
      const cost = costOf(context, introspection);
      if (cost !== null) {
        setResultAndStopExecution(cost);
        return;
      }
      setExecuteFn((given: ExecutionArgs) => {
        operation.isExecuted = true;
        return executeOperation(executor, operation, given, hasPlugins, executeFn);
      });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      checkParts(context);
      const cost = costOf(context, introspection);
      if (cost !== null) setResultAndStopExecution(cost);
    },
  };
}

/** Rejects `@defer` and `@stream` if no feature has noted how it executes them: others would read too little. */
function checkParts({ operation, incremental }: AcceptedContext): void {
  if (incremental !== null || !isInParts(operation.plan, operation.variables)) return;
  throw badInput('This gateway does not support `@defer` and `@stream`.');
}

/** The result of an accepted operation if only its cost is requested, otherwise null. */
function costOf(context: AcceptedContext, introspection: boolean): ExecutionResult | null {
  const { http, plan, variables } = context.operation;
  if (!isCostOnly(http.req)) return null;
  if (!introspection) {
    throw forbidden(`This gateway does not report the cost of operations (\`${costOnlyHeader}\`).`);
  }
  const cost = costOfOperation(plan, variables, context);
  return { data: null, extensions: { cost } };
}
