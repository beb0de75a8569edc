import {
  type ExecutionResult,
  Kind,
  visit,
  BREAK,
  type ExecutionArgs,
  type OperationDefinitionNode,
} from 'graphql';
import type { CompiledQuery, compileQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { measureOperation } from './limits/operation-size.ts';

/** Runs an operation as graphql-js's `execute` would. */
type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

/** The compiled form of an operation; null if it has to be run the usual way. */
export type FindCompiled = (
  args: ExecutionArgs,
  operation: OperationDefinitionNode,
) => Execute | null;

const maxCompiled = 200; // about 0.4 MiB each

let compiler: typeof compileQuery | null = null;

/** Loads the compiler, which a gateway that only starts and waits does without. */
export async function loadCompiler(): Promise<void> {
  ({ compileQuery: compiler } = await import('graphql-jit'));
}

/**
 * Compiles operations that come again and again. A compiled one gives the same answer as graphql-js and takes
 * a fraction of its time; compiling takes some milliseconds, so the first times are run the usual way.
 *
 * Left to graphql-js is what the compiler does in another way: directives, introspection, mutations of several
 * fields, required variables with a default. Variables have been checked by then.
 *
 * @param after how often an operation is seen before it is compiled, itself included; 0 compiles nothing
 */
export function createOperationCompiler(after: number): FindCompiled {
  const executionCounts = new WeakMap<OperationDefinitionNode, number>();
  const cache = new LRUCache<OperationDefinitionNode, { readonly query: CompiledQuery | null }>({
    max: maxCompiled,
  });

  const find = (args: ExecutionArgs, operation: OperationDefinitionNode): CompiledQuery | null => {
    const entry = cache.get(operation);
    if (entry !== undefined) return entry.query;
    const times = (executionCounts.get(operation) ?? 0) + 1;
    executionCounts.set(operation, times);
    if (times < after) return null;
    if (compiler === null) {
      loadCompiler().catch(() => {}); // without it everything runs the usual way
      return null;
    }
    const query = isCompilable(args, operation) ? compile(compiler, args) : null;
    cache.set(operation, { query });
    return query;
  };

  return (args, operation) => {
    const query = after === 0 ? null : find(args, operation);
    if (query === null) return null;
    return ({ variableValues, contextValue, rootValue }) => {
      const result = query.query(rootValue, contextValue, variableValues);
      return result instanceof Promise ? result.then(withGraphQLErrors) : withGraphQLErrors(result);
    };
  };
}

function compile(
  compileQuery: NonNullable<typeof compiler>,
  { schema, document, operationName }: ExecutionArgs,
): CompiledQuery | null {
  // What resolvers return has been checked on its way in from the DMS, and enums have their own names as values: a
  // second look at every leaf would make two arrays for each.
  const compiled = compileQuery(schema, document, operationName ?? undefined, {
    disableLeafSerialization: true,
  });
  return 'query' in compiled ? compiled : null;
}

/** The compiler has an error class of its own; outside of this module all errors are those of graphql-js. */
function withGraphQLErrors(result: ExecutionResult): ExecutionResult {
  if (result.errors === undefined) return result;
  const errors = result.errors.map(({ message, locations, path, originalError }) => {
    const error = createGraphQLError(message, {
      ...(path && { path }),
      ...(originalError && { originalError }),
    });
    // Of the tokens; what graphql-js has for them are nodes and positions, which are not known here.
    return Object.assign(error, { locations });
  });
  return { ...result, errors };
}

/** Whether the compiler does with an operation what graphql-js does. */
function isCompilable({ document }: ExecutionArgs, operation: OperationDefinitionNode): boolean {
  // A mutation ends with its first root field that fails; a compiled one would go on and send the others.
  if (operation.operation !== 'query' && measureOperation(document, operation).rootFields > 1)
    return false;
  let isPlain = true;
  const reject = (): typeof BREAK => {
    isPlain = false;
    return BREAK;
  };
  visit(document, {
    [Kind.DIRECTIVE]: reject,
    [Kind.FIELD]: ({ name }) =>
      name.value === '__schema' || name.value === '__type' ? reject() : undefined,
    // Left out, such a variable has its default; the compiled parser takes it for missing.
    [Kind.VARIABLE_DEFINITION]: ({ type, defaultValue }) =>
      type.kind === Kind.NON_NULL_TYPE && defaultValue ? reject() : undefined,
  });
  return isPlain;
}
