import { getVariableValues, type ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createOperationCompiler } from '../compiled-operations.ts';
import type { OperationContext } from '../operation-context.ts';

/**
 * Executes repeated operations as compiled code, with the variables that `useOperation` coerced.
 *
 * @param after see `createOperationCompiler`
 * @param variablesCanChange whether added plugins can change the variables afterwards, which are then coerced again
 */
export function useCompiledExecution(
  after: number,
  variablesCanChange: boolean,
): Plugin<OperationContext, OperationContext> {
  const findCompiled = createOperationCompiler(after);
  return {
    onExecute({ args, setExecuteFn }) {
      const context: OperationContext = args.contextValue;
      const { plan } = context;
      const execute = plan && findCompiled(plan);
      if (execute === null) return;
      setExecuteFn((given: ExecutionArgs) => {
        if (!variablesCanChange) return execute(given, context.coercedVariables);
        const { schema, variableValues } = given;
        const definitions = plan?.operation.variableDefinitions ?? [];
        const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {});
        return coerced === undefined ? { errors } : execute(given, coerced);
      });
    },
  };
}
