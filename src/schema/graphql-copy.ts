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
  const isForeign = (part: object): boolean => !classes.some((known) => part instanceof known);
  const parts = [...schema.getDirectives(), ...Object.values(schema.getTypeMap())];
  const foreign = isForeign(schema) ? 'The schema' : parts.find(isForeign)?.name;
  if (foreign === undefined) return;
  throw new Error(
    `${foreign} was made with a second copy of \`graphql\`. Install one (\`npm ls graphql\`). In Vitest, the alias of docs/extend.md leads to the same copy.`,
  );
}
