import {
  getNamedType,
  GraphQLNonNull,
  GraphQLString,
  isEnumType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { mapSchema, MapperKind } from '../../schema/graphql-tools.ts';

const schemasWithoutLeafLists = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * Returns the schema with the type `String` for each list of built-in scalars or enum values. Such a list is part of
 * the response as it is. As a list it would be copied item by item with two closures for each item, which was a tenth of
 * the memory that a page of documents with tables allocates.
 */
export function schemaWithoutLeafLists(schema: GraphQLSchema): GraphQLSchema {
  let plain = schemasWithoutLeafLists.get(schema);
  if (plain === undefined) {
    plain = mapSchema(schema, {
      [MapperKind.COMPOSITE_FIELD]: (field) => ({ ...field, type: withoutLeafList(field.type) }),
    });
    schemasWithoutLeafLists.set(schema, plain);
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
