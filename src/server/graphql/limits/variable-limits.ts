import type { GraphQLError } from 'graphql';
import { badInput } from '../../../schema/graphql-error.ts';

/** Maximum length of a list, as of the longest list of an input type (`rows` of a table). */
const maxEntries = 10_000;
/** Maximum number of keys of an object, far above what input types and stored JSON need. */
const maxKeys = 1000;
/** Maximum nesting of lists and objects. */
const maxLevels = 100;

/**
 * Rejects variables that no type of this schema accepts. graphql-js would read such values completely, and more than
 * once, before the schema rejects them.
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
