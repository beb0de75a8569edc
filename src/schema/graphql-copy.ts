import {
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
} from 'graphql';

const classes = [
  GraphQLSchema,
  GraphQLDirective,
  GraphQLObjectType,
  GraphQLInterfaceType,
  GraphQLUnionType,
  GraphQLScalarType,
  GraphQLEnumType,
  GraphQLInputObjectType,
];

/**
 * Checks that all parts of a schema belong to one copy of graphql. Executors recognize types by their classes, so each
 * request would fail otherwise, and in production with an error that does not say why.
 *
 * @throws naming a part that does not
 */
export function checkGraphQLCopy(schema: GraphQLSchema): void {
  const parts = [schema, ...schema.getDirectives(), ...Object.values(schema.getTypeMap())];
  const foreign = parts.find((part) => !classes.some((one) => part instanceof one));
  if (foreign === undefined) return;
  const name = foreign === schema ? 'The schema' : `\`${String(foreign)}\` of the schema`;
  throw new Error(
    `${name} was made with a second copy of \`graphql\`. Install one (\`npm ls graphql\`). In Vitest, the alias of docs/extend.md leads to the same copy.`,
  );
}
