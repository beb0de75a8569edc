import { setFlagsFromString } from 'node:v8';
import {
  getArgumentValues,
  getNamedType,
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFieldConfig,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type NamedTypeNode,
} from 'graphql';
import { compileQuery, type CompiledQuery, type CompilerOptions } from 'graphql-jit';
import type { GatewayContext } from '../../context.ts';
import { listDepth, readProperty } from '../../schema/guards.ts';
import { mapSchema, MapperKind } from '../../schema/libraries.ts';
import { hintsOf, type OperationPlan, type Selection } from '../../schema/plan/operation-plan.ts';
import { sharePlan } from '../../schema/plan/planner.ts';

/** The type of all variables. Their values are coerced already, so this scalar returns them unchanged. */
const CoercedValue = new GraphQLScalarType({ name: 'CoercedValue' });
const coercedValueNode: NamedTypeNode = {
  kind: Kind.NAMED_TYPE,
  name: { kind: Kind.NAME, value: CoercedValue.name },
};

/** Schemas without leaf lists, by the schema that they are made of. */
const plainSchemas = new WeakMap<GraphQLSchema, GraphQLSchema>();
/** Schemas for the compiler, by their query type. */
const schemas = new WeakMap<GraphQLObjectType, GraphQLSchema>();

/**
 * Compiles an operation. The compiler gets, in place of the document and its schema, a query on the root type of the
 * operation, whose variables have coerced values.
 *
 * The compiler executes the root fields of a mutation in order, with a queue that V8 frees only in a major garbage
 * collection, together with all objects of the request: a compiled mutation would cost a fifth more. With a single root
 * field there is no order.
 *
 * @returns null if the compiler rejects the operation
 */
export function compileOperation(plan: OperationPlan): CompiledQuery | null {
  if (!hasDistinctNames(plan)) return null;
  // Values of the DMS are checked when they are read, and enum values equal their names, so leaves need no
  // serialization. It would create two arrays for each leaf. Resolvers of an extension serialize theirs.
  const options: Partial<CompilerOptions> = {
    disableLeafSerialization: true,
    // The stack of an error that is not one of a resolver has only code of the compiler.
    disablingCapturingStackErrors: true,
    resolverInfoEnricher: ({ parentType, fieldName }) =>
      originalInfo(plan, parentType.name, fieldName),
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

/**
 * Whether the compiler has a name of its own for each field. It joins type and field, and the keys of a path with
 * underscores, which a key can contain: `{ b_a: viewer { runAs } a: document(id: "1") { b: author { id } } }`.
 */
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
  sharePlan(query, plan);
  return { kind: Kind.DOCUMENT, definitions: [query, ...plan.document.fragments.values()] };
}

/** The schema without leaf lists whose query type is the root type of `operation`. */
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
 * the memory that a page of documents with tables allocates. Properties of the gateway's own objects need no guard.
 */
function withoutLeafLists(schema: GraphQLSchema): GraphQLSchema {
  let plain = plainSchemas.get(schema);
  if (plain === undefined) {
    plain = mapSchema(schema, {
      [MapperKind.COMPOSITE_FIELD]: (field, name, typeName) => {
        if (hintsOf(field).isAdded) return compilable(field, fieldOf(schema, typeName, name));
        const { resolve, ...rest } = field;
        const type = withoutLeafList(field.type);
        return resolve === readProperty ? { ...rest, type } : { ...field, type };
      },
    });
    plainSchemas.set(schema, plain);
  }
  return plain;
}

function fieldOf(schema: GraphQLSchema, typeName: string, name: string) {
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name] : undefined;
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

type Config = GraphQLFieldConfig<unknown, GatewayContext>;

/**
 * Returns a field of an extension whose resolver itself reads the arguments and serializes the leaves, as graphql-js
 * does. The compiler parses literals once, passes them on as JSON, and loses the errors of `serialize`.
 */
function compilable(config: Config, field: ReturnType<typeof fieldOf>): Config {
  const { resolve } = config;
  const leaf = getNamedType(config.type);
  const type = isLeafType(leaf) ? withStrings(config.type) : config.type;
  if (field === undefined || resolve === undefined) return { ...config, type, args: {} };
  const read: Config['resolve'] =
    field.args.length === 0
      ? resolve
      : (source, _args, context, info) => {
          const args = getArgumentValues(field, info.fieldNodes[0]!, info.variableValues);
          return resolve(source, args, context, info);
        };
  if (!isLeafType(leaf)) return { ...config, args: {}, resolve: read };
  return {
    ...config,
    type,
    args: {},
    resolve: (source, args, context, info) =>
      serialized(read(source, args, context, info), config.type),
  };
}

/** Returns the type with `String`, which the compiler does not serialize, in place of its leaf. */
function withStrings(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withStrings(getNullableType(type)));
  return isListType(type) ? new GraphQLList(withStrings(type.ofType)) : GraphQLString;
}

/** Serializes a value or the items of a list. An error is a value, which becomes null and an error at its path. */
function serialized(value: unknown, type: GraphQLOutputType): unknown {
  if (value instanceof Promise) return value.then((inner) => serialized(inner, type));
  if (value == null || value instanceof Error) return value;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    return Array.isArray(value) ? value.map((item) => serialized(item, nullable.ofType)) : value;
  }
  const leaf = nullable as GraphQLLeafType;
  try {
    return leaf.serialize(value) ?? new TypeError(`${leaf.name} has no such value`);
  } catch (error) {
    // As Yoga's executor does, so that a code does not make a message visible that quotes the value.
    return error instanceof GraphQLError ? new Error(error.message) : error;
  }
}

/** What resolvers of an extension find in `info`: the schema and operation that graphql-js executes. */
function originalInfo(
  { schema, operation }: OperationPlan,
  typeName: string,
  name: string,
): Partial<GraphQLResolveInfo> {
  const field = fieldOf(schema, typeName, name);
  if (field === undefined || !hintsOf(field).isAdded) return {};
  const parentType = schema.getType(typeName) as GraphQLObjectType;
  return { schema, operation, parentType, returnType: field.type };
}
