import { SchemaMetaFieldDef, TypeMetaFieldDef, type ExecutionResult } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import type {
  Executor,
  OperationPlan,
  PlannedField,
  Selection,
} from '../../schema/plan/operation-plan.ts';
import { variablesIn } from '../../schema/plan/variable-reader.ts';
import { compileOperation } from './compile-operation.ts';

const maxCompiled = 200;
/**
 * Maximum number of fields of all compiled operations. With its machine code, a field keeps 3 to 10 KiB, so all keep at
 * most 50 MiB. bench/NOTES.md
 */
const maxCompiledFields = 5000;
/** Compilation takes about 0.1 ms per field and must not block the event loop. */
const maxFieldsOfOne = 400;

interface Compiled {
  readonly query: CompiledQuery | null;
  readonly fields: number;
}

/**
 * Not compiled are operations of which `isCompilable` is false, and those with more than 400 fields. The number of
 * compiled operations and of their fields is limited, because clients choose them.
 */
export function createOperationCompiler(
  after: number,
  maxFields = maxCompiledFields,
): Executor['find'] {
  const executionCounts = new WeakMap<OperationPlan, number>();
  const cache = new LRUCache<OperationPlan, Compiled>({
    max: maxCompiled,
    maxSize: maxFields,
    sizeCalculation: ({ fields }) => fields,
    dispose: (_, plan) => void executionCounts.delete(plan),
  });

  const find = (plan: OperationPlan): CompiledQuery | null => {
    const entry = cache.get(plan);
    if (entry !== undefined) return entry.query;
    const times = (executionCounts.get(plan) ?? 0) + 1;
    executionCounts.set(plan, times);
    if (times < after) return null;
    const fields = fieldCountOf(plan.root);
    if (fields > maxFieldsOfOne || !isCompilable(plan)) {
      executionCounts.set(plan, -Infinity);
      return null;
    }
    const query = compileOperation(plan);
    cache.set(plan, { query, fields });
    return query;
  };

  return (plan) => {
    const query = find(plan);
    if (query === null) return null;
    return ({ contextValue, rootValue }, variables) => {
      const result = query.query(rootValue, contextValue, variables);
      return result instanceof Promise ? result.then(withGraphQLErrors) : withGraphQLErrors(result);
    };
  };
}

function fieldCountOf({ fields }: Selection): number {
  return fields.reduce(
    (sum, { below }) => below.reduce((inner, one) => inner + fieldCountOf(one), sum + 1),
    0,
  );
}

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

/** Whether an operation is the gateway's own, and the compiler does not treat it differently than graphql-js. */
function isCompilable({ operation, size, fields }: OperationPlan): boolean {
  // graphql-js stops a mutation at the first root field that fails. A compiled one would continue with the others.
  const isOrdered = operation.operation !== 'query' && size.rootFields > 1;
  // The compiled code reads a variable that was omitted without checking whether the property is its own.
  const isInherited = operation.variableDefinitions?.some(
    ({ variable }) => variable.name.value in Object.prototype,
  );
  return (
    !isOrdered &&
    !isInherited &&
    size.directives === 0 &&
    fields.values().every((planned) => planned.every(isCompilableField))
  );
}

function isCompilableField({ node, definition, hints }: PlannedField): boolean {
  if (definition === null) return true;
  if (definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef) return false;
  if (hints.isTeamField === true) return false;
  // The compiled parser of a custom scalar gets no variables: those within a literal would be lost.
  return (node.arguments ?? []).every(({ name, value }) => {
    const { type } = definition.args.find((one) => one.name === name.value) ?? {};
    return variablesIn(value, type).every((usage) => usage.type !== undefined);
  });
}
