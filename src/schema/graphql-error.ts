import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * The gateway creates all GraphQLErrors here. Without a code in `extensions`, an error is masked, unless graphql-js
 * raises it while it coerces a value or validates a query document.
 */
export function createGraphQLError(
  message: string,
  options: GraphQLErrorOptions = {},
): GraphQLError {
  return new GraphQLError(message, options);
}

/**
 * Whether a value is a GraphQLError, of any copy of graphql: Vite loads another file of the package than Node, and a
 * package of a team can have its own copy.
 */
export function isGraphQLError(value: unknown): value is GraphQLError {
  if (typeof value !== 'object' || value === null) return false;
  const error: Partial<GraphQLError> = value;
  const isNamed = error.name === 'GraphQLError' || error[Symbol.toStringTag] === 'GraphQLError';
  return isNamed && typeof error.extensions === 'object';
}

export function badInput(message: string): GraphQLError {
  return createGraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

export function checkRange(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw badInput(`\`${name}\` must be an integer from ${from} to ${to}, not ${value}.`);
}

export function checkCount(name: string, list: readonly unknown[], max: number): void {
  if (list.length <= max) return;
  throw badInput(`\`${name}\` can have at most ${max} entries, not ${list.length}.`);
}
