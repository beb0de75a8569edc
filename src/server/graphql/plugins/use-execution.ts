import { getOperationAST, getVariableValues, type ExecutionArgs, type GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { badInput } from '../../../schema/graphql-error.ts';
import type { Executor } from '../../feature.ts';
import type { OperationContext } from '../operation-context.ts';

/**
 * Executes operations as their executor does, with the variables that `useOperation` coerced, and notes that the
 * execution has started.
 *
 * @param hasPlugins whether added plugins run afterwards. They can change the operation, which the executor then does not
 * know, change the variables, which are then coerced again, and prevent the execution
 */
export function useExecution(
  executor: Executor,
  hasPlugins: boolean,
): Plugin<OperationContext, OperationContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const context: OperationContext = args.contextValue;
      const { plan } = context;
      const execute = plan && executor.find(plan);
      if (!hasPlugins) {
        context.isExecuted = true;
        if (execute)
          setExecuteFn((given: ExecutionArgs) => execute(given, context.coercedVariables));
        return;
      }
      setExecuteFn((given: ExecutionArgs) => {
        context.isExecuted = true;
        const { schema, document, operationName, variableValues } = given;
        const operation = getOperationAST(document, operationName);
        // A plugin can have removed fields that its user must not read.
        if (execute === null || operation == null || operation !== plan?.operation) {
          return executeFn(given);
        }
        const definitions = operation.variableDefinitions ?? [];
        const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {});
        return coerced === undefined ? { errors } : execute(given, coerced);
      });
    },
    onSubscribe({ args }) {
      const { isExecuted }: OperationContext = args.contextValue;
      if (!isExecuted) throw subscriptionsNotSupported();
    },
  };
}

/** The error of a subscription that no plugin of a feature executes. */
export function subscriptionsNotSupported(): GraphQLError {
  return badInput('This gateway does not support subscriptions.');
}
