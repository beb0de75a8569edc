import {
  getOperationAST,
  getVariableValues,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { maxFailures } from '../../schema/plan/list-fields.ts';
import type { OperationPlan, Selection } from '../../schema/plan/operation-plan.ts';
import type { compileOperation } from './compile-operation.ts';
import type { OperationContext } from './operation-context.ts';

/** Values of the variables of an operation, as graphql-js's `getVariableValues` returns them. */
type CoercedVariables = Readonly<Record<string, unknown>>;

/** Executes an operation with the result of graphql-js's `execute`. It uses `variables` instead of those in `args`. */
type ExecuteCompiled = (
  args: ExecutionArgs,
  variables: CoercedVariables,
) => Promise<ExecutionResult> | ExecutionResult;

/** Returns the compiled form of an operation. Null if graphql-js must execute it. */
export type FindCompiled = (plan: OperationPlan) => ExecuteCompiled | null;

const maxCompiled = 200;
/**
 * Maximum number of fields of all compiled operations. With its machine code, a field keeps 3 to 10 KiB, so all keep at
 * most 50 MiB. bench/NOTES.md
 */
const maxCompiledFields = 5000;
/** Compilation takes about 0.1 ms per field and must not block the event loop. */
const maxFieldsOfOne = 400;

interface Compiled {
  /** Null if the compiler rejects the operation. */
  readonly query: CompiledQuery | null;
  readonly fields: number;
}

let compile: typeof compileOperation | null = null;

/** Loads the compiler, which would delay the start if it were imported statically. */
export async function loadCompiler(): Promise<void> {
  compile = (await import('./compile-operation.ts')).compileOperation;
}

/**
 * Compiles operations that are executed repeatedly. A compiled operation has the same result as graphql-js in a
 * fraction of the time. Compilation takes some milliseconds, so the first executions use graphql-js.
 *
 * Not compiled are operations that the compiler treats differently (`isCompilable` of their plan), and those with more
 * than 400 fields. The number of compiled operations and of their fields is limited, because clients choose them.
 *
 * @param after number of the execution at which an operation is compiled; 0 disables compilation
 * @param maxFields maximum number of fields of all compiled operations
 */
export function createOperationCompiler(
  after: number,
  maxFields = maxCompiledFields,
): FindCompiled {
  const executionCounts = new WeakMap<OperationPlan, number>();
  const cache = new LRUCache<OperationPlan, Compiled>({
    max: maxCompiled,
    maxSize: maxFields,
    sizeCalculation: ({ fields }) => fields,
    dispose: (_, plan) => void executionCounts.delete(plan),
  });

  const find = (plan: OperationPlan): CompiledQuery | null => {
    if (!plan.isCompilable) return null;
    const entry = cache.get(plan);
    if (entry !== undefined) return entry.query;
    const times = (executionCounts.get(plan) ?? 0) + 1;
    executionCounts.set(plan, times);
    if (times < after) return null;
    if (compile === null) {
      loadCompiler().catch(() => {}); // without the compiler, graphql-js executes everything
      return null;
    }
    const fields = fieldCountOf(plan.root);
    if (fields > maxFieldsOfOne) return null;
    const query = compile(plan);
    cache.set(plan, { query, fields });
    return query;
  };

  return (plan) => {
    const query = after === 0 ? null : find(plan);
    if (query === null) return null;
    return ({ contextValue, rootValue }, variables) => {
      const result = query.query(rootValue, contextValue, variables);
      return result instanceof Promise ? result.then(withGraphQLErrors) : withGraphQLErrors(result);
    };
  };
}

/** The number of fields that the compiler generates code for: those of each type at each place. */
function fieldCountOf({ fields }: Selection): number {
  return fields.reduce(
    (sum, { below }) => below.reduce((inner, one) => inner + fieldCountOf(one), sum + 1),
    0,
  );
}

/**
 * Converts the compiler's own error class. Other modules see errors of graphql-js only. The compiled execution does not
 * stop at the first error below a field that is null, so those that no response shows are dropped. It shows all errors
 * of writes, whose paths are short.
 */
function withGraphQLErrors(result: ExecutionResult): ExecutionResult {
  if (result.errors === undefined) return result;
  const reported = result.errors.filter(({ path = [] }, i) => i < maxFailures || path.length <= 3);
  const errors = reported.map(({ message, locations, path, originalError }) => {
    const error = createGraphQLError(message, {
      ...(path && { path }),
      ...(originalError && { originalError }),
    });
    // Locations come from the tokens. graphql-js computes them from nodes and positions, which are not available here.
    return Object.assign(error, { locations });
  });
  return { ...result, errors };
}

/**
 * Executes repeated operations as compiled code, with the variables that `useOperation` coerced.
 *
 * @param after see `createOperationCompiler`
 * @param hasPlugins whether added plugins run afterwards. They can change the operation, which is then not the compiled one,
 * change the variables, which are then coerced again, and prevent the execution
 */
export function useCompiledExecution(
  after: number,
  hasPlugins: boolean,
): Plugin<OperationContext, OperationContext> {
  const findCompiled = createOperationCompiler(after);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const context: OperationContext = args.contextValue;
      const { plan } = context;
      const execute = plan && findCompiled(plan);
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
  };
}
