import {
  getNamedType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  isEnumType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { mapSchema, MapperKind } from '../../schema/graphql-tools.ts';

/** The type of all variables of a compiled operation, whose values are coerced before. It passes them on. */
export const CoercedValue = new GraphQLScalarType({ name: 'CoercedValue' });

const schemas = new WeakMap<GraphQLObjectType, GraphQLSchema>();

/**
 * Returns the schema for compiling operations on a root type of `schema`, which is its query type.
 *
 * - It contains `CoercedValue`.
 * - A list of built-in scalars or enum values has the type `String`, and is part of the response as it is. As a list it
 *   would be copied item by item with two closures for each item, which was a tenth of the memory that a page of
 *   documents with tables allocates.
 */
export function compilerSchema(schema: GraphQLSchema, rootType: GraphQLObjectType): GraphQLSchema {
  let compilable = schemas.get(rootType);
  if (compilable === undefined) {
    const mapped = mapSchema(schema, {
      [MapperKind.COMPOSITE_FIELD]: (field) => ({ ...field, type: withoutLeafList(field.type) }),
    });
    const { types, ...config } = mapped.toConfig();
    const query = mapped.getType(rootType.name) as GraphQLObjectType;
    compilable = new GraphQLSchema({ ...config, query, types: [...types, CoercedValue] });
    schemas.set(rootType, compilable);
  }
  return compilable;
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
