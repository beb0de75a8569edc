import {
  getOperationAST,
  getVariableValues,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { badInput } from '../../../schema/graphql-error.ts';
import { costOfOperation } from '../../../schema/plan/cost.ts';
import { isInParts } from '../../../schema/plan/operation-plan.ts';
import type { Executor } from '../../feature.ts';
import { isCostOnly } from '../../http/request-checks.ts';
import type { AcceptedContext, OperationContext } from '../operation.ts';

/**
 * Executes operations as their executor does, with the variables that `useOperation` coerced, and notes that the
 * execution has started. Returns the cost instead if only that is requested.
 *
 * @param hasPlugins whether plugins of a team run afterwards. They can change the operation, which the executor then does not
 * know, change the variables, which are then coerced again, and prevent the execution
 */
export function useExecution(
  executor: Executor | null,
  hasPlugins: boolean,
): Plugin<AcceptedContext, OperationContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      const { operation: state } = context;
      const { plan } = state;
      checkParts(context);
      const cost = costOf(context);
      if (cost !== null) {
        setResultAndStopExecution(cost);
        return;
      }
      const execute = plan && executor?.find(plan);
      if (!hasPlugins) {
        state.isExecuted = true;
        if (execute) setExecuteFn((given: ExecutionArgs) => execute(given, state.coercedVariables));
        return;
      }
      setExecuteFn((given: ExecutionArgs) => {
        state.isExecuted = true;
        const { schema, document, operationName, variableValues } = given;
        const operation = getOperationAST(document, operationName);
        // A plugin can have removed fields that its user must not read.
        if (execute == null || operation == null || operation !== plan?.operation) {
          return executeFn(given);
        }
        const definitions = operation.variableDefinitions ?? [];
        const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {});
        return coerced === undefined ? { errors } : execute(given, coerced);
      });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const context: AcceptedContext = args.contextValue;
      checkParts(context);
      const cost = costOf(context);
      if (cost !== null) setResultAndStopExecution(cost);
    },
  };
}

/** Rejects `@defer` and `@stream` if no feature has noted how it executes them: others would read too little. */
function checkParts({ operation: { plan, coercedVariables }, incremental }: AcceptedContext): void {
  if (plan === null || incremental !== null || !isInParts(plan, coercedVariables)) return;
  throw badInput('This gateway does not support `@defer` and `@stream`.');
}

/** The result of an accepted operation if only its cost is requested, otherwise null. */
function costOf(context: AcceptedContext): ExecutionResult | null {
  const { http, plan, coercedVariables } = context.operation;
  if (plan === null || !isCostOnly(http.req)) return null;
  return { data: null, extensions: { cost: costOfOperation(plan, coercedVariables, context) } };
}
