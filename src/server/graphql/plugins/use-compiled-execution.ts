import { getOperationAST, type ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createOperationCompiler } from '../compiled-operations.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';

/**
 * Executes repeated operations as compiled code, with the variables that `useOperation` coerced. If an added plugin
 * replaces the variables, graphql-js executes the operation.
 *
 * @param after see `createOperationCompiler`
 */
export function useCompiledExecution(after: number): Plugin<HttpExchange, HttpExchange> {
  const findCompiled = createOperationCompiler(after);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName);
      const execute = operation == null ? null : findCompiled(args, operation);
      if (execute === null) return;
      const { variableValues } = args;
      const exchange: HttpExchange = args.contextValue;
      setExecuteFn((given: ExecutionArgs) =>
        given.variableValues === variableValues
          ? execute(given, exchange.coercedVariables)
          : executeFn(given),
      );
    },
  };
}
