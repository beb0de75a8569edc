import { setFlagsFromString } from 'node:v8';
import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type NamedTypeNode,
} from 'graphql';
import { compileQuery, type CompiledQuery, type CompilerOptions } from 'graphql-jit';
import { mapSchema, MapperKind } from '../../schema/libraries.ts';
import type { OperationPlan, Selection } from '../../schema/plan/operation-plan.ts';

const CoercedValue = new GraphQLScalarType({ name: 'CoercedValue' });
const coercedValueNode: NamedTypeNode = {
  kind: Kind.NAMED_TYPE,
  name: { kind: Kind.NAME, value: CoercedValue.name },
};

const plainSchemas = new WeakMap<GraphQLSchema, GraphQLSchema>();
const schemas = new WeakMap<GraphQLObjectType, GraphQLSchema>();

/**
 * The compiler executes the root fields of a mutation in order, with a queue that V8 frees only in a major garbage
 * collection, together with all objects of the request: a compiled mutation would cost a fifth more. With a single
 * root field there is no order.
 */
export function compileOperation(plan: OperationPlan): CompiledQuery | null {
  if (!hasDistinctNames(plan)) return null;
  // Values of the DMS are checked when they are read, and enum values equal their names, so leaves need no
  // serialization. It would create two arrays for each leaf.
  const options: Partial<CompilerOptions> = {
    disableLeafSerialization: true,
    // The stack of an error that is not one of a resolver has only code of the compiler.
    disablingCapturingStackErrors: true,
    // Resolvers find the plan by the operation.
    resolverInfoEnricher: () => ({ operation: plan.operation }),
  };
  const [schema, query] = [schemaFor(plan), asQuery(plan)];
  // V8 would keep the code of operations that were dropped for several major garbage collections.
  setFlagsFromString('--no-compilation-cache');
  try {
    const compiled = compileQuery(schema, query, undefined, options);
    return 'query' in compiled ? compiled : null;
  } finally {
    setFlagsFromString('--compilation-cache');
  }
}

function hasDistinctNames({ root }: OperationPlan): boolean {
  const owners = new Map<string, string>();
  const isDistinct = (separator: string, parts: readonly string[]): boolean => {
    const [name, owner] = [separator + parts.join(separator), parts.join(' ')];
    const known = owners.get(name) ?? owner;
    owners.set(name, known);
    return known === owner;
  };
  const areDistinct = (
    { type, fields }: Selection,
    path: readonly string[],
    lists: number,
  ): boolean =>
    fields.every(({ node, definition, below }) => {
      if (definition === null) return true;
      const to = [node.alias?.value ?? node.name.value, ...path];
      const depth = lists + listDepth(definition.type);
      const indexes = Array.from({ length: depth - lists }, (_, i) => `idx${depth - 1 - i}`);
      const isAbstract = isAbstractType(getNamedType(definition.type));
      return (
        isDistinct('_', to) &&
        isDistinct('', [type.name, definition.name]) &&
        below.every((one) =>
          areDistinct(one, [...(isAbstract ? [one.type.name] : []), ...indexes, ...to], depth),
        )
      );
    });
  return areDistinct(root, [], 0);
}

function listDepth(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listDepth(nullable.ofType) : 0;
}

function asQuery(plan: OperationPlan): DocumentNode {
  const { variableDefinitions = [], ...rest } = plan.operation;
  const query = {
    ...rest,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: variableDefinitions.map(({ kind, variable }) => ({
      kind,
      variable,
      type: coercedValueNode,
    })),
  };
  return { kind: Kind.DOCUMENT, definitions: [query, ...plan.document.fragments.values()] };
}

function schemaFor({ schema, operation: { operation } }: OperationPlan): GraphQLSchema {
  const plain = withoutLeafLists(schema);
  const query = plain.getRootType(operation);
  if (query == null) throw new Error(`The schema has no ${operation} type.`);
  let compilable = schemas.get(query);
  if (compilable === undefined) {
    const { types, ...config } = plain.toConfig();
    compilable = new GraphQLSchema({ ...config, query, types: [...types, CoercedValue] });
    schemas.set(query, compilable);
  }
  return compilable;
}

/**
 * Returns the schema with the type `String` for each list of built-in scalars or enum values. Such a list is part of
 * the response as it is. As a list it would be copied item by item with two closures for each item, which was a tenth of
 * the memory that a page of documents with tables allocates.
 */
function withoutLeafLists(schema: GraphQLSchema): GraphQLSchema {
  let plain = plainSchemas.get(schema);
  if (plain === undefined) {
    plain = mapSchema(schema, {
      [MapperKind.COMPOSITE_FIELD]: (field) => ({ ...field, type: withoutLeafList(field.type) }),
    });
    plainSchemas.set(schema, plain);
  }
  return plain;
}

function withoutLeafList(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) {
    const inner = withoutLeafList(type.ofType);
    return inner === type.ofType ? type : new GraphQLNonNull(inner);
  }
  const item = getNamedType(type);
  return isListType(type) && (isEnumType(item) || isSpecifiedScalarType(item))
    ? GraphQLString
    : type;
}
