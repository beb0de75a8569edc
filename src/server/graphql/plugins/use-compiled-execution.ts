import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createOperationCompiler } from '../compiled-operations.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';

/** Executes repeated operations as compiled code. @param after see `createOperationCompiler` */
export function useCompiledExecution(after: number): Plugin<HttpExchange, HttpExchange> {
  const findCompiled = createOperationCompiler(after);
  return {
    onExecute({ args, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName);
      const execute = operation == null ? null : findCompiled(args, operation);
      if (execute !== null) setExecuteFn(execute);
    },
  };
}
