import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import type { OperationPlan } from '../../schema/plan/operation-plan.ts';
import type { compileOperation } from './compile-operation.ts';

/** Values of the variables of an operation, as graphql-js's `getVariableValues` returns them. */
type CoercedVariables = Readonly<Record<string, unknown>>;

/** Executes an operation with the result of graphql-js's `execute`. It uses `variables` instead of those in `args`. */
type ExecuteCompiled = (
  args: ExecutionArgs,
  variables: CoercedVariables,
) => Promise<ExecutionResult> | ExecutionResult;

/** Returns the compiled form of an operation. Null if graphql-js must execute it. */
export type FindCompiled = (plan: OperationPlan) => ExecuteCompiled | null;

const maxCompiled = 200; // about 0.4 MiB each

let compile: typeof compileOperation | null = null;

/** Loads the compiler, which would delay the start if it were imported statically. */
export async function loadCompiler(): Promise<void> {
  compile = (await import('./compile-operation.ts')).compileOperation;
}

/**
 * Compiles operations that are executed repeatedly. A compiled operation has the same result as graphql-js in a
 * fraction of the time. Compilation takes some milliseconds, so the first executions use graphql-js.
 *
 * Not compiled are operations that the compiler treats differently (`isCompilable` of their plan).
 *
 * @param after number of the execution at which an operation is compiled; 0 disables compilation
 */
export function createOperationCompiler(after: number): FindCompiled {
  const executionCounts = new WeakMap<OperationPlan, number>();
  const cache = new LRUCache<OperationPlan, { readonly query: CompiledQuery | null }>({
    max: maxCompiled,
  });

  const find = (plan: OperationPlan): CompiledQuery | null => {
    const entry = cache.get(plan);
    if (entry !== undefined) return entry.query;
    const times = (executionCounts.get(plan) ?? 0) + 1;
    executionCounts.set(plan, times);
    if (times < after) return null;
    if (compile === null) {
      loadCompiler().catch(() => {}); // without the compiler, graphql-js executes everything
      return null;
    }
    const query = plan.isCompilable ? compile(plan) : null;
    cache.set(plan, { query });
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

/** Converts the compiler's own error class. Other modules see errors of graphql-js only. */
function withGraphQLErrors(result: ExecutionResult): ExecutionResult {
  if (result.errors === undefined) return result;
  const errors = result.errors.map(({ message, locations, path, originalError }) => {
    const error = createGraphQLError(message, {
      ...(path && { path }),
      ...(originalError && { originalError }),
    });
    // Locations come from the tokens. graphql-js computes them from nodes and positions, which are not available here.
    return Object.assign(error, { locations });
  });
  return { ...result, errors };
}
