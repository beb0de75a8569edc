import type { GraphQLError } from 'graphql';
import { badInput } from '../../../schema/graphql-error.ts';

/** As many as the longest list of an input may have (`rows` of a table). */
const maxEntries = 10_000;
/** Far more than any input type has fields, and than JSON that the DMS keeps as it is should have. */
const maxKeys = 1000;
/** Of lists and objects in each other. */
const maxLevels = 100;

/**
 * What no variable of this schema can hold: GraphQL would read such a value to its end, more than once, before the
 * schema finds that it is too long.
 *
 * @returns an error with `BAD_USER_INPUT`, or null
 */
export function checkVariables(variables: unknown): GraphQLError | null {
  const excess = findExcess(variables, maxLevels);
  return excess === null ? null : badInput(`The variables contain ${excess}.`);
}

function findExcess(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `more than ${maxLevels} levels of nesting`;
  const isList = Array.isArray(value);
  const inner: readonly unknown[] = isList ? value : Object.values(value);
  if (isList && inner.length > maxEntries) {
    return `a list with ${inner.length} entries; at most ${maxEntries} are allowed`;
  }
  if (!isList && inner.length > maxKeys) {
    return `an object with ${inner.length} keys; at most ${maxKeys} are allowed`;
  }
  for (const one of inner) {
    const excess = findExcess(one, levels - 1);
    if (excess !== null) return excess;
  }
  return null;
}
