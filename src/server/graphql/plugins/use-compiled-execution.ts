import { getVariableValues, type ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createOperationCompiler } from '../compiled-operations.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';

/**
 * Executes repeated operations as compiled code, with the variables that `useOperation` coerced.
 *
 * @param after see `createOperationCompiler`
 * @param variablesCanChange whether added plugins can change the variables afterwards, which are then coerced again
 */
export function useCompiledExecution(
  after: number,
  variablesCanChange: boolean,
): Plugin<HttpExchange, HttpExchange> {
  const findCompiled = createOperationCompiler(after);
  return {
    onExecute({ args, setExecuteFn }) {
      const exchange: HttpExchange = args.contextValue;
      const { plan } = exchange;
      const execute = plan && findCompiled(plan);
      if (execute === null) return;
      setExecuteFn((given: ExecutionArgs) => {
        if (!variablesCanChange) return execute(given, exchange.coercedVariables);
        const { schema, variableValues } = given;
        const definitions = plan?.operation.variableDefinitions ?? [];
        const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {});
        return coerced === undefined ? { errors } : execute(given, coerced);
      });
    },
  };
}
