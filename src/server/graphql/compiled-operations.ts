import {
  type ExecutionResult,
  BREAK,
  getNamedType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTVisitor,
  type DocumentNode,
  type ExecutionArgs,
  type ListValueNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
} from 'graphql';
import type { CompiledQuery, compileQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import type { compilerSchema } from './compiler-schema.ts';
import { measureOperation } from './limits/operation-size.ts';

/** Values of the variables of an operation, as graphql-js's `getVariableValues` returns them. */
export type CoercedVariables = Readonly<Record<string, unknown>>;

/** Executes an operation with the result of graphql-js's `execute`. It uses `variables` instead of those in `args`. */
export type ExecuteCompiled = (
  args: ExecutionArgs,
  variables: CoercedVariables,
) => Promise<ExecutionResult> | ExecutionResult;

/** Returns the compiled form of an operation. Null if graphql-js must execute it. */
export type FindCompiled = (
  args: ExecutionArgs,
  operation: OperationDefinitionNode,
) => ExecuteCompiled | null;

const maxCompiled = 200; // about 0.4 MiB each

interface Compiler {
  readonly compileQuery: typeof compileQuery;
  readonly compilerSchema: typeof compilerSchema;
}

let compiler: Compiler | null = null;

/** Loads the compiler, which would delay the start if it were imported statically. */
export async function loadCompiler(): Promise<void> {
  const [{ compileQuery }, { compilerSchema }] = await Promise.all([
    import('graphql-jit'),
    import('./compiler-schema.ts'),
  ]);
  compiler = { compileQuery, compilerSchema };
}

/**
 * Compiles operations that are executed repeatedly. A compiled operation has the same result as graphql-js in a
 * fraction of the time. Compilation takes some milliseconds, so the first executions use graphql-js.
 *
 * Not compiled are operations that the compiler treats differently: those with directives, introspection, mutations
 * with several fields, and variables within a JSON literal.
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
    if (compiler === null) {
      loadCompiler().catch(() => {}); // without the compiler, graphql-js executes everything
      return null;
    }
    const query = isCompilable(args, operation) ? compile(compiler, args, operation) : null;
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

function compile(
  { compileQuery, compilerSchema }: Compiler,
  { schema, document, operationName }: ExecutionArgs,
  { operation }: OperationDefinitionNode,
): CompiledQuery | null {
  const rootType = schema.getRootType(operation);
  if (rootType == null) return null;
  // Values of the DMS are checked when they are read, and enum values equal their names, so leaves need no
  // serialization. It would create two arrays for each leaf.
  const options = { disableLeafSerialization: true };
  const query = asQuery(document);
  const compiled = compileQuery(
    compilerSchema(schema, rootType),
    query,
    operationName ?? undefined,
    options,
  );
  return 'query' in compiled ? compiled : null;
}

/**
 * Returns the document with queries in place of mutations, whose variables are coerced already.
 *
 * The compiler executes the root fields of a mutation in order, with a queue that V8 frees only in a full garbage
 * collection, together with all objects of the request: a compiled mutation would cost a fifth more. With a single root
 * field there is no order.
 */
function asQuery(document: DocumentNode): DocumentNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'CoercedValue' } } as const;
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? {
          ...definition,
          operation: OperationTypeNode.QUERY,
          variableDefinitions: (definition.variableDefinitions ?? []).map(({ kind, variable }) => ({
            kind,
            variable,
            type,
          })),
        }
      : definition,
  );
  return { ...document, definitions };
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
