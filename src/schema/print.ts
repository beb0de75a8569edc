import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';

const blockString = /"""(?:[^\\]|\\"""|\\)*?"""/g;

/**
 * Prints a schema, sorted, with a line feed at the end. Descriptions have no backslashes, which parsers in Ruby and .NET
 * read as escapes: they become `∖`, and `"""` becomes `'''`.
 */
export function printSortedSchema(schema: GraphQLSchema): string {
  const text = printSchema(lexicographicSortSchema(schema));
  return `${text.replaceAll(blockString, withoutBackslashes)}\n`;
}

function withoutBackslashes(description: string): string {
  return description.replaceAll('\\"""', "'''").replaceAll('\\', '∖');
}
