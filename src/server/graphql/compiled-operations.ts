import {
  type ExecutionResult,
  BREAK,
  getNamedType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTVisitor,
  type ExecutionArgs,
  type ListValueNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import type { compileOperation } from './compile-operation.ts';
import { measureOperation } from './limits/operation-size.ts';

/** Values of the variables of an operation, as graphql-js's `getVariableValues` returns them. */
type CoercedVariables = Readonly<Record<string, unknown>>;

/** Executes an operation with the result of graphql-js's `execute`. It uses `variables` instead of those in `args`. */
type ExecuteCompiled = (
  args: ExecutionArgs,
  variables: CoercedVariables,
) => Promise<ExecutionResult> | ExecutionResult;

/** Returns the compiled form of an operation. Null if graphql-js must execute it. */
export type FindCompiled = (
  args: ExecutionArgs,
  operation: OperationDefinitionNode,
) => ExecuteCompiled | null;

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
 * Not compiled are operations that the compiler treats differently: those with directives, introspection, mutations
 * with several fields, variables within a JSON literal, and variables with the name of a property of all objects.
 *
 * @param after number of the execution at which an operation is compiled; 0 disables compilation
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
    if (compile === null) {
      loadCompiler().catch(() => {}); // without the compiler, graphql-js executes everything
      return null;
    }
    const query = isCompilable(args, operation) ? compile(args, operation) : null;
    cache.set(operation, { query });
    return query;
  };

  return (args, operation) => {
    const query = after === 0 ? null : find(args, operation);
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

/** Whether the compiler executes an operation in the same way as graphql-js. */
function isCompilable(
  { document, schema }: ExecutionArgs,
  operation: OperationDefinitionNode,
): boolean {
  // graphql-js stops a mutation at the first root field that fails. A compiled mutation would continue with the others.
  if (operation.operation !== 'query' && measureOperation(document, operation).rootFields > 1)
    return false;
  let isPlain = true;
  const reject = (): typeof BREAK => {
    isPlain = false;
    return BREAK;
  };
  const typeInfo = new TypeInfo(schema);
  /** The compiled parser of a scalar gets no variables: those within a literal would be lost. */
  const rejectVariables = (node: ObjectValueNode | ListValueNode): unknown => {
    const type = getNamedType(typeInfo.getInputType());
    if (!isScalarType(type) || isSpecifiedScalarType(type)) return undefined;
    return holdsVariable(node) ? reject() : undefined;
  };
  const visitor: ASTVisitor = {
    [Kind.OBJECT]: rejectVariables,
    [Kind.LIST]: rejectVariables,
    [Kind.DIRECTIVE]: reject,
    // The compiled code reads a variable that was omitted without checking whether the property is its own.
    [Kind.VARIABLE_DEFINITION]: ({ variable }) =>
      variable.name.value in Object.prototype ? reject() : undefined,
    [Kind.FIELD]: ({ name }) =>
      name.value === '__schema' || name.value === '__type' ? reject() : undefined,
  };
  visit(document, visitWithTypeInfo(typeInfo, visitor));
  return isPlain;
}

function holdsVariable(value: ObjectValueNode | ListValueNode): boolean {
  let found = false;
  visit(value, {
    [Kind.VARIABLE]: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}
