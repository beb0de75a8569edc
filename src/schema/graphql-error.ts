import { GraphQLError } from 'graphql';

/** What a caller did wrong, said before anything is sent to the DMS. Code: `BAD_USER_INPUT`. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** @throws BAD_USER_INPUT unless `value` is a whole number of the range, ends included. */
export function checkRange(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw badInput(`\`${name}\` must be ${from} to ${to}, not ${value}.`);
}

/** @throws BAD_USER_INPUT for a list that is longer than `most`. */
export function checkCount(name: string, list: readonly unknown[], max: number): void {
  if (list.length <= max) return;
  throw badInput(`\`${name}\` takes at most ${max} entries, not ${list.length}.`);
}
