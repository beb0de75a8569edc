import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createCompiled } from '../compiled-operations.ts';
import type { Exchange } from '../../http/http-exchange.ts';

/** Executes operations that come again and again as compiled code. @param after see `createCompiled` */
export function useCompiledExecution(after: number): Plugin<Exchange, Exchange> {
  const findCompiled = createCompiled(after);
  return {
    onExecute({ args, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName);
      const execute = operation == null ? null : findCompiled(args, operation);
      if (execute !== null) setExecuteFn(execute);
    },
  };
}
