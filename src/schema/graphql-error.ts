import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * Makes every GraphQLError of the gateway.
 *
 * @param message for the client, if the error has a code in `extensions`
 * @param options of graphql-js. A code in `extensions` says that the message is for the client; without one the error is
 * masked, unless it is raised while GraphQL reads a value or validates a query document: then it gets a code there.
 */
export function createGraphQLError(
  message: string,
  options: GraphQLErrorOptions = {},
): GraphQLError {
  return new GraphQLError(message, options);
}

/** The error for a request that is wrong, found before anything is sent to the DMS. Code: `BAD_USER_INPUT`. */
export function badInput(message: string): GraphQLError {
  return createGraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** @throws BAD_USER_INPUT unless `value` is a whole number of the range, ends included. */
export function checkRange(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw badInput(`\`${name}\` must be an integer from ${from} to ${to}, not ${value}.`);
}

/** @throws BAD_USER_INPUT for a list that is longer than `max`. */
export function checkCount(name: string, list: readonly unknown[], max: number): void {
  if (list.length <= max) return;
  throw badInput(`\`${name}\` can have at most ${max} entries, not ${list.length}.`);
}
